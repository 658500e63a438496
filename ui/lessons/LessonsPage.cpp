// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/LessonsPage.h"

#include "core/lesson/Glossary.h"
#include "ui/lessons/ChangesPanel.h"
#include "ui/lessons/ConditionPanel.h"
#include "ui/lessons/CourseMenu.h"
#include "ui/lessons/HintPanel.h"
#include "ui/lessons/LessonTree.h"
#include "ui/lessons/MarkdownView.h"
#include "ui/lessons/StartOver.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>

namespace kernelarium::ui {
namespace {

constexpr int columnWidth = 190 * Theme::unit; ///< longer lines are hard to read

QLabel* label(QWidget* parent, const char* role) {
    auto* made = new QLabel(parent);
    made->setProperty("role", role);
    made->setWordWrap(true);
    made->setTextFormat(Qt::PlainText);
    return made;
}

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("role", "hairline");
    return line;
}

} // namespace

LessonsPage::LessonsPage(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tree(new LessonTree(theme, this)) {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_tree);
    splitter->addWidget(buildReader());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({60 * Theme::unit, 134 * Theme::unit});
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(m_tree, &LessonTree::chosen, this, &LessonsPage::open);
    connect(&m_theme, &Theme::changed, this, [this] {
        styleTitle();
        m_tree->showProgress(m_lessons, m_progress);
        refreshButtons();
    });
    refreshButtons();
}

QWidget* LessonsPage::buildReader() {
    auto* column = new QWidget;
    column->setMaximumWidth(columnWidth);
    m_place = label(column, "muted");
    m_title = label(column, "heading");
    styleTitle();
    m_text = new MarkdownView(m_theme, column);
    m_text->setAccessibleName(tr("Text of the step"));
    m_asked = label(column, "heading");
    m_asked->setText(tr("The step is done when"));
    m_conditions = new ConditionPanel(m_theme, column);
    m_banner = label(column, "ok");
    m_changes = new ChangesPanel(column);
    m_hints = new HintPanel(m_theme, column);
    m_problems = label(column, "warning");
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(6 * Theme::unit, 4 * Theme::unit, 6 * Theme::unit, 6 * Theme::unit);
    layout->setSpacing(3 * Theme::unit);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_place, m_title, m_text, m_asked, m_conditions, m_banner,
                                                           m_changes, m_problems, m_hints})
        layout->addWidget(widget);
    layout->addStretch();

    m_scroll = new QScrollArea;
    m_scroll->setAccessibleName(tr("Step"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(column);
    auto* side = new QWidget(this);
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_scroll, 1);
    rows->addWidget(hairline(side));
    m_startOver = new StartOver(m_theme, side);
    rows->addWidget(m_startOver);
    m_course = new CourseMenu(m_theme, side);
    rows->addWidget(m_course);
    rows->addWidget(buildButtons());
    connect(m_conditions, &ConditionPanel::answered, this,
            [this](const QString& key, double value) { takeAnswer(key, &value); });
    connect(m_conditions, &ConditionPanel::answerCleared, this,
            [this](const QString& key) { takeAnswer(key, nullptr); });
    connect(m_hints, &HintPanel::hintsShownChanged, this, [this](int shown) {
        reached().hintsShown = shown;
        keepProgress();
    });
    connect(m_hints, &HintPanel::comparisonRequested, this,
            [this] { Q_EMIT comparisonRequested(currentLesson(), currentStep()); });
    connect(m_hints, &HintPanel::solutionConfirmed, this, [this] {
        reached().solutionShown = true;
        keepProgress();
        if (step()->hasKernel) Q_EMIT solutionRequested(currentLesson(), currentStep());
    });
    return side;
}

