// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/PhaseWaits.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/BulkCopies.h"
#include "gpu/emulator/async/ClusterBarrier.h"
#include "gpu/emulator/async/Products.h"
#include "gpu/emulator/async/RegisterPool.h"
#include "gpu/emulator/async/SharedBarrier.h"
#include "gpu/emulator/async/SharedWindow.h"
#include "gpu/emulator/run/Splits.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

/// How often waits come back false with nothing done about any barrier before it is a deadlock.
constexpr std::uint32_t patienceOfWaits = 256;

/// Operands of a split that is not loaded.
const std::byte* operandOf(const Warp& w, const Split& s, Opd o) {
    const std::byte* base =
        o.segment() == Opd::frame ? w.registers.data() + s.frames.back().registerBase : w.base[o.segment()];
    return base + o.offset();
}

std::uint64_t addressOf(const Warp& w, const Split& s, std::uint32_t lane) {
    const Inst* ip = s.ip;
    std::uint64_t base = 0;
    if (!(ip->bits & addressing::noBase)) {
        const bool wide = (ip->bits & addressing::wideBase) != 0;
        std::memcpy(&base, operandOf(w, s, ip->a) + lane * (wide ? 8 : 4), wide ? 8 : 4);
    }
    return base + std::uint64_t(ip->imm);
}

template <class F> void eachWaiting(Block& block, F f) {
    for (auto& warp : block.warps)
        for (Split& s : warp->others)
            if (s.state == Split::State::atPhase && s.active) f(*warp, s);
}

/// What a split waits for: which of the instructions that wait, and which mbarrier.
std::pair<Handler, std::uint64_t> awaitedBy(const Warp& w, const Split& s) {
    if (s.ip->fn != sharedBarrier) return {s.ip->fn, 0};
    return {s.ip->fn, addressOf(w, s, std::uint32_t(std::countr_zero(s.active)))};
}

std::string waitText(Block& block, Warp& w, const Split& s) {
    const auto lane = std::uint32_t(std::countr_zero(s.active));
    const AsyncParty party{s.ip, w.index, lane};
    if (s.ip->fn == clusterWait) {
        const Cluster& cluster = *block.cluster;
        return fmt::format("{} waits at the cluster's barrier, which {} threads have reached", partyText(block, party),
                           cluster.arrived);
    }
    if (s.ip->fn == waitProducts) {
        const std::uint64_t groups = asyncOf(block).productGroups[w.index] - std::uint64_t(s.ip->imm);
        const std::uint32_t behind = warpBehind(block, w.index, groups).value_or(w.index);
        return fmt::format("{} waits for products of its warpgroup, which warp {} has not begun",
                           partyText(block, party), behind);
    }
    if (s.ip->fn == setRegisters)
        return fmt::format("{} waits for {}", partyText(block, party), lackOfRegisters(block, w.index, s.ip));
    const std::uint64_t address = addressOf(w, s, lane);
    const std::uint32_t offset = sharedOffset(address);
    std::uint64_t word = 0;
    if (offset + 8 <= block.sharedBytes) std::memcpy(&word, block.shared + offset, 8);
    const auto note = asyncOf(block).barriers.find(offset);
    if (note == asyncOf(block).barriers.end())
        return fmt::format("{} waits for an mbarrier at offset {} of shared memory, where there is none",
                           partyText(block, party), offset);
    return fmt::format("{} waits for phase {} of the mbarrier at offset {} of shared memory, made by {}: {}",
                       partyText(block, party), note->second.phase, offset, partyText(block, note->second.made),
                       missingOf(word));
}

} // namespace

bool wakeWaiting(Block& block) {
    AsyncWork& async = asyncOf(block);
    if (async.ended == async.seenEnded) return false;
    async.seenEnded = async.ended;
    for (auto& warp : block.warps) {
        bool any = false;
        for (Split& s : warp->others)
            if (s.state == Split::State::atPhase) {
                s.state = Split::State::ready;
                any = true;
            }
        if (any && warp->others.size() > 1) mergeSplits(*warp);
    }
    return true;
}

bool relieve(Block& block, bool idle) {
    AsyncWork& async = asyncOf(block);
    if (wakeWaiting(block)) return true;
    bool performed = false;
    while (performOldest(block)) {
        performed = true;
        if (wakeWaiting(block)) return true;
    }
    if (performed) return true;
    if (!idle) return false;
    if (async.changes != async.changesThen) async.fruitless = 0;
    async.changesThen = async.changes;
    if (++async.fruitless > patienceOfWaits) return false;
    bool any = false;
    eachWaiting(block, [&](Warp& w, Split& s) {
        if (s.ip->fn != sharedBarrier) return;
        std::uint32_t d = 0;
        auto* at = const_cast<std::byte*>(operandOf(w, s, s.ip->d));
        std::memcpy(&d, at, 4);
        d &= ~s.active;
        std::memcpy(at, &d, 4);
        ++s.ip;
        s.state = Split::State::ready;
        any = true;
    });
    return any;
}

std::string_view placeOfWaits(Block& block) {
    std::string_view place;
    eachWaiting(block, [&](Warp&, Split& s) {
        if (!place.empty()) return; // the first one is the one that is reported
        place = s.ip->fn == clusterWait    ? "at the cluster's barrier"
                : s.ip->fn == waitProducts ? "for products"
                : s.ip->fn == setRegisters ? "for registers"
                                           : "at mbarriers";
    });
    return place.empty() ? "at barriers" : place;
}

std::optional<Fault> phaseDeadlock(Block& block) {
    std::optional<Fault> found;
    std::pair<Handler, std::uint64_t> awaited;
    eachWaiting(block, [&](Warp& w, Split& s) {
        const auto lane = std::uint32_t(std::countr_zero(s.active));
        const std::string text = waitText(block, w, s);
        if (!found) {
            awaited = awaitedBy(w, s);
            found = faultAt(w, s.ip, lane);
            found->kind = "deadlock";
            found->message = "Deadlock: " + text;
        } else if (!found->other && (awaitedBy(w, s) != awaited || faultAt(w, s.ip, lane).line != found->line)) {
            // All may wait in one helper function, at the same line.
            found->other = faultParty(block, {s.ip, w.index, lane});
            found->message += "; " + text;
        }
    });
    return found;
}

} // namespace kernelarium::emulator
