// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/LessonDesk.h"

#include "core/lesson/LessonLibrary.h"
#include "core/lesson/StepEvidence.h"
#include "core/perf/DeviceSpec.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/Trials.h"

#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

QString keyOf(const QString& lesson, const QString& step) {
    return QStringLiteral("lesson:%1/%2").arg(lesson, step);
}

} // namespace

LessonDesk::LessonDesk(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_page(new LessonsPage(theme)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);
    connect(m_page, &LessonsPage::starterRequested, this,
            [this](const QString& lesson, const QString& step) { openKernel(lesson, step, Text::kept); });
    connect(m_page, &LessonsPage::solutionRequested, this,
            [this](const QString& lesson, const QString& step) { openKernel(lesson, step, Text::solution); });
    connect(m_page, &LessonsPage::startOverRequested, this,
            [this](const QString& lesson, const QString& step) { openKernel(lesson, step, Text::starter); });
    connect(m_page, &LessonsPage::comparisonRequested, this, &LessonDesk::compare);
    connect(m_page, &LessonsPage::checkRequested, this, &LessonDesk::check);
    connect(m_page, &LessonsPage::progressChanged, this,
            [this](const QByteArray& json) { m_with.settings.set(setting::lessons, json); });
    connect(&around.session, &SessionDesk::ready, this,
            [this] { m_page->setProgress(m_with.settings.get(setting::lessons)); });
    connect(&around.runner, &RunDesk::verifyChanged, this, &LessonDesk::proceed);
    connect(&around.runner, &RunDesk::profileChanged, this, &LessonDesk::proceed);
    connect(&around.trials, &Trials::busyChanged, this, &LessonDesk::proceed);
    load();
}

LessonDesk::~LessonDesk() = default;

void LessonDesk::load() {
    using Lessons = std::vector<lesson::Lesson>;
    ask<Lessons>(
        m_thread, this, "load", [](const std::stop_token&) { return lesson::builtInLessons(); },
        [this](Result<Lessons> lessons) {
            if (lessons)
                m_page->setLessons(std::move(*lessons));
            else if (lessons.error().code != "cancelled")
                m_page->setLessons({}, {QString::fromStdString(lessons.error().text())});
            if (m_with.session.isReady()) m_page->setProgress(m_with.settings.get(setting::lessons));
        });
}

void LessonDesk::openKernel(const QString& lesson, const QString& stepId, Text text) {
    const lesson::Step* step = m_page->find(lesson, stepId);
    if (!step || !step->hasKernel) return;
    Kernel kernel;
    kernel.origin = Kernel::Origin::lesson;
    kernel.key = keyOf(lesson, stepId);
    kernel.title = QString::fromStdString(step->kernel.starterName);
    kernel.original = QString::fromStdString(step->kernel.starter);
    if (step->kernel.task > 0) kernel.task = task::TaskKey{step->kernel.level, step->kernel.task};
    for (const auto& argument : step->kernel.arguments)
        kernel.arguments << QString::fromStdString(argument);
    kernel.referenceText = QString::fromStdString(step->kernel.reference);
    if (!kernel.referenceText.isEmpty()) kernel.referenceName = tr("the lesson's reference");
    if (m_with.bench.kernel().key != kernel.key) m_with.bench.openText(kernel);
    m_page->setProblem({});
    if (text == Text::solution)
        m_with.bench.replaceSource(QString::fromStdString(step->kernel.solution));
    else if (text == Text::starter)
        m_with.bench.revertToOriginal();
    else if (m_with.bench.isEdited())
        m_page->setProblem(tr("Your text is in the editor as you left it. Start over, This step's text, puts the "
                              "starter's there."));
}

void LessonDesk::compare(const QString& lesson, const QString& stepId) {
    const lesson::Step* step = m_page->find(lesson, stepId);
    if (!step || !step->hasKernel) return;
    if (m_with.bench.kernel().key != keyOf(lesson, stepId)) openKernel(lesson, stepId, Text::kept);
    Q_EMIT comparisonRequested(QString::fromStdString(step->kernel.solution),
                               {keyOf(lesson, stepId) + QStringLiteral("/solution"), tr("our solution"), 0});
}

