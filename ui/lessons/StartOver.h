// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QToolButton;

namespace kernelarium::ui {

/// Ways back in the lessons: to a step's starter, to a lesson's first step, to the very beginning. What cannot be taken
/// back asks in place.
class StartOver : public QWidget {
    Q_OBJECT
public:
    explicit StartOver(Theme& theme, QWidget* parent = nullptr);

    /// `text`: the step has a kernel; `lesson`, `all`: there is progress to be forgotten.
    void offer(bool text, bool lesson, bool all);

    [[nodiscard]] QToolButton* button() const { return m_button; } ///< to stand among the page's buttons
    [[nodiscard]] QAction* textAction() const { return m_text; }
    [[nodiscard]] QAction* lessonAction() const { return m_lesson; }
    [[nodiscard]] QAction* allAction() const { return m_all; }
    [[nodiscard]] QPushButton* confirmButton() const { return m_confirm; }

Q_SIGNALS:
    void textRequested();
    void lessonConfirmed();
    void allConfirmed();

private:
    void ask(bool all);
    void settle();

    QToolButton* m_button;
    QAction* m_text;
    QAction* m_lesson;
    QAction* m_all;
    QLabel* m_question;
    QPushButton* m_confirm;
    QPushButton* m_decline;
    bool m_asksForAll = false;
};

} // namespace kernelarium::ui
