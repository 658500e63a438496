// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/RegisterPool.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/Products.h"
#include "gpu/emulator/control/Control.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;

u32 warpsIn(const Block& block) {
    return (block.threads + laneCount - 1) / laneCount;
}

/// f(registers that the warp holds, lacking ones), for those of the warpgroup that have not so many.
template <class F> void eachLacking(const Block& block, RegisterPool& pool, u32 warp, u32 target, F f) {
    const u32 first = warp / warpsOfGroup * warpsOfGroup;
    for (u32 v = first; v < std::min(first + warpsOfGroup, warpsIn(block)); ++v)
        if (block.warps[v]->live && pool.held[v] < target) f(pool.held[v], target - pool.held[v]);
}

u32 neededBy(const Block& block, RegisterPool& pool, u32 warp, u32 target) {
    u32 sum = 0;
    eachLacking(block, pool, warp, target, [&](std::uint16_t&, u32 lacking) { sum += lacking; });
    return sum;
}

/// What ptxas gave each thread, as it is handed out: in eights.
u32 startOf(const Warp& w) {
    const LaunchState& launch = *w.worker->launch;
    const u32 said = launch.code->bodies[launch.config->function].startRegisters;
    if (said == 0) return 0;
    return (std::max(said, launch.config->registersPerThread) + 7) / 8 * 8;
}

} // namespace

const Inst* setRegisters(Warp& w, const Inst* ip) {
    const u32 start = w.block && w.index < BlockClocks::warpLimit ? startOf(w) : 0;
    if (start == 0) return ip + 1;
    AsyncWork& async = asyncOf(*w.block);
    RegisterPool& pool = async.registers;
    if (pool.start == 0) {
        pool.start = start;
        pool.held.fill(std::uint16_t(start));
    }
    std::uint16_t& held = pool.held[w.index];
    const auto target = std::uint16_t(ip->imm);
    if (!ip->bits) {
        if (held <= target) return ip + 1;
        pool.free += u32(held - target);
        held = target;
        if (std::exchange(pool.isAwaited, false)) ++async.ended;
        return ip + 1;
    }
    if (held >= target) return ip + 1;
    if (neededBy(*w.block, pool, w.index, target) <= pool.free) {
        eachLacking(*w.block, pool, w.index, target, [&](std::uint16_t& has, u32 lacking) {
            has = target;
            pool.free -= lacking;
        });
        return ip + 1;
    }
    if ((ip - 1)->fn == predicated) return ip + 1; // .aligned: it is no guard that tells lanes apart
    pool.isAwaited = true;
    w.ip = ip;
    w.pause = Pause::phase;
    return nullptr;
}

std::string lackOfRegisters(Block& block, u32 warp, const Inst* ip) {
    RegisterPool& pool = asyncOf(block).registers;
    const auto target = u32(ip->imm);
    u32 warps = 0, sum = 0;
    eachLacking(block, pool, warp, target, [&](std::uint16_t&, u32 lacking) {
        ++warps;
        sum += lacking;
    });
    return fmt::format("{} registers a thread (setmaxnreg.inc), {} more in each of {} warps, {} in all; the block was "
                       "launched with {} in each of {} warps, of which {} were given back (setmaxnreg.dec) and are "
                       "free",
                       target, warps ? sum / warps : 0, warps, sum, pool.start, warpsIn(block), pool.free);
}

} // namespace kernelarium::emulator
