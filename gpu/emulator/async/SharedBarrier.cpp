// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/SharedBarrier.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/FarVisits.h"
#include "gpu/emulator/async/SharedWindow.h"
#include "gpu/emulator/checks/MemoryFaults.h"
#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/checks/SyncTable.h"
#include "gpu/emulator/control/AsyncCopy.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 countMask = (1u << 20) - 1;
constexpr u64 bytesMask = (1u << 23) - 1;
constexpr u64 parityBit = u64(1) << 63;
constexpr std::int64_t mostBytes = (1 << 20) - 1;

struct BarrierState {
    u64 pending, expected, bytes, parity;
    explicit BarrierState(u64 word)
        : pending(word & countMask)
        , expected(word >> 20 & countMask)
        , bytes(word >> 40 & bytesMask)
        , parity(word & parityBit) {}
    [[nodiscard]] u64 word() const {
        return (pending & countMask) | (expected & countMask) << 20 | (bytes & bytesMask) << 40 | parity;
    }
    /// Bytes that are expected; negative where more came than were.
    [[nodiscard]] std::int64_t balance() const {
        return bytes > bytesMask / 2 ? std::int64_t(bytes) - std::int64_t(bytesMask) - 1 : std::int64_t(bytes);
    }
    /// The phase ends when nothing is pending any more.
    void settle() {
        if ((pending & countMask) || (bytes & bytesMask)) return;
        pending = expected;
        parity ^= parityBit;
    }
};

/// Offsets within the shared memory that the first active lane's address is in, and the lanes that it is in for.
struct Target {
    Block* block = nullptr;
    u32 lanes = 0;
    u64 at[laneCount] = {};
};

void addressesOf(Warp& w, const Inst* ip, u64* at) {
    constexpr u64 inside = (u64(1) << window::shift) - 1;
    for (u32 lane = 0; lane < laneCount; ++lane) {
        u64 base = 0;
        if (!(ip->bits & addressing::noBase))
            base = ip->bits & addressing::wideBase ? lanesOf<u64>(w, ip->a)[lane] : lanesOf<u32>(w, ip->a)[lane];
        at[lane] = (base + u64(ip->imm)) & inside;
    }
}

/// Applies the operation of one lane; gives whether a wait is over (or true).
bool apply(SharedBarrier::Kind kind, u64& word, u64 argument) {
    BarrierState s(word);
    switch (kind) {
    case SharedBarrier::init:
        word = BarrierState(0).word() | (argument & countMask) | (argument & countMask) << 20;
        return true;
    case SharedBarrier::invalidate: return true;
    case SharedBarrier::drop: s.expected -= argument; [[fallthrough]];
    case SharedBarrier::arrive:
    case SharedBarrier::copiesArrive: s.pending -= argument; break;
    case SharedBarrier::copiesArriveCounted: break; // one more is expected, and arrives at once
    case SharedBarrier::dropExpecting: s.expected -= 1; [[fallthrough]];
    case SharedBarrier::arriveExpecting:
        s.bytes += argument;
        s.pending -= 1;
        break;
    case SharedBarrier::expectBytes: s.bytes += argument; break;
    case SharedBarrier::completeBytes: s.bytes -= argument; break;
    case SharedBarrier::wait: return s.parity != (argument & parityBit);
    case SharedBarrier::waitParity: return (s.parity != 0) != ((argument & 1) != 0);
    }
    s.settle();
    word = s.word();
    return true;
}

bool waits(u32 kind) {
    return kind == SharedBarrier::wait || kind == SharedBarrier::waitParity;
}

bool arrives(u32 kind) {
    return kind == SharedBarrier::arrive || kind == SharedBarrier::drop || kind == SharedBarrier::arriveExpecting ||
           kind == SharedBarrier::dropExpecting || kind == SharedBarrier::copiesArrive;
}

u64 argumentOf(Warp& w, const Inst* ip, u32 lane) {
    if (ip->b.value == ~0u) return 1;
    return ip->aux == SharedBarrier::wait ? lanesOf<u64>(w, ip->b)[lane] : lanesOf<u32>(w, ip->b)[lane];
}

/// Phases that end are counted for whoever waits in any block of the cluster.
void noteEnd(Block& block) {
    if (!block.cluster) {
        ++asyncOf(block).ended;
        return;
    }
    for (Block* b : block.cluster->blocks)
        ++asyncOf(*b).ended;
}