QWidget* LessonsPage::buildButtons() {
    auto* bar = new QWidget(this);
    m_starter = new QPushButton(tr("Open the starter kernel"), bar);
    m_check = new QPushButton(tr("Check"), bar);
    m_stage = label(bar, "muted");
    m_stage->setWordWrap(false);
    m_bar = new QProgressBar(bar);
    m_bar->setRange(0, 0);
    m_bar->setFixedWidth(20 * Theme::unit);
    m_bar->setTextVisible(false);
    m_bar->hide();
    m_previous = new QPushButton(tr("Back"), bar);
    m_next = new QPushButton(bar);
    // Two rows: the page stands beside the editor and has to be narrow.
    auto* work = new QHBoxLayout;
    work->setSpacing(2 * Theme::unit);
    work->addWidget(m_starter);
    work->addWidget(m_check);
    work->addStretch(1);
    work->addWidget(m_bar);
    auto* steps = new QHBoxLayout;
    steps->setSpacing(2 * Theme::unit);
    m_stage->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    steps->addWidget(m_startOver->button());
    steps->addWidget(m_course->button());
    steps->addWidget(m_stage, 1);
    steps->addWidget(m_previous);
    steps->addWidget(m_next);
    auto* layout = new QVBoxLayout(bar);
    layout->setContentsMargins(4 * Theme::unit, 2 * Theme::unit, 4 * Theme::unit, 2 * Theme::unit);
    layout->setSpacing(2 * Theme::unit);
    layout->addLayout(work);
    layout->addLayout(steps);
    connect(m_starter, &QPushButton::clicked, this,
            [this] { Q_EMIT starterRequested(currentLesson(), currentStep()); });
    connect(m_check, &QPushButton::clicked, this, [this] {
        setProblem({});
        m_conditions->takeAnswers(); // a shortcut leaves the focus in the field
        if (step()->hasKernel)
            Q_EMIT checkRequested(currentLesson(), currentStep());
        else
            evaluateStep();
    });
    connect(m_previous, &QPushButton::clicked, this, [this] { open(m_lesson, m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, &LessonsPage::advance);
    connect(m_startOver, &StartOver::textRequested, this,
            [this] { Q_EMIT startOverRequested(currentLesson(), currentStep()); });
    connect(m_startOver, &StartOver::lessonConfirmed, this, &LessonsPage::startLessonOver);
    connect(m_startOver, &StartOver::allConfirmed, this, &LessonsPage::startAllOver);
    return bar;
}

void LessonsPage::setLessons(std::vector<lesson::Lesson> lessons, const QStringList& problems) {
    const QString lesson = currentLesson();
    const QString step = currentStep();
    m_lesson = m_step = -1;
    m_hints->clear();
    m_starters.clear();
    m_lessons = std::move(lessons);
    m_tree->setLessons(m_lessons);
    m_tree->showProgress(m_lessons, m_progress);
    if (lesson.isEmpty() || !show(lesson, step)) open(m_lessons.empty() ? -1 : 0, -1);
    setProblem(problems.join(QLatin1Char('\n')));
}

const lesson::Step* LessonsPage::step() const {
    if (m_lesson < 0 || m_step < 0) return nullptr;
    return &m_lessons[std::size_t(m_lesson)].steps[std::size_t(m_step)];
}

QString LessonsPage::currentLesson() const {
    return m_lesson < 0 ? QString() : QString::fromStdString(m_lessons[std::size_t(m_lesson)].id);
}

QString LessonsPage::currentStep() const {
    return step() == nullptr ? QString() : QString::fromStdString(step()->id);
}

const lesson::Step* LessonsPage::find(const QString& lesson, const QString& step) const {
    for (const auto& candidate : m_lessons)
        if (candidate.id == lesson.toStdString())
            for (const auto& each : candidate.steps)
                if (each.id == step.toStdString()) return &each;
    return nullptr;
}

bool LessonsPage::show(const QString& lesson, const QString& step) {
    for (std::size_t l = 0; l < m_lessons.size(); ++l) {
        if (m_lessons[l].id != lesson.toStdString()) continue;
        if (step.isEmpty()) {
            open(int(l), -1);
            return true;
        }
        for (std::size_t s = 0; s < m_lessons[l].steps.size(); ++s)
            if (m_lessons[l].steps[s].id == step.toStdString()) {
                open(int(l), int(s));
                return true;
            }
    }
    return false;
}

void LessonsPage::open(int lesson, int step) {
    const bool moved = lesson != m_lesson || step != m_step;
    m_lesson = lesson;
    m_step = step;
    const bool atStep = step >= 0;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_asked, m_conditions, m_hints, m_starter, m_check})
        widget->setVisible(atStep);
    m_banner->hide();
    m_changes->hide();
    setProblem({});
    if (lesson < 0) {
        m_title->setText(tr("No lesson could be read"));
        m_text->setText(tr("Lessons are part of the program; this one was built without them."));
    } else if (atStep) {
        showStep(m_lessons[std::size_t(lesson)].steps[std::size_t(step)]);
    } else {
        showIntroduction(m_lessons[std::size_t(lesson)]);
    }
    m_tree->select(lesson, step); // now: a step that was locked is open while one is at it
    if (moved) {
        m_scroll->verticalScrollBar()->setValue(0);
        // Not on the button that leads on: the next Return must not skip what has just come up.
        if (m_next->hasFocus() || m_previous->hasFocus()) m_scroll->setFocus(Qt::OtherFocusReason);
    }
    refreshButtons();
}

