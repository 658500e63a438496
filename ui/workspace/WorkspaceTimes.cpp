// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace's target, and times taken on it.
#include "core/perf/DeviceSpec.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/RemoteStarter.h"
#include "gpu/protocol/Trial.h"
#include "ui/workspace/RunWords.h"
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

void Workspace::connectDevices() {
    connect(&m_timer, &TimeDesk::changed, this, &Workspace::busyChanged);
    connect(&m_timer, &TimeDesk::changed, this,
            [this] { tellEnd(m_timer.state().stage, m_timer.state().error, tr("The timing was cancelled.")); });
    connect(&m_timer, &TimeDesk::timed, this, &Workspace::keepTime);
    connect(&m_runner, &RunDesk::verdictReady, this, &Workspace::continueTime);
    connect(&m_runner, &RunDesk::verifyChanged, this, [this] {
        const Stage stage = m_runner.verifyState().stage;
        if (m_timeAfterVerdict && (stage == Stage::failed || stage == Stage::cancelled)) {
            forgetTime();
            Q_EMIT busyChanged();
        }
    });
    connect(&m_devices, &DeviceDesk::changed, this, &Workspace::hearDevices);
    connect(&m_devices, &DeviceDesk::measureChanged, this, [this] {
        const MeasureState& state = m_devices.measureState();
        tellEnd(state.stage, state.error, tr("The measuring was cancelled."));
        if (state.stage == Stage::finished)
            post(tr("Measured %1: its roofs are drawn from now on.")
                     .arg(QString::fromStdString(state.ceilings->device)));
        Q_EMIT busyChanged();
    });
}

// --- where

void Workspace::useTarget() {
    auto starter = protocol::starterFor(m_target.host.toStdString(), m_paths.program.toStdString(), m_target.ordinal);
    if (starter)
        m_runner.child().setStarter(std::move(*starter));
    else
        post(QString::fromStdString(starter.error().text()), true);
    m_toldVanished = false;
}

void Workspace::choosePlace(const QString& host, const protocol::DeviceSummary* gpu, int ordinal) {
    Target target = m_target;
    target.host = host;
    target.ordinal = gpu ? ordinal : 0;
    target.gpu = gpu ? QString::fromStdString(gpu->name) : QString();
    target.arch = gpu ? QString::fromStdString(gpu->arch) : Target().arch;
    const perf::DeviceSpec* spec = gpu ? perf::findDeviceSpec(gpu->name) : nullptr;
    if (spec) target.device = QString::fromStdString(spec->id);
    setTarget(target);
}

QString Workspace::targetObstacle() const {
    if (m_target.host.isEmpty() && !m_target.onGpu()) return {}; // the emulator is always there
    const HostDevices devices = m_devices.at(m_target.host);
    if (devices.stage == Stage::failed) return QString::fromStdString(devices.error.text());
    if (devices.stage != Stage::finished || !m_target.onGpu()) return {};
    const protocol::DeviceSummary* gpu = devices.list.gpu(m_target.ordinal);
    if (gpu && m_target.gpu == QString::fromStdString(gpu->name)) return {};
    const QString why =
        devices.list.missing ? QLatin1Char(' ') + QString::fromStdString(devices.list.missing->text()) : QString();
    return tr("%1 is not there any more.").arg(placeText(m_target)) + why;
}

void Workspace::hearDevices(const QString& host) {
    if (host == m_target.host) {
        const QString obstacle = targetObstacle();
        if (!obstacle.isEmpty() && !m_toldVanished)
            post(tr("%1 Choose where kernels run: Kernel, Target.").arg(obstacle), true);
        if (m_devices.at(host).stage != Stage::running) m_toldVanished = !obstacle.isEmpty();
    } else if (m_devices.at(host).stage == Stage::failed && !host.isEmpty()) {
        post(QString::fromStdString(m_devices.at(host).error.text()), true);
    }
    Q_EMIT targetChanged();
    Q_EMIT busyChanged();
}

// --- times

bool Workspace::hasVerdict() const {
    const VerifyState& state = m_runner.verifyState();
    return state.stage == Stage::finished && state.generation == m_generation && state.verdict;
}

bool Workspace::needsReference() const {
    const bool verifies = m_wanted == Wanted::verify || (m_wanted == Wanted::time && m_target.onGpu() && !hasVerdict());
    return verifies && !m_kernel.referenceText.isEmpty();
}

