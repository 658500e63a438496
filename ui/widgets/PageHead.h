// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace kernelarium::ui {

/// The head of a page that takes the editor's place: the way back, a sentence on what the page is about, and a smaller
/// one below.
class PageHead : public QWidget {
    Q_OBJECT
public:
    explicit PageHead(Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QToolButton& back() { return *m_back; }
    [[nodiscard]] QLabel& headline() { return *m_headline; }
    [[nodiscard]] QLabel& subline() { return *m_subline; }
    void addRow(QWidget* row); ///< below the sentences

Q_SIGNALS:
    void backRequested();

private:
    QToolButton* m_back;
    QLabel* m_headline;
    QLabel* m_subline;
    QVBoxLayout* m_sentences;
};

} // namespace kernelarium::ui
