// SPDX-License-Identifier: GPL-3.0-or-later
// How far the reader has come, and what is known of their kernels.
#include "ui/lessons/ChangesPanel.h"
#include "ui/lessons/ConditionPanel.h"
#include "ui/lessons/HintPanel.h"
#include "ui/lessons/LessonTree.h"
#include "ui/lessons/LessonsPage.h"

#include <QDateTime>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>

namespace kernelarium::ui {

namespace {
using State = lesson::StepProgress::State;
}

void LessonsPage::setProgress(const QByteArray& json) {
    if (auto read = lesson::progressFromText(json.toStdString())) m_progress = std::move(*read);
    m_tree->showProgress(m_lessons, m_progress);
    if (m_lesson < 0) return;
    // The reader comes back to where they were.
    for (const auto& lesson : m_lessons) {
        const auto known = m_progress.lessons.find(lesson.id);
        const bool begun = known != m_progress.lessons.end() && !known->second.currentStep.empty();
        if (begun && lesson::stepsMet(lesson, known->second) < lesson.steps.size() &&
            show(QString::fromStdString(lesson.id), QString::fromStdString(known->second.currentStep)))
            return;
    }
    open(m_lesson, m_step);
}

QByteArray LessonsPage::progress() const {
    return QByteArray::fromStdString(lesson::progressText(m_progress));
}

void LessonsPage::keepProgress() {
    m_tree->showProgress(m_lessons, m_progress);
    Q_EMIT progressChanged(progress());
}

lesson::StepProgress& LessonsPage::reached() {
    return m_progress.lessons[m_lessons[std::size_t(m_lesson)].id].steps[step()->id];
}

bool LessonsPage::isDone(const lesson::Step& step) const {
    const auto known = m_progress.lessons.find(m_lessons[std::size_t(m_lesson)].id);
    if (known == m_progress.lessons.end()) return false;
    const auto found = known->second.steps.find(step.id);
    return found != known->second.steps.end() && found->second.state == State::met;
}

void LessonsPage::setEvidence(const QString& lesson, const QString& step, const lesson::StepEvidence& evidence) {
    m_evidence[(lesson + QLatin1Char('/') + step).toStdString()] = evidence;
    if (lesson != currentLesson() || step != currentStep()) return;
    evaluateStep();
    // What came out is what the reader waits for; the layout has to take it in first.
    QTimer::singleShot(0, this, [this] { m_scroll->ensureWidgetVisible(m_hints, 0, 2 * Theme::unit); });
}

void LessonsPage::setStarter(const QString& lesson, const QString& step, const lesson::StepEvidence& evidence) {
    m_starters[(lesson + QLatin1Char('/') + step).toStdString()] = evidence;
    if (lesson == currentLesson() && step == currentStep()) evaluateStep();
}

bool LessonsPage::holds(const QString& lesson, const QString& step) const {
    const lesson::Step* asked = find(lesson, step);
    const auto known = m_evidence.find((lesson + QLatin1Char('/') + step).toStdString());
    if (!asked || known == m_evidence.end()) return false;
    lesson::StepEvidence evidence = known->second;
    const auto in = m_progress.lessons.find(lesson.toStdString());
    if (in != m_progress.lessons.end())
        if (const auto reached = in->second.steps.find(asked->id); reached != in->second.steps.end())
            evidence.answers = reached->second.answers;
    return lesson::allMet(lesson::evaluate(*asked, evidence));
}

/// A step of a lesson that has changed since is done anew.
void LessonsPage::noteMet(lesson::StepProgress& step) {
    const std::string& version = m_lessons[std::size_t(m_lesson)].version;
    if (step.state == State::met && step.metVersion == version) return;
    step.state = State::met;
    step.metAtMs = QDateTime::currentMSecsSinceEpoch();
    step.metVersion = version;
    keepProgress();
}

void LessonsPage::evaluateStep() {
    const auto* now = step();
    if (now == nullptr) return;
    auto& known = reached();
    const std::string key = m_lessons[std::size_t(m_lesson)].id + "/" + now->id;
    auto evidence = m_evidence[key];
    evidence.answers = known.answers;
    const auto results = lesson::evaluate(*now, evidence);
    m_conditions->showResults(results);
    const bool holdsNow = lesson::allMet(results);
    if (holdsNow) noteMet(known);
    m_changes->setChanges(holdsNow ? lesson::changesOf(*now, m_starters[key], evidence, lesson::recordedFor(*now))
                                   : std::vector<lesson::Change>());
    const auto& lesson = m_lessons[std::size_t(m_lesson)];
    const bool allDone = lesson::stepsMet(lesson, m_progress.lessons[lesson.id]) == lesson.steps.size();
    m_hints->setDone(known.state == State::met);
    m_banner->setVisible(known.state == State::met);
    m_banner->setText(allDone    ? tr("✓ Done. The lesson is complete.")
                      : holdsNow ? tr("✓ Done. The next step is open.")
                                 : tr("✓ Done before. Check tests your current text."));
    refreshButtons();
}

void LessonsPage::takeAnswer(const QString& key, const double* value) {
    auto& answers = reached().answers;
    const auto known = answers.find(key.toStdString());
    if (value == nullptr && known == answers.end()) return;
    if (value != nullptr && known != answers.end() && known->second == *value) return;
    if (value != nullptr)
        answers[key.toStdString()] = *value;
    else
        answers.erase(known);
    evaluateStep();
    keepProgress();
}

int LessonsPage::lessonAfter() const {
    if (m_lesson + 1 < int(m_lessons.size())) return m_lesson + 1;
    for (std::size_t i = 0; i < m_lessons.size(); ++i) {
        const auto known = m_progress.lessons.find(m_lessons[i].id);
        if (known == m_progress.lessons.end() ||
            lesson::stepsMet(m_lessons[i], known->second) < m_lessons[i].steps.size())
            return int(i);
    }
    return -1;
}

void LessonsPage::startLessonOver() {
    const std::string id = currentLesson().toStdString();
    m_progress.lessons.erase(id);
    std::erase_if(m_evidence, [&](const auto& each) { return each.first.starts_with(id + "/"); });
    keepProgress();
    open(m_lesson, -1);
}

void LessonsPage::startAllOver() {
    m_progress = {};
    m_evidence.clear();
    m_starters.clear();
    keepProgress();
    open(m_lessons.empty() ? -1 : 0, -1);
}

} // namespace kernelarium::ui
