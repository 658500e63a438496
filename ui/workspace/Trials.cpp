// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Trials.h"

#include "gpu/protocol/Trial.h"
#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/RunWords.h"

namespace kernelarium::ui {

Trials::Trials(const Around& around, QObject* parent)
    : QObject(parent)
    , m_with(around) {
    connectDesks();
}

void Trials::connectDesks() {
    Desks& desks = m_with.desks;
    const auto tell = [this](const auto& state, const QString& cancelled) {
        if (state.stage == Stage::failed) m_with.notices.postError(state.error);
        if (state.stage == Stage::cancelled) m_with.notices.post(cancelled);
    };
    connect(&desks.compiler, &CompileDesk::changed, this, &Trials::advance);
    connect(&desks.compiler, &CompileDesk::changed, this, &Trials::busyChanged);
    connect(&desks.compiler, &CompileDesk::disassemblingChanged, this, &Trials::busyChanged);
    connect(&desks.ncu, &NcuDesk::changed, this, &Trials::busyChanged);
    connect(&desks.stepper, &StepDesk::changed, this, &Trials::busyChanged);
    connect(&desks.tensors, &TensorDesk::changed, this, &Trials::busyChanged);
    connect(&desks.cards, &CardDesk::changed, this, &Trials::busyChanged);
    connect(&desks.runner, &RunDesk::verifyChanged, this, [this, tell] {
        Q_EMIT busyChanged();
        const VerifyState& state = m_with.desks.runner.verifyState();
        tell(state, tr("The verification was cancelled."));
        if (m_with.plan.awaitsVerdict() && (state.stage == Stage::failed || state.stage == Stage::cancelled))
            dropTime();
    });
    connect(&desks.runner, &RunDesk::verdictReady, this, &Trials::keepVerdict);
    connect(&desks.runner, &RunDesk::verdictReady, this, &Trials::verdictFound);
    connect(&desks.runner, &RunDesk::runChanged, this, [this, tell] {
        Q_EMIT busyChanged();
        const RunState& state = m_with.desks.runner.runState();
        tell(state, tr("The run was cancelled."));
        if (state.stage == Stage::finished && isProblem(*state.answer))
            m_with.notices.post(runSentence(*state.answer), true); // else Output says it
    });
    connect(&desks.runner, &RunDesk::profileChanged, this, [this, tell] {
        Q_EMIT busyChanged();
        tell(m_with.desks.runner.profileState(), tr("The timing was cancelled."));
    });
    connect(&desks.runner, &RunDesk::profileReady, this, &Trials::keepProfile);
    connect(&desks.timer, &TimeDesk::changed, this, [this, tell] {
        Q_EMIT busyChanged();
        tell(m_with.desks.timer.state(), tr("The timing was cancelled."));
    });
    connect(&desks.timer, &TimeDesk::timed, this, &Trials::keepTime);
    connect(&desks.devices, &DeviceDesk::changed, this, &Trials::busyChanged);
    connect(&desks.devices, &DeviceDesk::measureChanged, this, [this, tell] {
        const MeasureState& state = m_with.desks.devices.measureState();
        tell(state, tr("The measuring was cancelled."));
        if (state.stage == Stage::finished)
            m_with.notices.post(tr("Measured %1: its roofs are drawn from now on.")
                                    .arg(QString::fromStdString(state.answer->ceilings.device)));
        Q_EMIT busyChanged();
    });
}

// --- what is wanted

void Trials::verify() {
    m_with.plan.want(Wanted::verify);
    go();
}

void Trials::run() {
    m_with.plan.want(Wanted::run);
    go();
}

void Trials::time() {
    m_with.plan.wantTime({});
    go();
}

void Trials::model() {
    m_with.plan.want(Wanted::model);
    go();
}

void Trials::modelOther(const QString& text, std::function<void(const ProfilePointer&)> done) {
    RunJob other = job();
    if (other.card && other.arguments.isEmpty()) other.size = m_with.bench.kernel().modelledSize;
    m_with.desks.compiler.compileOther(text, other.target, [this, other, done = std::move(done)](auto unit) mutable {
        if (!unit || !(*unit)->ok) return;
        other.unit = *unit;
        m_with.desks.runner.profileOther(other, [done](const Result<ProfilePointer>& profile) {
            if (profile) done(*profile);
        });
    });
}

void Trials::stepThrough(const StepTarget& target) {
    m_with.plan.wantSteps(target);
    go();
}

void Trials::lookAtTensors(bool inEmulator) {
    m_with.plan.wantTensors(inEmulator);
    go();
}

void Trials::go() {
    if (m_with.bench.kernel().isEmpty()) {
        m_with.plan.drop();
        return;
    }
    m_with.desks.compiler.compileNow();
    advance();
    Q_EMIT busyChanged();
}

void Trials::measure() {
    const Bench& bench = m_with.bench;
    if (bench.kernel().isEmpty() || m_with.desks.ncu.isBusy()) return;
    if (!m_with.assignment.card() && bench.kernel().arguments.isEmpty()) {
        m_with.notices.post(tr("Say first what the kernel is called with: Task and reference (Ctrl+T)."), true);
        return;
    }
    m_with.desks.ncu.measure(job(), bench.source());
}

void Trials::cancel() {
    m_with.plan.drop();
    Desks& desks = m_with.desks;
    desks.compiler.cancel();
    desks.devices.cancel();
    desks.runner.cancel();
    desks.tensors.cancel();
    desks.cards.cancel();
    desks.tidy.cancel();
    desks.ncu.cancel();
    Q_EMIT busyChanged();
}

bool Trials::isProgram() const {
    const CompileState& state = m_with.desks.compiler.state();
    return !m_with.bench.kernel().isEmpty() && state.answer && state.answer->isProgram;
}

bool Trials::isTrying() const {
    const Desks& desks = m_with.desks;
    return m_with.plan.isPending() || desks.runner.isBusy() || desks.timer.isBusy() || desks.stepper.isBusy() ||
           desks.tensors.isBusy() || desks.ncu.isBusy() || desks.devices.isBusy() || desks.cards.isExporting();
}

bool Trials::isBusy() const {
    return isTrying() || m_with.desks.compiler.isDisassembling();
}

void Trials::kernelPut() {
    m_with.plan.drop();
    m_lastAttempt = 0;
}

void Trials::textChanged() {
    if (m_with.plan.awaitsVerdict())
        m_with.notices.post(tr("The text was changed while it was being verified: it is not timed."));
    m_with.plan.drop();
}

void Trials::dropTime() {
    m_with.plan.dropTime();
    Q_EMIT busyChanged();
}

// --- how it goes on

TrialPlan::Ground Trials::ground() const {
    const CompileDesk& compiler = m_with.desks.compiler;
    const VerifyState& verdict = m_with.desks.runner.verifyState();
    TrialPlan::Ground ground;
    ground.generation = m_with.bench.generation();
    ground.settled = compiler.isSettled();
    ground.hasUnit = compiler.state().stage == Stage::finished;
    const RunJob now = job();
    ground.compiles = now.unit && now.unit->ok;
    ground.needsReference = !m_with.bench.kernel().referenceText.isEmpty() && !now.reference;
    ground.onGpu = now.target.onGpu();
    if (verdict.stage == Stage::finished && verdict.generation == ground.generation && verdict.answer)
        ground.canBeTimed = protocol::canBeTimed(verdict.answer->kind);
    return ground;
}

RunJob Trials::job() const {
    const Kernel& kernel = m_with.bench.kernel();
    RunJob job;
    job.generation = m_with.bench.generation();
    job.unit = m_with.desks.compiler.state().answer;
    job.card = m_with.assignment.card();
    job.arguments = kernel.arguments;
    job.function = kernel.function;
    job.title = kernel.title;
    job.target = m_with.place.targetFor(kernel);
    if (!kernel.referenceText.isEmpty() && m_referenceOf == kernel.referenceText &&
        m_referenceTarget.compilesAs(job.target)) {
        job.reference = m_reference;
        job.referenceName = kernel.referenceName;
    }
    if (kernel.origin == Kernel::Origin::lesson) job.target.gpu.clear(); // lessons are about what the emulator sees
    if (job.target.onGpu() && job.target.size == QLatin1String("full")) job.size = job.target.size;
    if (kernel.row && !m_with.bench.isEdited()) job.claimedMilliseconds = kernel.row->runtime;
    return job;
}

void Trials::advance() {
    using Next = TrialPlan::Next;
    if (m_with.plan.wanted() == Wanted::nothing) return;
    const Next next = m_with.plan.advance(ground());
    if (next == Next::verify || next == Next::run || next == Next::model || next == Next::time)
        m_with.plan.begin(trialNow());
    perform(next);
}

void Trials::verdictFound() {
    if (!m_with.plan.awaitsVerdict()) return;
    perform(m_with.plan.verdictFound(ground()));
    Q_EMIT busyChanged();
}

void Trials::perform(TrialPlan::Next next) {
    using Next = TrialPlan::Next;
    Desks& desks = m_with.desks;
    RunJob job = this->job();
    // A card's published shapes; with arguments of the user's, those are the size.
    const bool full = job.card && job.arguments.isEmpty();
    switch (next) {
    case Next::nothing: return;
    case Next::compileReference: compileReference(); return;
    case Next::giveUp:
        if (desks.compiler.state().stage == Stage::failed) m_with.notices.postError(desks.compiler.state().error);
        break;
    case Next::sayBroken: m_with.notices.post(tr("It does not compile: see Diagnostics."), true); break;
    case Next::verify:
        if (job.target.onGpu()) job.size = job.target.size; // which may be both
        desks.runner.verify(job);
        break;
    case Next::run: desks.runner.run(job); break;
    case Next::record: desks.stepper.record(job, m_with.plan.stepTarget()); break;
    case Next::look:
        if (m_with.plan.tensorsInEmulator()) {
            job.target.gpu.clear();
            job.size = QStringLiteral("small");
        }
        desks.tensors.open(job);
        break;
    case Next::model:
        if (full) job.size = m_with.bench.kernel().modelledSize;
        desks.runner.profile(job);
        break;
    case Next::time:
        job.size = full ? QStringLiteral("full") : QStringLiteral("small");
        desks.timer.time(job, m_with.plan.takeRival());
        break;
    case Next::refuseTime:
        m_with.notices.post(tr("It was not timed: its verdict is %1.")
                                .arg(QString::fromUtf8(verify::name(desks.runner.verifyState().answer->kind))),
                            true);
        break;
    }
    Q_EMIT busyChanged();
}

void Trials::compileReference() {
    const QString text = m_with.bench.kernel().referenceText;
    const Target target = m_with.place.targetFor(m_with.bench.kernel());
    m_with.desks.compiler.compileOther(text, target, [this, text, target](auto unit) {
        if (m_with.plan.wanted() == Wanted::nothing || text != m_with.bench.kernel().referenceText) return;
        if (!unit || !(*unit)->ok) {
            m_with.plan.want(Wanted::nothing);
            m_with.notices.post(unit ? tr("The reference %1 does not compile; choose another one.")
                                           .arg(m_with.bench.kernel().referenceName)
                                     : QString::fromStdString(unit.error().text()),
                                true);
            Q_EMIT busyChanged();
            return;
        }
        m_reference = *unit;
        m_referenceOf = text;
        m_referenceTarget = target;
        advance();
    });
}

void Trials::race(qint64 attempt) {
    if (m_with.bench.kernel().isEmpty()) return;
    if (!m_with.place.target().onGpu()) {
        m_with.notices.post(tr("Two kernels are raced on a GPU: choose one as the target (Kernel, Target)."), true);
        return;
    }
    m_with.plan.race(attempt);
    Q_EMIT busyChanged();
    m_with.desks.session.fetch(attempt, [this, attempt](Result<session::Attempt> found) {
        if (!m_with.plan.isRacing(attempt)) return;
        if (found) {
            fetched(*found);
            return;
        }
        m_with.notices.postFailure(found.error());
        dropTime();
    });
}

void Trials::fetched(const session::Attempt& rival) {
    const QString name = rival.name.empty() ? tr("attempt %1").arg(rival.id) : QString::fromStdString(rival.name);
    if (m_with.bench.source().toStdString() == rival.source) {
        m_with.notices.post(tr("The text in the editor is %1: there is nothing to race it with.").arg(name), true);
        dropTime();
        return;
    }
    const auto compiled = [this, name, id = rival.id](auto unit) {
        if (!m_with.plan.isRacing(id)) return;
        m_with.plan.dropTime();
        if (unit && (*unit)->ok) {
            m_with.plan.wantTime({*unit, name});
            go();
            return;
        }
        if (unit)
            m_with.notices.post(tr("%1 does not compile for this target.").arg(name), true);
        else
            m_with.notices.postFailure(unit.error());
        Q_EMIT busyChanged();
    };
    m_with.desks.compiler.compileOther(QString::fromStdString(rival.source),
                                       m_with.place.targetFor(m_with.bench.kernel()), compiled);
}

} // namespace kernelarium::ui