void LessonDesk::check(const QString& lesson, const QString& stepId) {
    const lesson::Step* step = m_page->find(lesson, stepId);
    if (!step) return;
    m_lesson = lesson;
    m_step = stepId;
    m_page->setProblem({});
    if (!step->hasKernel) { // questions only: the page has the answers
        m_page->setEvidence(lesson, stepId, {});
        finish({});
        return;
    }
    if (m_with.bench.kernel().key != keyOf(lesson, stepId)) {
        finish(tr("Another kernel is on the bench: open this step's kernel first."));
        return;
    }
    const lesson::Needs needs = lesson::needsOf(*step);
    const VerifyState& verify = m_with.runner.verifyState();
    const ProfileState& profile = m_with.runner.profileState();
    m_generation = m_with.bench.generation();
    m_verifying = needs.verdict && !(verify.stage == Stage::finished && verify.generation == m_generation);
    m_timing = (needs.counters || !needs.times.empty()) &&
               !(profile.stage == Stage::finished && profile.generation == m_generation);
    m_page->setBusy(true, tr("Checking…"));
    if (m_verifying)
        m_with.trials.verify();
    else if (m_timing)
        m_with.trials.model();
    else
        proceed();
}

void LessonDesk::proceed() {
    if (m_step.isEmpty()) return;
    if (m_with.bench.generation() != m_generation) {
        finish(tr("The text was changed while it was being checked: check again."));
        return;
    }
    if (m_with.trials.isBusy()) {
        const QString step = m_verifying ? m_with.runner.verifyState().step : m_with.runner.profileState().step;
        m_page->setBusy(true, m_verifying ? tr("Verifying %1").arg(step) : tr("Counting %1").arg(step));
        return;
    }
    const Stage stage = m_verifying ? m_with.runner.verifyState().stage
                        : m_timing  ? m_with.runner.profileState().stage
                                    : Stage::finished;
    if (stage == Stage::failed || stage == Stage::cancelled || stage == Stage::idle) {
        const Error& error = m_verifying ? m_with.runner.verifyState().error : m_with.runner.profileState().error;
        m_page->setEvidence(m_lesson, m_step, evidence());
        finish(stage == Stage::failed ? QString::fromStdString(error.text()) : tr("The check was cancelled."));
        return;
    }
    if (m_verifying) {
        m_verifying = false;
        const auto& verdict = m_with.runner.verifyState().answer;
        // What does not compile or run cannot be counted: the verdict says what is the matter.
        const bool counts =
            verdict && (verdict->kind == verify::VerdictKind::verified || verdict->kind == verify::VerdictKind::wrong);
        if (m_timing && counts) {
            m_with.trials.model();
            return;
        }
        m_timing = false;
    }
    m_page->setEvidence(m_lesson, m_step, evidence());
    finish({});
}

lesson::StepEvidence LessonDesk::evidence() const {
    lesson::StepEvidence evidence;
    evidence.source = m_with.bench.source().toStdString();
    const VerifyState& verify = m_with.runner.verifyState();
    if (verify.answer && verify.generation == m_with.bench.generation()) {
        evidence.verdict = verify::name(verify.answer->kind);
        evidence.reasons = verify.answer->reasons;
        evidence.remarks = verify.answer->remarks;
        evidence.message = verify.answer->message;
    }
    const ProfileState& profile = m_with.runner.profileState();
    if (profile.stage != Stage::finished || profile.generation != m_with.bench.generation() || !profile.answer)
        return evidence;
    evidence.counters = lesson::countersOf(profile.answer->counters);
    evidence.figures = lesson::figuresOf(profile.answer->counters, profile.answer->time);
    lesson::StepEvidence::Time time;
    time.modelled = true;
    time.milliseconds = profile.answer->time.seconds * 1e3;
    const perf::DeviceSpec* spec = perf::findDeviceSpec(profile.answer->time.device);
    time.device = spec ? spec->name : profile.answer->time.device;
    time.size = profile.answer->size;
    evidence.times.push_back(time);
    return evidence;
}

void LessonDesk::finish(const QString& problem) {
    m_lesson.clear();
    m_step.clear();
    m_verifying = m_timing = false;
    m_page->setBusy(false);
    m_page->setProblem(problem);
}

} // namespace kernelarium::ui
