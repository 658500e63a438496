// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/control/SharedBarrier.h"

#include "gpu/emulator/checks/MemoryFaults.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/control/AsyncCopy.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <cstring>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 countMask = (1u << 20) - 1;
constexpr u64 bytesMask = (1u << 23) - 1;
constexpr u64 parityBit = u64(1) << 63;

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
    /// The phase ends when nothing is pending any more.
    void settle() {
        if (pending || bytes) return;
        pending = expected;
        parity ^= parityBit;
    }
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

u64 argumentOf(Warp& w, const Inst* ip, u32 lane) {
    if (ip->b.value == ~0u) return 1;
    return ip->aux == SharedBarrier::wait ? lanesOf<u64>(w, ip->b)[lane] : lanesOf<u32>(w, ip->b)[lane];
}

} // namespace

const Inst* sharedBarrier(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a barrier in host code");
    const auto kind = SharedBarrier::Kind(ip->aux);
    if (kind == SharedBarrier::copiesArrive || kind == SharedBarrier::copiesArriveCounted) finishCopies(w);
    u64 at[laneCount];
    addressesOf(w, ip, at);
    const Region region{Region::Kind::shared, w.block->shared, w.block->sharedStates, w.block->sharedBytes, 0, 0,
                        w.block->raceMarks};
    const u32 good = faultyLanes(w, ip, region, at, 8, AccessKind::store), all = w.active;
    // Arriving releases what the warp did, waiting acquires it: both of the block.
    w.active = good;
    if (good && w.raceKey.mine && !waits(kind)) {
        w.block->clocks.fence(w.index, false);
        publishStores(w, ip, region, at);
    }
    u32 over = 0;
    for (u32 m = good; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        u64 word = 0;
        std::memcpy(&word, w.block->shared + at[lane], 8);
        const u64 before = word;
        over |= u32(apply(kind, word, argumentOf(w, ip, lane))) << lane;
        std::memcpy(w.block->shared + at[lane], &word, 8);
        if (region.states)
            std::memset(region.states + at[lane], region.states[at[lane]] | DeviceMemory::stateInitialised, 8);
        if (!waits(kind) && ip->d.value != ~0u) lanesOf<u64>(w, ip->d)[lane] = before;
    }
    if (good && w.raceKey.mine && waits(kind) && over) acquireLoads(w, region, at);
    w.active = all;
    if (waits(kind)) {
        u32& d = *lanesOf<u32>(w, ip->d);
        d = (d & ~all) | (over & all);
        // The others are to get their turn before this warp asks again.
        if (over != all) w.fuel = std::min<std::int64_t>(w.fuel, 0);
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

const Inst* pendingCount(Warp& w, const Inst* ip) {
    const u64* a = lanesOf<u64>(w, ip->a);
    u32* d = lanesOf<u32>(w, ip->d);
    for (u32 m = w.active; m; m &= m - 1)
        d[std::countr_zero(m)] = u32(a[std::countr_zero(m)] & countMask);
    return ip + 1;
}

} // namespace kernelarium::emulator
