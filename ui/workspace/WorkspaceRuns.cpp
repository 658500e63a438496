// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace's work: from the text through the children to an attempt.
#include "core/verify/VerdictJson.h"
#include "ui/workspace/ProfileFacts.h"
#include "ui/workspace/Workspace.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

void Workspace::verify() {
    want(Wanted::verify);
}

void Workspace::run() {
    want(Wanted::run);
}

void Workspace::model() {
    want(Wanted::model);
}

void Workspace::stepThrough(const StepTarget& target) {
    m_stepTarget = target;
    want(Wanted::step);
}

void Workspace::setStepLine(int line) {
    if (line == m_stepLine) return;
    m_stepLine = line;
    Q_EMIT stepLineChanged(line);
}

void Workspace::want(Wanted wanted) {
    if (m_kernel.isEmpty()) return;
    m_wanted = wanted;
    m_compiler.compileNow();
    continueWanted();
    Q_EMIT busyChanged();
}

void Workspace::continueWanted() {
    if (m_wanted == Wanted::nothing || !m_compiler.isSettled()) return;
    const CompileState& state = m_compiler.state();
    if (state.stage != Stage::finished) {
        m_wanted = Wanted::nothing;
        if (state.stage == Stage::failed) post(QString::fromStdString(state.error.text()), true);
        Q_EMIT busyChanged();
        return;
    }
    if (!state.unit->ok || !needsReference() || (m_reference && m_referenceOf == m_kernel.referenceText)) {
        startWanted(*state.unit);
        return;
    }
    m_compiler.compileOther(m_kernel.referenceText, m_target, [this, text = m_kernel.referenceText](auto unit) {
        if (m_wanted == Wanted::nothing || text != m_kernel.referenceText) return;
        if (!unit || !(*unit)->ok) {
            m_wanted = Wanted::nothing;
            post(unit ? tr("The reference %1 does not compile; choose another one.").arg(m_kernel.referenceName)
                      : QString::fromStdString(unit.error().text()),
                 true);
            Q_EMIT busyChanged();
            return;
        }
        m_reference = *unit;
        m_referenceOf = text;
        continueWanted();
    });
}

RunJob Workspace::jobFor(std::shared_ptr<const compile::CompiledUnit> unit) const {
    RunJob job;
    job.generation = m_generation;
    job.unit = std::move(unit);
    job.card = m_card;
    job.arguments = m_kernel.arguments;
    if (!m_kernel.referenceText.isEmpty()) {
        job.reference = m_reference;
        job.referenceName = m_kernel.referenceName;
    }
    job.target = m_target;
    if (m_kernel.origin == Kernel::Origin::lesson) job.target.gpu.clear(); // lessons are about what the emulator sees
    if (job.target.onGpu()) job.size = job.target.size;
    if (m_kernel.row && !isEdited()) job.claimedMilliseconds = m_kernel.row->runtime;
    return job;
}

void Workspace::startWanted(const compile::CompiledUnit& unit) {
    const Wanted wanted = std::exchange(m_wanted, Wanted::nothing);
    const RunJob job = jobFor(m_compiler.state().unit);
    if (wanted == Wanted::step && unit.ok) { // no attempt
        m_stepper.record(job, m_stepTarget);
        Q_EMIT busyChanged();
        return;
    }
    m_tried = attemptNow();
    m_triedGeneration = m_generation;
    m_triedArchived.reset();
    if (m_kernel.origin == Kernel::Origin::archived && m_kernel.row && !isEdited()) {
        const archive::KernelSummary& row = *m_kernel.row;
        m_triedArchived = audit::VerdictKey{int(row.level), int(row.task), row.name, row.codeHash};
        m_triedVersions = versionsNow();
    }
    if (wanted == Wanted::verify) {
        if (!unit.ok)
            m_runner.verifyRefused(job);
        else
            m_runner.verify(job);
    } else if (wanted != Wanted::nothing) {
        if (!unit.ok)
            post(tr("It does not compile: see Diagnostics."), true);
        else if (wanted == Wanted::run)
            m_runner.run(job);
        else if (wanted == Wanted::time && job.target.onGpu())
            startTime(job);
        else
            startModel(job);
    }
    Q_EMIT busyChanged();
}

void Workspace::measure() {
    if (m_kernel.isEmpty() || m_ncu.isBusy()) return;
    if (!m_card && m_kernel.arguments.isEmpty()) {
        post(tr("Say first what the kernel is called with: Task and reference (Ctrl+T)."), true);
        return;
    }
    m_ncu.measure(jobFor(nullptr), m_source);
}

