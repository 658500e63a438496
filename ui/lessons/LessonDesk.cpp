// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/LessonDesk.h"

#include "core/files/WorkFile.h"
#include "core/lesson/ClassRecord.h"
#include "core/lesson/LessonLibrary.h"
#include "core/lesson/StepEvidence.h"
#include "core/perf/DeviceSpec.h"
#include "core/quantities/Quantities.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/lessons/CourseMenu.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/Trials.h"

#include <QDateTime>
#include <QDir>
#include <QEvent>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

QString keyOf(const QString& lesson, const QString& step) {
    return QStringLiteral("lesson:%1/%2").arg(lesson, step);
}

/// As many as somebody reads; the command line has them all.
QStringList sentences(const std::vector<lesson::LessonProblem>& problems) {
    constexpr std::size_t most = 8;
    QStringList all;
    for (std::size_t i = 0; i < problems.size() && i < most; ++i)
        all << QString::fromStdString(problems[i].text());
    if (problems.size() > most)
        all << LessonDesk::tr("And %1 more: `kernelarium-cli lesson check FOLDER` says all.")
                   .arg(problems.size() - most);
    return all;
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
    connect(m_page, &LessonsPage::progressChanged, this, [this](const QByteArray& json) {
        if (m_hasProgress) m_with.settings.set(setting::lessons, json); // else it would take the kept one's place
    });
    connect(m_page->course(), &CourseMenu::folderAdded, this, &LessonDesk::addFolder);
    connect(m_page->course(), &CourseMenu::folderRemoved, this, &LessonDesk::removeFolder);
    connect(m_page->course(), &CourseMenu::recordRequested, this, &LessonDesk::writeRecord);
    connect(&around.session, &SessionDesk::ready, this, &LessonDesk::load);
    connect(&around.runner, &RunDesk::verifyChanged, this, &LessonDesk::proceed);
    connect(&around.runner, &RunDesk::profileChanged, this, &LessonDesk::proceed);
    connect(&around.trials, &Trials::busyChanged, this, &LessonDesk::proceed);
    load();
}

LessonDesk::~LessonDesk() = default;

void LessonDesk::load() {
    struct Loaded {
        std::vector<lesson::Lesson> lessons;
        std::vector<lesson::LessonProblem> problems;
        std::string identity;
    };
    const QStringList chosen = m_with.settings.get(setting::lessonFolders);
    m_page->course()->setFolders(chosen);
    m_page->course()->setStudent(m_with.settings.get(setting::student));
    std::vector<std::filesystem::path> folders;
    for (const QString& folder : chosen)
        folders.emplace_back(folder.toStdString());
    ask<Loaded>(
        m_thread, this, "load",
        [folders](const std::stop_token&) -> Result<Loaded> {
            Result<std::vector<lesson::Lesson>> all = lesson::builtInLessons();
            if (!all) return all.error();
            Loaded loaded{std::move(*all), {}, lesson::identityOfFolders(folders)};
            lesson::OwnLessons own = lesson::loadLessonFolders(folders);
            std::move(own.lessons.begin(), own.lessons.end(), std::back_inserter(loaded.lessons));
            loaded.problems = std::move(own.problems);
            return loaded;
        },
        [this](Result<Loaded> loaded) {
            if (!loaded && loaded.error().code == "cancelled") return;
            const QStringList problems =
                loaded ? sentences(loaded->problems) : QStringList(QString::fromStdString(loaded.error().text()));
            m_page->setLessons(loaded ? std::move(loaded->lessons) : std::vector<lesson::Lesson>(), problems);
            if (loaded) m_loaded = loaded->identity;
            if (m_with.session.isReady() && !m_hasProgress) {
                m_hasProgress = true;
                m_page->setProgress(m_with.settings.get(setting::lessons));
                m_page->setProblem(problems.join(QLatin1Char('\n')));
            }
        });
}

void LessonDesk::loadAgain() {
    const QStringList chosen = m_with.settings.get(setting::lessonFolders);
    if (chosen.isEmpty() || !m_step.isEmpty()) return;
    std::vector<std::filesystem::path> folders;
    for (const QString& folder : chosen)
        folders.emplace_back(folder.toStdString());
    ask<std::string>(
        m_thread, this, "look",
        [folders](const std::stop_token&) -> Result<std::string> { return lesson::identityOfFolders(folders); },
        [this](const Result<std::string>& identity) {
            if (identity && *identity != m_loaded) load();
        });
}