void noteChange(Block& block) {
    if (!block.cluster) {
        ++asyncOf(block).changes;
        return;
    }
    for (Block* b : block.cluster->blocks)
        ++asyncOf(*b).changes;
}

u64 barrierVariable(const Block& block, u64 offset) {
    return SyncTable::shared(block.clocks.number(), offset);
}

void report(Warp& w, const Inst* ip, u32 lane, std::string message) {
    reportFault(w, ip, 1u << lane, "mbarrier", std::move(message), false);
}

/// What an operation on the barrier as it is cannot mean.
void checkUse(Warp& w, const Inst* ip, u32 lane, Block& block, u32 offset, u64 word, u64 argument) {
    AsyncWork& async = asyncOf(block);
    const auto note = async.barriers.find(offset);
    const auto kind = SharedBarrier::Kind(ip->aux);
    if (kind == SharedBarrier::init) {
        if (argument == 0 || argument > countMask)
            return report(w, ip, lane,
                          fmt::format("An mbarrier is made for {} arrivals; it takes 1 to {}.", argument, countMask));
        if (note != async.barriers.end() && !note->second.waiting.empty())
            reportAsync(w, ip, lane, "mbarrier",
                        fmt::format("The mbarrier at offset {} of shared memory is made anew while {} waits for its "
                                    "phase {}.",
                                    offset,
                                    partyText(block, {note->second.waiting[0].ip, note->second.waiting[0].warp, 0}),
                                    note->second.phase),
                        block, {note->second.waiting[0].ip, note->second.waiting[0].warp, 0});
        return;
    }
    if (note == async.barriers.end())
        return report(w, ip, lane,
                      fmt::format("There is no mbarrier at offset {} of shared memory: none was made there "
                                  "(mbarrier.init), or it was invalidated.",
                                  offset));
    checkMade(w, ip, lane, block, offset);
    const BarrierState s(word);
    if (arrives(kind)) {
        const bool expecting = kind == SharedBarrier::arriveExpecting || kind == SharedBarrier::dropExpecting;
        const u64 count = expecting ? 1 : argument;
        if (count > s.pending)
            reportAsync(w, ip, lane, "mbarrier",
                        fmt::format("{} threads arrive at the mbarrier at offset {} of shared memory in its phase {}, "
                                    "which {} more are expected in: it was made for {} by {}.",
                                    count, offset, note->second.phase, s.pending, s.expected,
                                    partyText(block, note->second.made)),
                        block, note->second.made);
        if (ip->vector == SharedBarrier::noComplete && count >= s.pending && s.balance() == 0)
            report(w, ip, lane,
                   fmt::format("An arrival that may not end a phase (.noComplete) ends phase {} of the mbarrier at "
                               "offset {} of shared memory.",
                               note->second.phase, offset));
    }
    const bool expects = kind == SharedBarrier::arriveExpecting || kind == SharedBarrier::expectBytes ||
                         kind == SharedBarrier::dropExpecting;
    if (expects && s.balance() + std::int64_t(argument) > mostBytes)
        report(w, ip, lane,
               fmt::format("An mbarrier that expects {} bytes in one phase: it counts {} at most.",
                           s.balance() + std::int64_t(argument), mostBytes));
}

/// After the operation: what the block knows of the barrier.
void follow(Warp& w, const Inst* ip, u32 lane, Block& block, u32 offset, u64 before, u64 after) {
    AsyncWork& async = asyncOf(block);
    const auto kind = SharedBarrier::Kind(ip->aux);
    if (kind == SharedBarrier::init) {
        BarrierNote note;
        note.made = {ip, w.index, lane};
        if (w.block == &block && w.raceKey.mine)
            note.record = recordOf(w, ip) | race::Record(lane) << race::laneShift | race::byteMask;
        async.barriers[offset] = std::move(note);
    }
    if (kind == SharedBarrier::invalidate) async.barriers.erase(offset);
    noteChange(block);
    if (kind == SharedBarrier::init || ((before ^ after) & parityBit) == 0) return;
    if (const auto note = async.barriers.find(offset); note != async.barriers.end()) {
        ++note->second.phase;
        note->second.ender = {ip, w.index, lane};
        note->second.endedBy = w.block;
    }
    noteEnd(block);
    block.clocks.endPhase(barrierVariable(block, offset));
}