void Workspace::cancel() {
    m_wanted = Wanted::nothing;
    forgetTime();
    m_compiler.cancel();
    m_devices.cancel();
    m_runner.cancel();
    m_cards.cancel();
    m_tidy.cancel();
    m_ncu.cancel();
    Q_EMIT busyChanged();
}

void Workspace::tellEnd(Stage stage, const Error& error, const QString& cancelled) {
    if (stage == Stage::failed) post(QString::fromStdString(error.text()), true);
    if (stage == Stage::cancelled) post(cancelled);
}

QString Workspace::verifyObstacle() const {
    if (m_kernel.isEmpty()) return tr("choose a kernel first");
    if (m_card || !m_kernel.arguments.isEmpty()) return {};
    return exportObstacle().isEmpty() ? tr("its task has no card yet: Kernel, Export a task card")
                                      : tr("say what to compare it with: Task and reference (Ctrl+T)");
}

bool Workspace::isBusy() const {
    const bool running = m_runner.isBusy() || m_timer.isBusy() || m_stepper.isBusy() || m_ncu.isBusy();
    return m_wanted != Wanted::nothing || m_timeAfterVerdict || m_raced || running || m_devices.isBusy() ||
           m_cards.isExporting() || m_compiler.isDisassembling();
}

session::Attempt Workspace::attemptNow() const {
    session::Attempt attempt;
    attempt.session = m_session.current();
    attempt.parent = m_lastAttempt;
    attempt.kernelKey = m_kernel.key.toStdString();
    attempt.kernelTitle = m_kernel.title.toStdString();
    if (m_kernel.task) {
        attempt.level = m_kernel.task->level;
        attempt.task = m_kernel.task->task;
    }
    attempt.createdMs = QDateTime::currentMSecsSinceEpoch();
    attempt.source = m_source.toStdString();
    QJsonObject options;
    options[QStringLiteral("arch")] = m_target.arch;
    options[QStringLiteral("fast_math")] = m_target.fastMath;
    attempt.optionsJson = QJsonDocument(options).toJson(QJsonDocument::Compact).toStdString();
    return attempt;
}

void Workspace::keep(session::Attempt attempt) {
    m_session.add(std::move(attempt), [this, key = m_kernel.key](Result<std::int64_t> id) {
        if (!id) {
            post(QString::fromStdString(id.error().text()), true);
            return;
        }
        if (key == m_kernel.key) m_lastAttempt = *id;
        Q_EMIT attemptAdded(*id);
    });
}

void Workspace::keepVerdict(const std::shared_ptr<const verify::Verdict>& verdict, quint64 generation) {
    if (generation != m_triedGeneration) return;
    session::Attempt attempt = m_tried;
    attempt.verdict = verify::name(verdict->kind);
    attempt.verdictJson = verify::toJson(*verdict).dump();
    keep(std::move(attempt));
    if (!m_triedArchived) return;
    const audit::Settings settings{verdict->size, verdict->seed, verdict->fastMath,
                                   std::chrono::duration<double>(RunDesk::runLimit).count()};
    audit::JudgedKernel judged = audit::judged(*m_triedArchived, *verdict, settings, m_triedVersions);
    for (const char* stage : {"compile", "total"}) // which includes the others
        if (const auto found = verdict->seconds.find(stage); found != verdict->seconds.end())
            judged.verdict.seconds += found->second;
    judged.verdict.timeMs = audit::nowMs();
    m_verdicts.keep(std::move(judged));
}

audit::Versions Workspace::versionsNow() const {
    audit::TodaysVersions today;
    audit::Versions versions =
        today.of(m_kernel.task ? m_kernel.task->level : 0, m_kernel.task ? m_kernel.task->task : 0);
    if (m_card && isUnknownTask()) versions.card = audit::referenceVersion(task::writeCard(*m_card));
    if (!m_kernel.arguments.isEmpty()) versions.card = "arguments";
    if (!m_kernel.referenceText.isEmpty())
        versions.card = audit::referenceVersion(m_kernel.referenceText.toStdString());
    return versions;
}

