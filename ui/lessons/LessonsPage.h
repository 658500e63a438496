// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Evaluation.h"
#include "core/lesson/Progress.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;

namespace kernelarium::ui {

class ChangesPanel;
class ConditionPanel;
class CourseMenu;
class HintPanel;
class LessonTree;
class MarkdownView;
class StartOver;

/// Lessons to read and to work through: the list with the reader's progress, the text of a step, what it asks
/// for, hints and solution. It opens, compiles and runs nothing itself: it asks for that and is given the
/// evidence.
class LessonsPage : public QWidget {
    Q_OBJECT
public:
    explicit LessonsPage(Theme& theme, QWidget* parent = nullptr);

    /// `problems` are lessons that could not be read, a sentence each.
    void setLessons(std::vector<lesson::Lesson> lessons, const QStringList& problems = {});
    /// Of an earlier start; what cannot be read is ignored.
    void setProgress(const QByteArray& json);
    [[nodiscard]] QByteArray progress() const;

    /// Shows a step; an empty step shows the lesson's introduction. False when there is no such step.
    bool show(const QString& lesson, const QString& step);
    [[nodiscard]] QString currentLesson() const;
    [[nodiscard]] QString currentStep() const; ///< empty: the introduction
    [[nodiscard]] const lesson::Step* find(const QString& lesson, const QString& step) const;
    [[nodiscard]] const std::vector<lesson::Lesson>& lessons() const { return m_lessons; }
    [[nodiscard]] const lesson::Progress& reachedSoFar() const { return m_progress; }
    /// Whether all that the step asks for holds now, and not only at some time before.
    [[nodiscard]] bool holds(const QString& lesson, const QString& step) const;

    // For tests and shortcuts.
    [[nodiscard]] LessonTree* tree() const { return m_tree; }
    [[nodiscard]] ConditionPanel* conditions() const { return m_conditions; }
    [[nodiscard]] HintPanel* hints() const { return m_hints; }
    [[nodiscard]] QPushButton* starterButton() const { return m_starter; }
    [[nodiscard]] QPushButton* checkButton() const { return m_check; }
    [[nodiscard]] QPushButton* previousButton() const { return m_previous; }
    [[nodiscard]] QPushButton* nextButton() const { return m_next; }
    [[nodiscard]] StartOver* startOver() const { return m_startOver; }
    [[nodiscard]] CourseMenu* course() const { return m_course; }
    [[nodiscard]] ChangesPanel* changes() const { return m_changes; }

public Q_SLOTS:
    /// What is known of the kernel on the bench, for that step. Answers are the page's own. A step whose
    /// conditions are all met is done and stays so.
    void setEvidence(const QString& lesson, const QString& step, const lesson::StepEvidence& evidence);
    /// What is known of the step's starter: what the reader changed is told beside it.
    void setStarter(const QString& lesson, const QString& step, const lesson::StepEvidence& evidence);
    /// While busy, nothing can be checked; `stage` says what is going on: "Verifying, 3 of 9 checks".
    void setBusy(bool busy, const QString& stage = {});
    /// A sentence on what kept the check from its end; empty takes it away.
    void setProblem(const QString& sentence);

Q_SIGNALS:
    void starterRequested(const QString& lesson, const QString& step);
    void checkRequested(const QString& lesson, const QString& step);
    void solutionRequested(const QString& lesson, const QString& step);
    void startOverRequested(const QString& lesson, const QString& step);  ///< the starter in place of the text
    void comparisonRequested(const QString& lesson, const QString& step); ///< of the text with our solution
    void progressChanged(const QByteArray& json);

private:
    QWidget* buildReader();
    QWidget* buildButtons();
    void open(int lesson, int step);
    void showIntroduction(const lesson::Lesson& lesson);
    void showStep(const lesson::Step& step);
    void evaluateStep();
    void noteMet(lesson::StepProgress& step);
    void styleTitle();
    void advance();
    /// Where it goes on after the last step: the lesson that follows, else the first that is not complete; -1: none is.
    [[nodiscard]] int lessonAfter() const;
    void startLessonOver();
    void startAllOver();
    void takeAnswer(const QString& key, const double* value);
    void refreshButtons();
    void keepProgress();
    [[nodiscard]] const lesson::Step* step() const;
    [[nodiscard]] lesson::StepProgress& reached();
    [[nodiscard]] bool isDone(const lesson::Step& step) const;

    Theme& m_theme;
    std::vector<lesson::Lesson> m_lessons;
    lesson::Progress m_progress;
    std::map<std::string, lesson::StepEvidence> m_evidence; ///< of this sitting, by "lesson/step"
    std::map<std::string, lesson::StepEvidence> m_starters; ///< likewise
    int m_lesson = -1;
    int m_step = -1; ///< -1: the introduction
    bool m_busy = false;

    LessonTree* m_tree;
    QScrollArea* m_scroll;
    QLabel* m_title;
    QLabel* m_place;
    MarkdownView* m_text;
    QLabel* m_asked;
    ConditionPanel* m_conditions;
    QLabel* m_banner;
    ChangesPanel* m_changes;
    HintPanel* m_hints;
    QLabel* m_problems;
    QPushButton* m_starter;
    QPushButton* m_check;
    QLabel* m_stage;
    QProgressBar* m_bar;
    QPushButton* m_previous;
    QPushButton* m_next;
    StartOver* m_startOver;
    CourseMenu* m_course;
};

} // namespace kernelarium::ui
