// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/WarpClock.h"

namespace kernelarium::emulator {

namespace {

using Kind = InstructionClass;

constexpr std::uint64_t schedulers = 4; ///< of a multiprocessor, each issues one instruction in a clock

// Half clocks.
constexpr std::uint64_t usualPastL1 = 2 * 600; ///< only for which of two waits is the longer one
constexpr std::uint64_t arithmeticLatency = 2 * 4;
constexpr std::uint64_t l1Latency = 2 * 35;
constexpr std::uint64_t sharedLatency = 2 * 27;
constexpr std::uint64_t barrierLatency = 2 * 20;

std::uint64_t latencyOf(const InstructionFacts& facts, const AccessOutcome& access) {
    switch (facts.kind) {
    case Kind::move: return facts.halfSlots ? arithmeticLatency : 0;
    case Kind::fp64: return 2 * 8;
    case Kind::special: return 2 * 18 + std::uint64_t(facts.halfSlots) * 3;
    case Kind::convert: return 2 * 8;
    case Kind::shuffle: return 2 * 24;
    case Kind::tensor: return 2 * 30;
    case Kind::load:
    case Kind::atomic:
        if (access.pastL1 || (facts.kind == Kind::atomic && !access.inShared)) return usualPastL1;
        return access.inShared ? sharedLatency + 2 * std::uint64_t(access.wavefronts) : l1Latency;
    default: break;
    }
    // Several machine instructions for one: each waits for the one before it.
    return arithmeticLatency + (facts.halfSlots > 2 ? (std::uint64_t(facts.halfSlots) - 2) * 2 : 0);
}

} // namespace

void WarpClock::begin(std::size_t warpsOfBlock) {
    m_sharers = std::max<std::uint64_t>(schedulers, warpsOfBlock);
    std::fill(m_ready.begin(), m_ready.end(), Moment());
    m_issued.fill({});
    m_next = 0;
    m_front = m_last = m_pipe = {};
    m_stored.fill({});
    m_openCopies = {};
    m_copyGroups.clear();
    m_turns = 0;
}

void WarpClock::fence() {
    m_front = later(m_front, m_last);
}

/// Asynchronous copies: they write no register, so what waits for them says so by itself.
void WarpClock::follow(const PipelineFacts& facts, Moment done) {
    switch (facts.copyRole) {
    case CopyRole::none: return;
    case CopyRole::copy: m_openCopies = later(m_openCopies, done); return;
    case CopyRole::commit:
        m_copyGroups.push_back(m_openCopies);
        m_openCopies = {};
        return;
    case CopyRole::waitForAll:
        m_copyGroups.push_back(m_openCopies);
        m_openCopies = {};
        break;
    case CopyRole::waitForGroups: break;
    }
    const std::size_t left = facts.copyRole == CopyRole::waitForAll ? 0 : facts.copyGroupsLeft;
    if (m_copyGroups.size() <= left) return;
    const auto end = m_copyGroups.end() - std::ptrdiff_t(left);
    fence();
    for (auto group = m_copyGroups.begin(); group != end; ++group)
        m_front = later(m_front, *group);
    m_copyGroups.erase(m_copyGroups.begin(), end);
}

void WarpClock::step(std::size_t source, const InstructionFacts& facts, const AccessOutcome& access) {
    const PipelineFacts& pipeline = m_pipeline.at(source);
    if (pipeline.headsRolledLoop || (pipeline.headsLoadingLoop && m_loadingLoopsStayRolled)) fence();
    Moment ready;
    for (const std::uint32_t r : m_pipeline.read(pipeline))
        ready = later(ready, m_ready[r]);
    const std::uint64_t slots = pipeline.joined.isFollower ? 0 : facts.halfSlots;
    if (slots > 0) {
        m_front = later(m_front, m_issued[m_next]);
        m_front.at += slots * m_sharers / schedulers;
        ready = later(ready, m_front);
        if (const std::uint64_t passes = access.wavefronts + access.lines) {
            m_pipe = later(m_pipe, m_front);
            ready = later(ready, m_pipe);
            m_pipe.at += 2 * passes * m_sharers;
        }
        Moment& stored = m_stored[facts.space == ptx::Space::shared ? 1 : facts.space == ptx::Space::local ? 2 : 0];
        if (facts.kind == Kind::load && !pipeline.movesFreely) ready = later(ready, stored);
        if (facts.kind == Kind::store || facts.kind == Kind::atomic) stored = later(stored, ready);
        m_last = later(m_last, ready);
        m_issued[m_next] = m_last;
        m_next = (m_next + 1) % window;
    }
    Moment done = ready;
    done.at += latencyOf(facts, access);
    done.waits += access.pastL1 || (facts.kind == Kind::atomic && !access.inShared);
    for (const std::uint32_t r : m_pipeline.written(pipeline))
        m_ready[r] = done;
    follow(pipeline, done);
    if (facts.kind == Kind::barrier && pipeline.copyRole == CopyRole::none) {
        fence();
        m_front.at += barrierLatency;
    } else if (pipeline.endsRolledTurn || (pipeline.endsLoadingTurn && m_loadingLoopsStayRolled) ||
               (pipeline.endsTurn && ++m_turns % turnsTogether == 0)) {
        fence();
    }
}

void WarpClock::end() {
    const Moment over = later(m_last, m_front);
    ++m_warps;
    m_clocks += double(over.at - over.waits * usualPastL1) / 2;
    m_waits += double(over.waits);
}

} // namespace kernelarium::emulator