void Workspace::showJudged() {
    const archive::KernelSummary& row = *m_kernel.row;
    const audit::VerdictKey key{int(row.level), int(row.task), row.name, row.codeHash};
    m_verdicts.fetch(key, [this, of = m_kernel.key,
                           generation = m_generation](Result<std::optional<std::string>> json) {
        if (!json) {
            if (json.error().code != "cancelled") post(QString::fromStdString(json.error().text()), true);
            return;
        }
        // Something newer is on its way, or on the bench.
        if (!*json || of != m_kernel.key || m_runner.verifyState().stage != Stage::idle) return;
        auto verdict = verify::verdictFromJson(nlohmann::json::parse(**json, nullptr, false));
        if (!verdict) {
            post(QString::fromStdString(verdict.error().text()), true);
            return;
        }
        const bool ofThisText = generation == m_generation && !isEdited();
        m_runner.showVerdict(ofThisText ? generation : 0, std::make_shared<const verify::Verdict>(std::move(*verdict)));
        Q_EMIT judgedShown();
    });
}

void Workspace::startModel(RunJob job) {
    // A card's published shapes; with arguments of the user's, those are the size.
    if (job.card && job.arguments.isEmpty()) job.size = QStringLiteral("full");
    m_runner.profile(job);
}

void Workspace::keepProfile(const std::shared_ptr<const protocol::ProfileSummary>& profile, quint64 generation) {
    if (generation != m_triedGeneration) return;
    if (profile->end != "finished") {
        post(tr("The time could not be modelled: %1").arg(QString::fromStdString(profile->reason)), true);
        return;
    }
    if (generation == m_generation) setHeatOf(profile);
    session::Attempt attempt = m_tried;
    attempt.timings.push_back(timingOf(*profile, m_target.device));
    attempt.countersJson = countersJsonOf(*profile);
    keep(std::move(attempt));
}

void Workspace::setHeatOf(std::shared_ptr<const protocol::ProfileSummary> profile) {
    if (!m_heatOf && !profile) return;
    m_heatOf = std::move(profile);
    m_heat = m_heatOf ? heatOf(*m_heatOf, m_heatCounter) : std::vector<LineHeat>();
    Q_EMIT heatChanged();
}

void Workspace::setHeatCounter(HeatCounter counter) {
    if (counter == m_heatCounter) return;
    m_heatCounter = counter;
    setHeatOf(m_heatOf);
}

void Workspace::listAttempts(const std::string& tag,
                             std::function<void(const std::vector<session::AttemptSummary>&)> done) {
    session::AttemptFilter filter;
    if (m_kernel.task)
        filter.task = session::AttemptFilter::TaskNumber{m_kernel.task->level, m_kernel.task->task};
    else
        filter.kernelKey = m_kernel.key.toStdString();
    m_session.list(filter, tag, [this, done = std::move(done)](Result<SessionDesk::Attempts> attempts) {
        if (attempts)
            done(**attempts);
        else if (attempts.error().code != "cancelled" && attempts.error().code != "session_refused") // that was said
            post(QString::fromStdString(attempts.error().text()), true);
    });
}

void Workspace::restoreAttempt(qint64 id) {
    m_session.fetch(id, [this](Result<session::Attempt> attempt) {
        if (!attempt) {
            if (attempt.error().code != "cancelled") post(QString::fromStdString(attempt.error().text()), true);
            return;
        }
        if (attempt->kernelKey != m_kernel.key.toStdString()) {
            post(tr("Attempt %1 belongs to %2: open that kernel first.")
                     .arg(attempt->id)
                     .arg(QString::fromStdString(attempt->kernelTitle)),
                 true);
            return;
        }
        replaceSource(QString::fromStdString(attempt->source));
        post(tr("Attempt %1 is back in the editor (undo brings your text back).").arg(attempt->id));
    });
}

void Workspace::showAttempt(qint64 id) {
    m_session.fetch(id, [this](Result<session::Attempt> attempt) {
        if (!attempt) {
            if (attempt.error().code != "cancelled") post(QString::fromStdString(attempt.error().text()), true);
            return;
        }
        const QString key = QString::fromStdString(attempt->kernelKey);
        if (key != m_kernel.key) { // its kernel first; the attempt follows when that is on the bench
            m_attemptToShow = attempt->id;
            openKey(key);
            return;
        }
        if (!attempt->verdictJson.empty()) showVerdictOf(*attempt);
        Q_EMIT attemptShown(attempt->id);
    });
}

void Workspace::showVerdictOf(const session::Attempt& attempt) {
    const auto json = nlohmann::json::parse(attempt.verdictJson, nullptr, false);
    auto verdict = verify::verdictFromJson(json);
    if (!verdict) {
        post(QString::fromStdString(verdict.error().text()), true);
        return;
    }
    // Of the text as it stands only where that is the attempt's.
    const quint64 of = m_source.toStdString() == attempt.source ? m_generation : 0;
    m_runner.showVerdict(of, std::make_shared<const verify::Verdict>(std::move(*verdict)));
}

} // namespace kernelarium::ui
