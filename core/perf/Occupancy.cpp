// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Occupancy.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace kernelarium::perf {

namespace {

using u32 = std::uint32_t;

u32 roundUp(u32 value, u32 unit) {
    return (value + unit - 1) / unit * unit;
}

u32 blocksByRegisters(u32 registers, u32 warps, const MultiprocessorLimits& l) {
    if (registers == 0) return l.blocks;
    if (registers > l.registersPerThread) return 0;
    const u32 perWarp = l.registersOfWarp(registers);
    if (perWarp * warps > l.registersPerBlock) return 0;
    const u32 fitting = l.registers / perWarp / l.warpUnit * l.warpUnit;
    return fitting / warps;
}

u32 blocksByShared(u32 bytes, const MultiprocessorLimits& l) {
    if (bytes > l.sharedBytesPerBlock) return 0;
    const u32 each = roundUp(bytes + l.reservedSharedBytes, l.sharedUnit);
    return each == 0 ? l.blocks : l.sharedBytes / each;
}

u32 blocksByBarriers(u32 barriers, const MultiprocessorLimits& l) {
    return barriers == 0 || l.barriers == 0 ? l.blocks : l.barriers / barriers;
}

u32 warpsOfBlock(const BlockNeeds& needs) {
    return roundUp(needs.threads, lanesOfWarp) / lanesOfWarp;
}

u32 blocksByWarps(u32 warps, const MultiprocessorLimits& l) {
    return std::min(l.warps, l.threads / lanesOfWarp) / warps;
}

/// Conditions under which `blocks` fit; empty where only a smaller block would do what no block size can.
std::string oneMoreBlock(const BlockNeeds& needs, u32 warps, u32 blocks, const Occupancy& now,
                         const MultiprocessorLimits& l) {
    if (blocks > l.blocks) return {};
    std::vector<std::string> conditions;
    if (now.byWarps < blocks) {
        const u32 threads = std::min(l.warps, l.threads / lanesOfWarp) / blocks * lanesOfWarp;
        if (threads == 0) return {};
        conditions.push_back(fmt::format("at most {} threads a block (it has {})", threads, needs.threads));
    }
    if (now.byRegisters < blocks) {
        u32 registers = needs.registers;
        while (registers > 0 && blocksByRegisters(registers, warps, l) < blocks)
            --registers;
        if (registers == 0) return {};
        conditions.push_back(fmt::format("at most {} registers a thread (it takes {})", registers, needs.registers));
    }
    if (now.byShared < blocks) {
        const u32 each = l.sharedBytes / blocks / l.sharedUnit * l.sharedUnit;
        if (each <= l.reservedSharedBytes) return {};
        conditions.push_back(fmt::format("at most {} bytes of shared memory a block (it takes {})",
                                         each - l.reservedSharedBytes, needs.sharedBytes));
    }
    if (now.byBarriers < blocks)
        conditions.push_back(
            fmt::format("at most {} barriers a block (it has {})", l.barriers / blocks, needs.barriers));
    return conditions.empty() ? std::string() : fmt::format("One more block needs {}.", fmt::join(conditions, " and "));
}

} // namespace

std::string_view name(OccupancyLimit limit) {
    switch (limit) {
    case OccupancyLimit::warps: return "warps";
    case OccupancyLimit::blocks: return "blocks";
    case OccupancyLimit::registers: return "registers";
    case OccupancyLimit::shared: return "shared_memory";
    case OccupancyLimit::barriers: return "barriers";
    case OccupancyLimit::doesNotFit: return "does_not_fit";
    }
    return "does_not_fit";
}

std::vector<OccupancyLimit> Occupancy::limits() const {
    std::vector<OccupancyLimit> all;
    if (blocks == 0) return all;
    if (byWarps == blocks) all.push_back(OccupancyLimit::warps);
    if (byBlocks == blocks) all.push_back(OccupancyLimit::blocks);
    if (blocks == byBlocks) return all; // what allows as many is no limit beside that one
    if (byRegisters == blocks) all.push_back(OccupancyLimit::registers);
    if (byShared == blocks) all.push_back(OccupancyLimit::shared);
    if (byBarriers == blocks) all.push_back(OccupancyLimit::barriers);
    return all;
}

std::uint32_t residentBlocks(const BlockNeeds& needs, const MultiprocessorLimits& l) {
    if (needs.threads == 0 || needs.threads > l.threadsPerBlock) return 0;
    const u32 warps = warpsOfBlock(needs);
    return std::min({blocksByWarps(warps, l), l.blocks, blocksByRegisters(needs.registers, warps, l),
                     blocksByShared(needs.sharedBytes, l), blocksByBarriers(needs.barriers, l)});
}

Occupancy occupancyOf(const BlockNeeds& needs, const MultiprocessorLimits& l) {
    Occupancy o;
    if (needs.threads == 0 || needs.threads > l.threadsPerBlock) return o;
    const u32 warps = warpsOfBlock(needs);
    o.byWarps = blocksByWarps(warps, l);
    o.byBlocks = l.blocks;
    o.byRegisters = blocksByRegisters(needs.registers, warps, l);
    o.byShared = blocksByShared(needs.sharedBytes, l);
    o.byBarriers = blocksByBarriers(needs.barriers, l);
    o.blocks = residentBlocks(needs, l);
    o.warps = o.blocks * warps;
    o.share = double(o.warps) / l.warps;
    if (o.blocks == 0) {
        o.oneMore = oneMoreBlock(needs, warps, 1, o, l);
        return o;
    }
    o.limit = o.limits().front();
    if (o.warps < l.warps) o.oneMore = oneMoreBlock(needs, warps, o.blocks + 1, o, l);
    return o;
}

BlockChoice bestBlock(BlockNeeds needs, const MultiprocessorLimits& l, std::uint32_t blockLimit) {
    const u32 largest = blockLimit ? std::min(blockLimit, l.threadsPerBlock) : l.threadsPerBlock;
    BlockChoice best;
    for (u32 threads = roundUp(largest, lanesOfWarp); threads >= lanesOfWarp; threads -= lanesOfWarp) {
        needs.threads = std::min(threads, largest);
        const u32 blocks = residentBlocks(needs, l);
        if (blocks * needs.threads > best.blocks * best.threads) best = {needs.threads, blocks};
    }
    return best;
}

nlohmann::json toJson(const Occupancy& o) {
    nlohmann::json limits = nlohmann::json::array();
    for (const OccupancyLimit limit : o.limits())
        limits.push_back(name(limit));
    return {{"blocks", o.blocks},
            {"warps", o.warps},
            {"share", o.share},
            {"limit", name(o.limit)},
            {"limits", std::move(limits)},
            {"blocks_by",
             {{"warps", o.byWarps},
              {"blocks", o.byBlocks},
              {"registers", o.byRegisters},
              {"shared_memory", o.byShared},
              {"barriers", o.byBarriers}}},
            {"one_more", o.oneMore}};
}

} // namespace kernelarium::perf