/// Arriving releases what the warp did; waiting for the phase acquires it.
void release(Warp& w, const Block& block, const Target& t, SharedBarrier::Kind kind) {
    BlockClocks& clocks = w.block->clocks;
    const bool own = &block == w.block;
    clocks.fence(w.index, !own);
    const BlockClocks::Release release = clocks.release(w.index);
    for (u32 m = w.active; m; m &= m - 1) {
        const u64 variable = barrierVariable(block, t.at[std::countr_zero(m)]);
        if (kind == SharedBarrier::init)
            clocks.forget(variable);
        else
            clocks.publish(variable, release);
    }
    if (!own) w.worker->launch->syncs->note(clocks.number(), release);
    w.raceKey = clocks.key(w.index);
}

/// A wait that is not over: who it is, so that two phases that end under it are seen.
void noteWaiting(Warp& w, const Inst* ip, u32 lane, Block& block, u32 offset, bool over) {
    const auto found = asyncOf(block).barriers.find(offset);
    if (found == asyncOf(block).barriers.end() || &block != w.block) return;
    BarrierNote& note = found->second;
    for (std::size_t k = 0; k < note.waiting.size(); ++k) {
        BarrierNote::Waiting& one = note.waiting[k];
        if (one.warp != w.index || one.ip != ip) continue;
        if (!over && note.phase > one.phase + 1) {
            reportAsync(w, ip, lane, "mbarrier",
                        fmt::format("The mbarrier at offset {} of shared memory ended phases {} and {} while a thread "
                                    "waited for the first of them, the last by {}: whoever fills the stage again did "
                                    "not wait for its readers.",
                                    offset, one.phase, one.phase + 1, partyText(*note.endedBy, note.ender)),
                        *note.endedBy, note.ender);
            one.phase = note.phase;
        }
        if (over) note.waiting.erase(note.waiting.begin() + std::ptrdiff_t(k));
        return;
    }
    if (!over) note.waiting.push_back({w.index, ip, note.phase});
}

u32 operate(Warp& w, const Inst* ip, Target& t) {
    const auto kind = SharedBarrier::Kind(ip->aux);
    Block& block = *t.block;
    const bool own = &block == w.block;
    const Region region{Region::Kind::shared,
                        block.shared,
                        block.sharedStates,
                        block.sharedBytes,
                        0,
                        0,
                        own ? block.raceMarks : race::Marks{}};
    w.active = t.lanes;
    const u32 good = faultyLanes(w, ip, region, t.at, 8, AccessKind::store);
    w.active = good;
    if (good && !own) {
        const auto lane = u32(std::countr_zero(good));
        noteVisit(w, ip, lane, block, u32(t.at[lane]));
    }
    if (good && w.raceKey.mine && !waits(kind)) release(w, block, t, kind);
    u32 over = 0;
    for (u32 m = good; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        u64 word = 0;
        std::memcpy(&word, block.shared + t.at[lane], 8);
        const u64 before = word, argument = argumentOf(w, ip, lane);
        const auto offset = u32(t.at[lane]);
        if (w.worker->checks && kind != SharedBarrier::copiesArriveCounted)
            checkUse(w, ip, lane, block, offset, word, argument);
        const bool done = apply(kind, word, argument);
        over |= u32(done) << lane;
        std::memcpy(block.shared + t.at[lane], &word, 8);
        if (region.states)
            for (u32 k = 0; k < 8; ++k)
                region.states[t.at[lane] + k] |= DeviceMemory::stateInitialised;
        if (!waits(kind) && ip->d.value != ~0u) lanesOf<u64>(w, ip->d)[lane] = before;
        if (waits(kind))
            noteWaiting(w, ip, lane, block, offset, done);
        else
            follow(w, ip, lane, block, offset, before, word);
    }
    if (over && w.raceKey.mine && own) {
        w.active = over;
        if (waits(kind)) acquireLoads(w, region, t.at, true);
    }
    return over;
}

} // namespace

