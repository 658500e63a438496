// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/FarAccess.h"

#include "gpu/emulator/async/Elsewhere.h"
#include "gpu/emulator/async/FarVisits.h"
#include "gpu/emulator/async/SharedWindow.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

bool isFar(u64 address, bool generic) {
    if (generic && address >> window::shift != window::shared >> window::shift) return false;
    return (address & ((u64(1) << window::shift) - 1)) >> rankShift != 0;
}

} // namespace

const Inst* farAccess(Warp& w, const Inst* ip) {
    const FarAccess& access = w.worker->launch->code->farAccesses[ip->aux];
    const bool generic = (ip->vector & 1) != 0, wide = (ip->vector & 2) != 0;
    u64 at[laneCount];
    readAddresses(w, &access.plain, wide, at);
    u32 far = 0;
    for (u32 m = w.active; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        far |= u32(isFar(at[lane], generic)) << lane;
    }
    const u32 all = w.active;
    if (w.active &= ~far) access.plain.fn(w, &access.plain);
    for (u32 rest = far; rest && w.block;) {
        const u64 first = at[std::countr_zero(rest)];
        const u32 rank = rankAt(*w.block, first);
        u32* offsets = reinterpret_cast<u32*>(w.specials.data() + special::farOffset * special::bytes);
        u32 same = 0;
        for (u32 m = rest; m; m &= m - 1) {
            const auto lane = u32(std::countr_zero(m));
            if (rankAt(*w.block, at[lane]) != rank) continue;
            same |= 1u << lane;
            offsets[lane] = sharedOffset(at[lane]);
        }
        rest &= ~same;
        w.active = same;
        const Block* block = blockAt(*w.block, first);
        if (block == w.block) {
            access.far.fn(w, &access.far);
        } else if (block) {
            const auto lane = u32(std::countr_zero(same));
            noteVisit(w, ip, lane, *block, offsets[lane]);
            const Elsewhere elsewhere(w, *block);
            access.far.fn(w, &access.far);
        } else {
            reportFault(
                w, ip, same, "out_of_bounds",
                fmt::format("An access of the shared memory of the block of rank {}, which the cluster does not "
                            "have or which has ended.",
                            rank),
                true);
        }
    }
    w.active = all;
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

const Inst* mapAddress(Warp& w, const Inst* ip) {
    const bool wide = (ip->bits & 1) != 0;
    for (u32 m = w.active; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        const u32 rank = lanesOf<u32>(w, ip->b)[lane];
        const u32 size = w.block && w.block->cluster ? u32(w.block->cluster->blocks.size()) : 1;
        if (rank >= size)
            reportFault(w, ip, 1u << lane, "out_of_bounds",
                        fmt::format("mapa to the block of rank {}; the cluster has {}.", rank, size), false);
        const u64 a = wide ? lanesOf<u64>(w, ip->a)[lane] : lanesOf<u32>(w, ip->a)[lane];
        const u64 mapped = (a & ~(u64(0xff) << rankShift)) | u64(rank + 1) << rankShift;
        if (wide)
            lanesOf<u64>(w, ip->d)[lane] = mapped;
        else
            lanesOf<u32>(w, ip->d)[lane] = u32(mapped);
    }
    return ip + 1;
}

const Inst* rankOfAddress(Warp& w, const Inst* ip) {
    const bool wide = (ip->bits & 1) != 0;
    for (u32 m = w.active; m && w.block; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        const u64 a = wide ? lanesOf<u64>(w, ip->a)[lane] : lanesOf<u32>(w, ip->a)[lane];
        lanesOf<u32>(w, ip->d)[lane] = rankAt(*w.block, a);
    }
    return ip + 1;
}

const Inst* isOwnShared(Warp& w, const Inst* ip) {
    const u64* a = lanesOf<u64>(w, ip->a);
    u32& d = *lanesOf<u32>(w, ip->d);
    for (u32 m = w.active; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        const bool own = a[lane] >> window::shift == window::shared >> window::shift &&
                         (!w.block || rankAt(*w.block, a[lane]) == w.block->rank);
        d = (d & ~(1u << lane)) | u32(own) << lane;
    }
    return ip + 1;
}

const Inst* inCluster(Warp& w, const Inst* ip) {
    std::uint32_t& d = *lanesOf<std::uint32_t>(w, ip->d);
    d = (d & ~w.active) | (w.block && w.block->cluster ? w.active : 0);
    return ip + 1;
}

const Inst* electLane(Warp& w, const Inst* ip) {
    meetLanes(w);
    const auto leader = u32(std::countr_zero(w.active));
    if (ip->d.value != ~0u)
        for (u32 m = w.active; m; m &= m - 1)
            lanesOf<u32>(w, ip->d)[std::countr_zero(m)] = leader;
    u32& p = *lanesOf<u32>(w, ip->e);
    p = (p & ~w.active) | (1u << leader);
    return ip + 1;
}

} // namespace kernelarium::emulator