void Workspace::time() {
    m_rival = {};
    want(Wanted::time);
}

void Workspace::forgetTime() {
    m_timeAfterVerdict = 0;
    m_raced = 0;
}

/// A kernel that was not verified yet is first: a time of something wrong is worth little.
void Workspace::startTime(RunJob job) {
    if (!hasVerdict()) {
        m_timeAfterVerdict = m_generation;
        m_runner.verify(job);
        return;
    }
    const verify::Verdict& verdict = *m_runner.verifyState().verdict;
    if (!protocol::canBeTimed(verdict.kind)) {
        post(tr("It was not timed: its verdict is %1.").arg(QString::fromUtf8(verify::name(verdict.kind))), true);
        return;
    }
    // A card's published shapes; with arguments of the user's, those are the size.
    job.size = job.card && job.arguments.isEmpty() ? QStringLiteral("full") : QStringLiteral("small");
    m_timer.time(job, std::exchange(m_rival, {}));
}

void Workspace::continueTime() {
    if (m_timeAfterVerdict == 0) return;
    const bool same = std::exchange(m_timeAfterVerdict, 0) == m_generation;
    if (same && m_compiler.state().unit && m_compiler.state().unit->ok) startTime(jobFor(m_compiler.state().unit));
    Q_EMIT busyChanged();
}

void Workspace::keepTime(const TimedAttempt& timed, quint64 generation) {
    if (generation != m_triedGeneration) return;
    const protocol::TimeSummary& summary = *timed.summary;
    if (summary.end != "finished" || summary.summary.count == 0) {
        const std::string why = summary.end != "finished" ? summary.reason
                                : summary.remarks.empty() ? "There are no samples."
                                                          : summary.remarks.front();
        post(tr("It could not be timed: %1").arg(QString::fromStdString(why)), true);
        return;
    }
    session::Attempt attempt = m_tried;
    if (generation == m_generation && hasVerdict()) {
        attempt.verdict = verify::name(m_runner.verifyState().verdict->kind);
        attempt.verdictJson = verify::toJson(*m_runner.verifyState().verdict).dump();
    }
    attempt.timings.push_back(timed.timing);
    const bool inPairs = summary.against.has_value();
    m_session.add(std::move(attempt), [this, key = m_kernel.key, inPairs](Result<std::int64_t> id) {
        if (!id) {
            post(QString::fromStdString(id.error().text()), true);
            return;
        }
        if (key == m_kernel.key) m_lastAttempt = *id;
        Q_EMIT attemptAdded(*id);
        Q_EMIT timeKept(*id, inPairs);
    });
    post(timeSentence(summary), summary.differingElements > 0);
}

void Workspace::race(qint64 attempt) {
    if (m_kernel.isEmpty()) return;
    if (!m_target.onGpu()) {
        post(tr("Two kernels are raced on a GPU: choose one as the target (Kernel, Target)."), true);
        return;
    }
    m_raced = attempt;
    Q_EMIT busyChanged();
    m_session.fetch(attempt, [this, attempt](Result<session::Attempt> found) {
        if (m_raced != attempt) return;
        if (found) {
            startRace(*found);
            return;
        }
        forgetTime();
        if (found.error().code != "cancelled") post(QString::fromStdString(found.error().text()), true);
        Q_EMIT busyChanged();
    });
}

void Workspace::startRace(const session::Attempt& attempt) {
    const QString name = attempt.name.empty() ? tr("attempt %1").arg(attempt.id) : QString::fromStdString(attempt.name);
    if (m_source.toStdString() == attempt.source) {
        forgetTime();
        post(tr("The text in the editor is %1: there is nothing to race it with.").arg(name), true);
        Q_EMIT busyChanged();
        return;
    }
    m_compiler.compileOther(QString::fromStdString(attempt.source), m_target, [this, name, id = attempt.id](auto unit) {
        if (m_raced != id) return;
        forgetTime();
        if (unit && (*unit)->ok) {
            m_rival = {*unit, name};
            want(Wanted::time);
            return;
        }
        if (unit || unit.error().code != "cancelled")
            post(unit ? tr("%1 does not compile for this target.").arg(name)
                      : QString::fromStdString(unit.error().text()),
                 true);
        Q_EMIT busyChanged();
    });
}

} // namespace kernelarium::ui
