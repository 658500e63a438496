// SPDX-License-Identifier: GPL-3.0-or-later
// What came out of a trial becomes an attempt.
#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/RunWords.h"
#include "ui/workspace/Trials.h"

#include <QDateTime>

namespace kernelarium::ui {

Trial Trials::trialNow() const {
    const Bench& bench = m_with.bench;
    const Kernel& kernel = bench.kernel();
    Trial trial;
    trial.generation = bench.generation();
    session::Attempt& attempt = trial.attempt;
    attempt.session = m_with.desks.session.current();
    attempt.parent = m_lastAttempt;
    attempt.kernelKey = kernel.key.toStdString();
    attempt.kernelTitle = kernel.title.toStdString();
    if (kernel.task) {
        attempt.level = kernel.task->level;
        attempt.task = kernel.task->task;
    }
    attempt.createdMs = QDateTime::currentMSecsSinceEpoch();
    attempt.source = bench.source().toStdString();
    attempt.optionsJson = m_with.place.optionsFor(kernel);
    attempt.takenFrom = bench.takenFrom();
    std::erase_if(attempt.takenFrom, [&](const session::OtherParent& other) { // its first parent
        return other.attempt == attempt.parent && other.kernelKey == attempt.kernelKey;
    });
    if (kernel.origin == Kernel::Origin::archived && kernel.row && !bench.isEdited() &&
        kernel.compilerOptions.isEmpty() && kernel.function.isEmpty()) {
        const archive::KernelSummary& row = *kernel.row;
        trial.archived = audit::VerdictKey{int(row.level), int(row.task), row.name, row.codeHash};
        trial.versions = m_with.assignment.versions();
    }
    return trial;
}

void Trials::keep(session::Attempt attempt, Timed timed) {
    const QString kernel = QString::fromStdString(attempt.kernelKey);
    const auto taken = attempt.takenFrom;
    m_with.desks.session.add(std::move(attempt),
                             [this, key = m_with.bench.kernel().key, kernel, taken, timed](Result<std::int64_t> id) {
                                 if (!id) {
                                     m_with.notices.postError(id.error());
                                     return;
                                 }
                                 m_with.bench.takenIsKept(kernel, taken);
                                 if (key == m_with.bench.kernel().key) m_lastAttempt = *id;
                                 Q_EMIT attemptAdded(*id);
                                 if (timed != Timed::no) Q_EMIT timeKept(*id, timed == Timed::inPairs);
                             });
}

void Trials::keepVerdict(const VerdictPointer& verdict, quint64 generation) {
    const Trial* tried = m_with.plan.tried(generation);
    if (!tried) return;
    session::Attempt attempt = tried->attempt;
    attempt.verdict = verify::name(verdict->kind);
    attempt.verdictJson = verdict->json;
    keep(std::move(attempt), Timed::no);
    if (!tried->archived) return;
    const audit::Settings settings{verdict->size, verdict->seed, verdict->fastMath,
                                   std::chrono::duration<double>(RunDesk::runLimit).count()};
    audit::JudgedKernel judged = audit::judged(*tried->archived, *verdict, verdict->json, settings, tried->versions);
    for (const char* stage : {"compile", "total"}) // which includes the others
        if (const auto found = verdict->seconds.find(stage); found != verdict->seconds.end())
            judged.verdict.seconds += found->second;
    judged.verdict.timeMs = audit::nowMs();
    m_with.desks.verdicts.keep(std::move(judged));
}

void Trials::keepProfile(const ProfilePointer& profile, quint64 generation) {
    const Trial* tried = m_with.plan.tried(generation);
    if (!tried) return;
    if (profile->end != "finished") {
        m_with.notices.post(tr("The time could not be modelled: %1").arg(QString::fromStdString(profile->reason)),
                            true);
        return;
    }
    if (generation == m_with.bench.generation()) m_with.heat.show(profile);
    session::Attempt attempt = tried->attempt;
    attempt.timings.push_back(profile->timing);
    attempt.countersJson = profile->countersText;
    keep(std::move(attempt), Timed::no);
}

void Trials::keepTime(const TimedAttempt& timed, quint64 generation) {
    const Trial* tried = m_with.plan.tried(generation);
    if (!tried) return;
    const protocol::TimeSummary& summary = *timed.summary;
    if (summary.end != "finished" || summary.summary.count == 0) {
        const std::string why = summary.end != "finished" ? summary.reason
                                : summary.remarks.empty() ? "There are no samples."
                                                          : summary.remarks.front();
        m_with.notices.post(tr("It could not be timed: %1").arg(QString::fromStdString(why)), true);
        return;
    }
    session::Attempt attempt = tried->attempt;
    const VerifyState& verdict = m_with.desks.runner.verifyState();
    if (generation == m_with.bench.generation() && verdict.stage == Stage::finished &&
        verdict.generation == generation && verdict.answer) {
        attempt.verdict = verify::name(verdict.answer->kind);
        attempt.verdictJson = verdict.answer->json;
    }
    attempt.timings.push_back(timed.timing);
    keep(std::move(attempt), summary.against ? Timed::inPairs : Timed::alone);
    m_with.notices.post(timeSentence(summary), summary.differingElements > 0);
}

} // namespace kernelarium::ui
