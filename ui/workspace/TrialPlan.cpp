// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TrialPlan.h"

namespace kernelarium::ui {

void TrialPlan::wantSteps(const StepTarget& target) {
    m_stepTarget = target;
    want(Wanted::step);
}

void TrialPlan::wantTime(Rival rival) {
    m_rival = std::move(rival);
    want(Wanted::time);
}

void TrialPlan::wantTensors(bool inEmulator) {
    m_tensorsInEmulator = inEmulator;
    want(Wanted::tensors);
}

TrialPlan::Next TrialPlan::advance(const Ground& ground) {
    if (m_wanted == Wanted::nothing || !ground.settled) return Next::nothing;
    if (!ground.hasUnit) {
        m_wanted = Wanted::nothing;
        return Next::giveUp;
    }
    const bool compares =
        m_wanted == Wanted::verify || m_wanted == Wanted::tensors || (m_wanted == Wanted::time && !ground.canBeTimed);
    if (ground.compiles && compares && ground.needsReference) return Next::compileReference;
    return decide(std::exchange(m_wanted, Wanted::nothing), ground);
}

TrialPlan::Next TrialPlan::decide(Wanted wanted, const Ground& ground) {
    if (wanted == Wanted::verify) return Next::verify;
    if (!ground.compiles) return Next::sayBroken;
    switch (wanted) {
    case Wanted::run: return Next::run;
    case Wanted::step: return Next::record;
    case Wanted::tensors: return Next::look;
    case Wanted::time: break;
    default: return Next::model;
    }
    if (!ground.canBeTimed) { // a time of something wrong is worth little
        m_timed = ground.generation;
        return Next::verify;
    }
    return timeOn(ground);
}

TrialPlan::Next TrialPlan::verdictFound(const Ground& ground) {
    if (m_timed == 0) return Next::nothing;
    const bool same = std::exchange(m_timed, 0) == ground.generation;
    if (!same || !ground.compiles || !ground.canBeTimed) return Next::nothing;
    return timeOn(ground);
}

/// On the emulator the time is modelled.
TrialPlan::Next TrialPlan::timeOn(const Ground& ground) {
    if (!*ground.canBeTimed) return Next::refuseTime;
    return ground.onGpu ? Next::time : Next::model;
}

void TrialPlan::dropTime() {
    m_timed = 0;
    m_raced = 0;
}

void TrialPlan::drop() {
    m_wanted = Wanted::nothing;
    dropTime();
}

const Trial* TrialPlan::tried(quint64 generation) const {
    return generation != 0 && generation == m_tried.generation ? &m_tried : nullptr;
}

TrialPlan::Shown TrialPlan::takeShown(quint64 opening) {
    Shown shown = std::exchange(m_shown, {});
    const quint64 judged = std::exchange(m_judgedOpening, 0);
    shown.judged = judged != 0 && judged == opening;
    return shown;
}

} // namespace kernelarium::ui