void LessonsPage::showIntroduction(const lesson::Lesson& lesson) {
    m_place->setText(tr("About %1 minutes · %2 · %3 steps")
                         .arg(lesson.minutes)
                         .arg(QString::fromStdString(lesson.difficulty))
                         .arg(lesson.steps.size()));
    m_title->setText(QString::fromStdString(lesson.title));
    QString text = QString::fromStdString(lesson.introduction) + tr("\n\n**You learn**\n\n");
    for (const auto& thing : lesson.learn)
        text += QStringLiteral("- ") + QString::fromStdString(thing) + QLatin1Char('\n');
    if (const auto words = lesson::presupposed(lesson, lesson::glossary()); !words.empty()) {
        text += tr("\n\n**Words that it uses**\n\n");
        for (const auto& word : words)
            text += QStringLiteral("- **%1**: %2\n")
                        .arg(QString::fromStdString(word.name), QString::fromStdString(word.meaning));
    }
    m_text->setText(text);
}

void LessonsPage::showStep(const lesson::Step& step) {
    const auto& lesson = m_lessons[std::size_t(m_lesson)];
    m_place->setText(
        tr("%1 · step %2 of %3").arg(QString::fromStdString(lesson.title)).arg(m_step + 1).arg(lesson.steps.size()));
    m_title->setText(QString::fromStdString(step.title));
    m_text->setText(QString::fromStdString(step.text));
    const auto& known = reached();
    m_conditions->setStep(step, known.answers);
    m_hints->setStep(step, known.hintsShown, known.solutionShown);
    auto& place = m_progress.lessons[lesson.id].currentStep;
    if (place != step.id) {
        place = step.id;
        keepProgress();
    }
    evaluateStep();
}

void LessonsPage::styleTitle() {
    QFont large = m_theme.headingFont();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_title->setFont(large);
}

void LessonsPage::advance() {
    const auto& lesson = m_lessons[std::size_t(m_lesson)];
    if (const auto* now = step(); now != nullptr && !isDone(*now)) {
        reached().state = lesson::StepProgress::State::skipped;
        keepProgress();
    }
    if (m_step + 1 < int(lesson.steps.size()))
        open(m_lesson, m_step + 1);
    else if (const int next = lessonAfter(); next >= 0)
        open(next, -1);
    else
        refreshButtons();
}

void LessonsPage::setBusy(bool busy, const QString& stage) {
    m_busy = busy;
    m_bar->setVisible(busy);
    m_stage->setText(busy ? stage : QString());
    refreshButtons();
}

void LessonsPage::setProblem(const QString& sentence) {
    m_problems->setText(sentence);
    m_problems->setVisible(!sentence.isEmpty());
}

void LessonsPage::refreshButtons() {
    const auto* now = step();
    const bool done = now != nullptr && isDone(*now);
    m_starter->setVisible(now != nullptr && now->hasKernel);
    m_starter->setIcon(m_theme.icon(QStringLiteral("open")));
    m_starter->setToolTip(tr("Puts the kernel that this step begins with into the editor"));
    m_check->setEnabled(!m_busy);
    m_check->setToolTip(m_busy ? tr("A check is running; Escape ends it")
                               : tr("Runs what the step asks for on the kernel in the editor"));
    m_previous->setEnabled(m_step >= 0);
    m_previous->setToolTip(m_step >= 0 ? tr("To the step before") : tr("This is the beginning"));
    const bool last = m_lesson >= 0 && m_step + 1 == int(m_lessons[std::size_t(m_lesson)].steps.size());
    const bool atEnd = done && last && lessonAfter() < 0;
    m_next->setEnabled(m_lesson >= 0 && !atEnd);
    m_next->setText(m_step < 0                      ? tr("Begin")
                    : !done                         ? tr("Skip this step")
                    : !last                         ? tr("Next step")
                    : atEnd                         ? tr("All lessons are done")
                    : lessonAfter() == m_lesson + 1 ? tr("Next lesson")
                                                    : tr("To the unfinished lesson"));
    m_next->setToolTip(atEnd                ? tr("Choose one in the list, or start over")
                       : m_step < 0 || done ? tr("Goes on")
                                            : tr("Continues although the conditions are not met"));
    m_next->setDefault(m_step < 0 || done);
    const bool begun = m_lesson >= 0 && m_progress.lessons.contains(m_lessons[std::size_t(m_lesson)].id);
    m_startOver->offer(now != nullptr && now->hasKernel && !m_busy, begun, !m_progress.lessons.empty());
    m_check->setDefault(now != nullptr && !done);
    const Palette& colours = m_theme.colours();
    const bool onAccent = m_check->isDefault() && !m_busy;
    m_check->setIcon(m_theme.icon(QStringLiteral("verify"), onAccent ? colours.accentText : colours.text));
}

} // namespace kernelarium::ui
