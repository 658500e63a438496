// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/BlockRunner.h"
#include "gpu/emulator/run/PhaseWaits.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

/// Lanes of a warp that wait at a barrier.
struct Waiting {
    Warp* warp = nullptr;
    const Split* split = nullptr;
    [[nodiscard]] std::uint32_t lane() const { return std::uint32_t(std::countr_zero(split->active)); }
};

std::vector<Waiting> waitingAt(Block& block, std::optional<std::uint32_t> id) {
    std::vector<Waiting> found;
    for (auto& warp : block.warps)
        for (const Split& s : warp->others)
            if (s.state == Split::State::atBarrier && s.active && (!id || s.barrier == *id))
                found.push_back({warp.get(), &s});
    return found;
}

FaultParty partyOf(const Waiting& w) {
    const Fault f = faultAt(*w.warp, w.split->ip, w.lane());
    return {f.block, f.thread, f.line};
}

std::string lineText(int line) {
    return line ? fmt::format(" at line {}", line) : std::string();
}

} // namespace

void BlockRunner::lookForStrangers(Block& block, std::uint32_t id) {
    const std::vector<InstructionFacts>& sources = m_worker.launch->code->sources;
    const Inst* first = nullptr;
    const auto differs = [&](const Inst* ip) {
        if (!first || first == ip) return first = ip, false;
        return sources[std::size_t(first->source)].userLine != sources[std::size_t(ip->source)].userLine;
    };
    bool strange = false;
    for (auto& warp : block.warps)
        for (const Split& s : warp->others)
            if (s.state == Split::State::atBarrier && s.barrier == id && s.active && s.ip->source >= 0)
                strange |= differs(s.ip);
    if (!strange) return;
    // A barrier with a number of its own is meant to be met from different places: producers and consumers.
    if (block.barriers[id].expected) return;
    const std::vector<Waiting> all = waitingAt(block, id);
    const FaultParty a = partyOf(all.front());
    for (const Waiting& w : all) {
        const FaultParty b = partyOf(w);
        if (b.line == a.line || b.line == 0 || a.line == 0) continue;
        Fault f = faultAt(*w.warp, w.split->ip, w.lane());
        f.kind = "barrier";
        f.other = a;
        f.message =
            fmt::format("Threads of one block meet at different barriers: thread ({}, {}, {}) at line {} and thread "
                        "({}, {}, {}) at line {}. Every thread must reach the same __syncthreads().",
                        b.thread[0], b.thread[1], b.thread[2], b.line, a.thread[0], a.thread[1], a.thread[2], a.line);
        m_worker.launch->faults->add(std::move(f));
        return;
    }
}

void BlockRunner::reportDeadlock(Block& block) {
    const std::vector<Waiting> all = waitingAt(block, std::nullopt);
    if (std::optional<Fault> f = phaseDeadlock(block)) {
        if (!all.empty()) {
            const FaultParty other = partyOf(all.front());
            f->message += fmt::format("; thread ({}, {}, {}){} waits at barrier {}", other.thread[0], other.thread[1],
                                      other.thread[2], lineText(other.line), all.front().split->barrier);
            if (!f->other) f->other = other;
        }
        f->message += '.';
        m_worker.launch->faults->add(std::move(*f));
        return;
    }
    if (all.empty()) return;
    const Waiting& one = all.front();
    const Barrier& barrier = block.barriers[one.split->barrier];
    Fault f = faultAt(*one.warp, one.split->ip, one.lane());
    f.kind = "deadlock";
    const std::uint32_t expected = barrier.expected ? barrier.expected : block.threads - block.finishedThreads;
    f.message = fmt::format("Deadlock: thread ({}, {}, {}){} waits at barrier {}, which {} of {} threads have reached",
                            f.thread[0], f.thread[1], f.thread[2], lineText(f.line), one.split->barrier,
                            barrier.arrived, expected);
    for (const Waiting& w : all) {
        if (w.split->barrier == one.split->barrier) continue;
        f.other = partyOf(w);
        f.message += fmt::format("; thread ({}, {}, {}){} waits at barrier {}", f.other->thread[0], f.other->thread[1],
                                 f.other->thread[2], lineText(f.other->line), w.split->barrier);
        break;
    }
    f.message +=
        block.finishedThreads ? fmt::format("; {} threads have ended.", block.finishedThreads) : std::string(".");
    m_worker.launch->faults->add(std::move(f));
}

} // namespace kernelarium::emulator