const Inst* sharedBarrier(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a barrier in host code");
    const auto kind = SharedBarrier::Kind(ip->aux);
    if (kind == SharedBarrier::copiesArrive || kind == SharedBarrier::copiesArriveCounted) finishCopies(w);
    u64 at[laneCount];
    addressesOf(w, ip, at);
    const u32 all = w.active;
    u32 over = 0;
    for (u32 rest = all; rest;) {
        Target t;
        const u64 first = at[std::countr_zero(rest)];
        const u32 rank = rankAt(*w.block, first);
        for (u32 m = rest; m; m &= m - 1) {
            const auto lane = u32(std::countr_zero(m));
            if (rankAt(*w.block, at[lane]) == rank) t.lanes |= 1u << lane;
            t.at[lane] = sharedOffset(at[lane]);
        }
        rest &= ~t.lanes;
        t.block = blockAt(*w.block, first);
        if (!t.block) {
            reportFault(w, ip, t.lanes, "out_of_bounds",
                        fmt::format("An mbarrier of the block of rank {}, which the cluster does not have or which "
                                    "has ended.",
                                    rank),
                        true);
            continue;
        }
        over |= operate(w, ip, t);
    }
    w.active = all;
    if (w.pause == Pause::stop) return nullptr;
    if (!waits(kind)) return ip + 1;
    u32& d = *lanesOf<u32>(w, ip->d);
    d = (d & ~all) | (over & all);
    if (over) return ip + 1;
    // Under a guard the warp cannot be set aside in the middle of the pair: the others get their turn before it asks
    // again.
    if ((ip - 1)->fn == predicated) {
        w.fuel = std::min<std::int64_t>(w.fuel, 0);
        return ip + 1;
    }
    w.ip = ip;
    w.pause = Pause::phase;
    return nullptr;
}

const Inst* pendingCount(Warp& w, const Inst* ip) {
    const u64* a = lanesOf<u64>(w, ip->a);
    u32* d = lanesOf<u32>(w, ip->d);
    for (u32 m = w.active; m; m &= m - 1)
        d[std::countr_zero(m)] = u32(a[std::countr_zero(m)] & countMask);
    return ip + 1;
}

void checkMade(Warp& w, const Inst* ip, u32 lane, Block& block, u32 offset) {
    AsyncWork& async = asyncOf(block);
    const auto note = async.barriers.find(offset);
    if (note == async.barriers.end() || note->second.record == 0 || !w.raceKey.mine) return;
    if (isOrdered(w, note->second.record)) return;
    note->second.record = 0;
    reportAsync(
        w, ip, lane, "mbarrier",
        fmt::format("The mbarrier at offset {} of shared memory is used, although nothing orders that after its "
                    "making by {}: there has to be a barrier{} in between.",
                    offset, partyText(block, note->second.made), &block == w.block ? "" : " of the cluster"),
        block, note->second.made);
}

std::string missingOf(u64 word) {
    const BarrierState s(word);
    // The count goes below zero where more arrive than are expected.
    const bool tooMany = s.pending > s.expected;
    std::string text =
        tooMany ? fmt::format("its count of {} arrivals is exceeded by {}", s.expected, countMask + 1 - s.pending)
                : fmt::format("{} of {} arrivals", s.pending, s.expected);
    if (s.balance() > 0) text += fmt::format("{} {} bytes", tooMany ? "," : " and", s.balance());
    if (!tooMany || s.balance() > 0) text += " are missing";
    if (s.balance() < 0) text += fmt::format(", and {} bytes more came than were expected", -s.balance());
    return text;
}

bool completeBytes(Block& block, u32 offset, u32 bytes, const Block& issuer, const AsyncParty& by) {
    if (offset % 8 || offset + 8 > block.sharedBytes) return false;
    AsyncWork& async = asyncOf(block);
    const auto note = async.barriers.find(offset);
    u64 word = 0;
    std::memcpy(&word, block.shared + offset, 8);
    const u64 before = word;
    apply(SharedBarrier::completeBytes, word, bytes);
    std::memcpy(block.shared + offset, &word, 8);
    noteChange(block);
    if ((before ^ word) & parityBit) {
        if (note != async.barriers.end()) {
            ++note->second.phase;
            note->second.ender = by;
            note->second.endedBy = &issuer;
        }
        noteEnd(block);
        block.clocks.endPhase(barrierVariable(block, offset));
    }
    return note != async.barriers.end();
}

} // namespace kernelarium::emulator
