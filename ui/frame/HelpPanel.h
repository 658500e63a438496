// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QTextBrowser>

namespace kernelarium::ui {

/// A page of resources/help. Links lead from page to page (verdict.md, targets.md#limits-of-a-run), as they do where
/// the pages are read as files; those of the web open in the reader's browser.
class HelpPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpPanel(Theme& theme, QWidget* parent = nullptr);
    /// By the page's name ("verdict"), at a heading if it has one of that anchor; the list of all pages where there is
    /// none of that name.
    void showPage(const QString& name, const QString& anchor = {});
    [[nodiscard]] const QString& page() const { return m_page; }

    void showText(const QString& markdown);

private:
    void follow(const QUrl& link);
    void goTo(const QString& anchor);

    QString m_page;
    QString m_written; ///< shown instead of a page
};

} // namespace kernelarium::ui