void LessonDesk::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    loadAgain();
}

void LessonDesk::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) loadAgain(); // back from an editor, say
}

void LessonDesk::addFolder(const QString& folder) {
    QStringList folders = m_with.settings.get(setting::lessonFolders);
    const QString path = QDir(folder).absolutePath();
    if (!folders.contains(path)) folders << path;
    m_with.settings.set(setting::lessonFolders, folders);
    load();
}

void LessonDesk::removeFolder(const QString& folder) {
    QStringList folders = m_with.settings.get(setting::lessonFolders);
    folders.removeAll(folder);
    m_with.settings.set(setting::lessonFolders, folders);
    load();
}

void LessonDesk::writeRecord(const QString& student, const QString& path) {
    const std::string name = student.toStdString();
    if (const auto named = lesson::checkStudentName(name); !named) {
        m_page->course()->say(QString::fromStdString(named.error().text()), true);
        return;
    }
    m_with.settings.set(setting::student, student);
    const lesson::ClassRecord record =
        lesson::recordOf(name, m_page->reachedSoFar(), m_page->lessons(), QDateTime::currentMSecsSinceEpoch());
    int steps = 0;
    for (const auto& lesson : record.lessons)
        steps += int(lesson.passed.size());
    ask<bool>(
        m_thread, this, "record",
        [file = path.toStdString(), text = lesson::recordText(record)](const std::stop_token&) -> Result<bool> {
            if (const auto kept = files::replaceFile(file, text); !kept) return kept.error();
            return true;
        },
        [this, path, steps, lessons = int(record.lessons.size())](const Result<bool>& kept) {
            m_page->course()->say(kept ? tr("%1 has your name and what you have passed: %2 of %3.")
                                             .arg(QDir::toNativeSeparators(path),
                                                  QString::fromStdString(quantities::counted(steps, "step")),
                                                  QString::fromStdString(quantities::counted(lessons, "lesson")))
                                       : QString::fromStdString(kept.error().text()),
                                  !kept.ok());
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
    const std::vector<lesson::Condition> times = lesson::needsOf(*step).times;
    kernel.device = times.empty() ? QStringLiteral("h200") : QString::fromStdString(times.front().device);
    if (!times.empty()) kernel.modelledSize = QString::fromStdString(times.front().size);
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
    const QString lesson = m_lesson, step = m_step;
    finish({});
    lookAtStarter(lesson, step);
}

/// A step that is passed tells what it changed, so the starter is counted as well: once, and behind the reader's own.
void LessonDesk::lookAtStarter(const QString& lesson, const QString& stepId) {
    const lesson::Step* step = m_page->find(lesson, stepId);
    if (!step || !m_page->holds(lesson, stepId)) return;
    const lesson::Needs needs = lesson::needsOf(*step);
    if (!needs.counters && needs.times.empty()) return; // verdicts tell it all
    const QString text = QString::fromStdString(step->kernel.starter);
    if (const auto known = m_starters.find(text); known != m_starters.end()) {
        m_page->setStarter(lesson, stepId, known->second);
        return;
    }
    m_with.trials.modelOther(text, [this, lesson, stepId, text, size = onlySize()](const ProfilePointer& profile) {
        if (profile->end != "finished") return;
        m_starters[text] = counted(*profile, size);
        m_page->setStarter(lesson, stepId, m_starters[text]);
    });
}

/// Arguments of a step's own have one size, whatever it is called; empty where the task has sizes.
std::string LessonDesk::onlySize() const {
    const Kernel& kernel = m_with.bench.kernel();
    return kernel.arguments.isEmpty() ? std::string() : kernel.modelledSize.toStdString();
}

lesson::StepEvidence LessonDesk::counted(const KeptProfile& profile, const std::string& onlySize) {
    lesson::StepEvidence evidence;
    evidence.counters = lesson::countersOf(profile.counters);
    evidence.figures = lesson::figuresOf(profile.counters, profile.time);
    lesson::StepEvidence::Time time = lesson::timeOf(profile.time, onlySize.empty() ? profile.size : onlySize);
    if (const perf::DeviceSpec* spec = perf::findDeviceSpec(time.device)) time.device = spec->name;
    evidence.times.push_back(std::move(time));
    return evidence;
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
    lesson::StepEvidence seen = counted(*profile.answer, onlySize());
    evidence.counters = std::move(seen.counters);
    evidence.figures = std::move(seen.figures);
    evidence.times = std::move(seen.times);
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
