// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Lesson.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kernelarium::ui {

/// Hints, one after the other, and the solution behind a question in place.
class HintPanel : public QWidget {
    Q_OBJECT
public:
    explicit HintPanel(const Theme& theme, QWidget* parent = nullptr);

    void setStep(const lesson::Step& step, int hintsShown, bool solutionShown);
    void clear(); ///< the step is about to end

    /// Once the step is done, its solution can be read beside the reader's own text.
    void setDone(bool done);

    [[nodiscard]] QPushButton* compareButton() const { return m_compare; }
    [[nodiscard]] QPushButton* hintButton() const { return m_hint; }
    [[nodiscard]] QPushButton* solutionButton() const { return m_solution; }
    [[nodiscard]] QPushButton* confirmButton() const { return m_confirm; }
    [[nodiscard]] int hintsShown() const { return m_shown; }

Q_SIGNALS:
    void hintsShownChanged(int shown);
    void solutionConfirmed();
    void comparisonRequested();

private:
    void addHint(const std::string& markdown, int number);
    void addPanel(QWidget* content);
    void refresh();
    void ask(bool asking);
    void showSolution();

    const Theme& m_theme;
    const lesson::Step* m_step = nullptr;
    int m_shown = 0;
    QVBoxLayout* m_hints;
    QPushButton* m_hint;
    QPushButton* m_solution;
    QPushButton* m_compare;
    QWidget* m_question;
    QLabel* m_questionText;
    QPushButton* m_confirm;
    QPushButton* m_decline;
    QLabel* m_answers;
};

} // namespace kernelarium::ui
