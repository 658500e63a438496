// SPDX-License-Identifier: GPL-3.0-or-later
//
// bar, barrier, bar.warp and fences, as instructions of one warp.
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/control/Control.h"

#include <algorithm>
#include <bit>
#include <string>

namespace kernelarium::emulator {

namespace {

template <class T> T* operandLanes(Warp& w, Opd o) {
    return reinterpret_cast<T*>(w.base[o.segment()] + o.offset());
}

/// All who meet at a barrier must expect the same number of threads, whole warps of them.
void noteCount(Warp& w, const Inst* ip, Barrier& b, std::uint32_t count) {
    if (w.worker->checks && count % laneCount)
        reportFault(w, ip, w.active, "barrier",
                    "A barrier expects " + std::to_string(count) + " threads, which are not whole warps.", false);
    if (w.worker->checks && b.expected && b.expected != count)
        reportFault(w, ip, w.active, "barrier",
                    "A barrier expects " + std::to_string(count) + " threads here, but " + std::to_string(b.expected) +
                        " where others have arrived.",
                    false);
    b.expected = count;
}

} // namespace

const Inst* sleep(Warp& w, const Inst* ip) {
    w.fuel = std::min<std::int64_t>(w.fuel, 0);
    return ip + 1;
}

const Inst* fence(Warp& w, const Inst* ip) {
    if (w.block) raceFence(w, (ip->bits & 1) != 0);
    return ip + 1;
}

const Inst* barrier(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a barrier in host code");
    const std::uint32_t id = *operandLanes<std::uint32_t>(w, ip->a);
    if (id >= 16) return trap(w, ip, "a barrier number above 15");
    Barrier& b = w.block->barriers[id];
    if (ip->bits & 1) {
        noteCount(w, ip, b, operandLanes<std::uint32_t>(w, ip->b)[std::countr_zero(w.active)]);
        if (w.raceKey.mine) {
            w.block->clocks.arrive(w.index, id);
            w.raceKey = w.block->clocks.key(w.index);
        }
    }
    b.arrived += std::uint32_t(std::popcount(w.active));
    if (ip->bits & 4) {
        const std::uint32_t p = *operandLanes<std::uint32_t>(w, ip->e) ^ (ip->bits & 8 ? ~0u : 0u);
        w.block->barrierPopc[id] += std::uint32_t(std::popcount(p & w.active));
        w.block->unknownVotes |= w.unknown != 0;
    }
    const bool arrivesOnly = (ip->bits & 2) != 0;
    if (arrivesOnly && b.arrived < b.expected) return ip + 1;
    w.ip = arrivesOnly ? ip + 1 : ip;
    w.pause = arrivesOnly ? Pause::arrived : Pause::barrier;
    w.pauseArgument = id;
    return nullptr;
}

const Inst* warpBarrier(Warp& w, const Inst* ip) {
    const std::uint32_t members = operandLanes<std::uint32_t>(w, ip->a)[std::countr_zero(w.active)];
    meetLanes(w);
    // Nobody else of the mask is around: nothing to wait for.
    if ((members & w.live & ~w.active) == 0) return ip + 1;
    w.ip = ip + 1;
    w.pause = Pause::warpSync;
    w.pauseArgument = members;
    return nullptr;
}

} // namespace kernelarium::emulator
