// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QTextBrowser>

namespace kernelarium::ui {

/// Markdown in the theme's fonts and colours, as high as its text: it is placed in something that scrolls. It
/// loads nothing from files or the network; links of the web open in the reader's browser.
class MarkdownView : public QTextBrowser {
    Q_OBJECT
public:
    explicit MarkdownView(const Theme& theme, QWidget* parent = nullptr);

    void setText(const QString& markdown);
    [[nodiscard]] const QString& markdown() const { return m_markdown; }

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void render();
    void styleBlocks();
    void styleCharacters(const QTextBlock& block, bool code);
    void styleTables();
    void fit();

    const Theme& m_theme;
    QString m_markdown;
};

} // namespace kernelarium::ui
