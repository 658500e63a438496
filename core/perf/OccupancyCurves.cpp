// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/OccupancyCurves.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace kernelarium::perf {

namespace {

using u32 = std::uint32_t;

/// The last value of the step in which memory and warps are given out; `value` is in it.
u32 endOfStep(BlockNeed need, u32 value, const MultiprocessorLimits& l) {
    if (need == BlockNeed::registers) return value;
    const u32 unit = need == BlockNeed::threads ? lanesOfWarp : l.sharedUnit;
    const u32 reserved = need == BlockNeed::threads ? 0 : l.reservedSharedBytes;
    return std::max(1u, (value + reserved + unit - 1) / unit) * unit - reserved;
}

u32 leastOf(BlockNeed need) {
    return need == BlockNeed::sharedBytes ? 0 : 1;
}

std::string phrase(BlockNeed need) {
    switch (need) {
    case BlockNeed::threads: return "threads a block";
    case BlockNeed::registers: return "registers a thread";
    case BlockNeed::sharedBytes: return "bytes of shared memory a block";
    }
    return {};
}

nlohmann::json stepsJson(const std::vector<OccupancyStep>& steps) {
    nlohmann::json all = nlohmann::json::array();
    for (const OccupancyStep& s : steps)
        all.push_back({{"need", name(s.need)},
                       {"from", s.from},
                       {"to", s.to},
                       {"blocks", s.blocksTo},
                       {"warps", s.warpsTo},
                       {"text", inWords(s)}});
    return all;
}

} // namespace

std::string_view name(BlockNeed need) {
    switch (need) {
    case BlockNeed::threads: return "threads";
    case BlockNeed::registers: return "registers";
    case BlockNeed::sharedBytes: return "shared_bytes";
    }
    return "threads";
}

std::uint32_t valueOf(const BlockNeeds& needs, BlockNeed need) {
    switch (need) {
    case BlockNeed::threads: return needs.threads;
    case BlockNeed::registers: return needs.registers;
    case BlockNeed::sharedBytes: return needs.sharedBytes;
    }
    return 0;
}

BlockNeeds with(BlockNeeds needs, BlockNeed need, std::uint32_t value) {
    switch (need) {
    case BlockNeed::threads: needs.threads = value; break;
    case BlockNeed::registers: needs.registers = value; break;
    case BlockNeed::sharedBytes: needs.sharedBytes = value; break;
    }
    return needs;
}

std::uint32_t mostOf(BlockNeed need, const MultiprocessorLimits& l) {
    switch (need) {
    case BlockNeed::threads: return l.threadsPerBlock;
    case BlockNeed::registers: return l.registersPerThread;
    case BlockNeed::sharedBytes: return l.sharedBytesPerBlock;
    }
    return 0;
}

std::vector<OccupancyRun> curveOver(BlockNeed need, const BlockNeeds& needs, const MultiprocessorLimits& l) {
    std::vector<OccupancyRun> runs;
    const u32 most = mostOf(need, l);
    for (u32 value = leastOf(need); value <= most;) {
        const u32 end = std::min(endOfStep(need, value, l), most);
        const BlockNeeds tried = with(needs, need, end);
        const u32 blocks = residentBlocks(tried, l);
        const u32 warps = blocks * ((tried.threads + lanesOfWarp - 1) / lanesOfWarp);
        if (!runs.empty() && runs.back().blocks == blocks && runs.back().warps == warps)
            runs.back().to = end;
        else
            runs.push_back({value, end, blocks, warps});
        value = end + 1;
    }
    return runs;
}

namespace {

/// The curve's run that the needs are in, and the curve; none where they are beyond all that is allowed.
struct Place {
    std::vector<OccupancyRun> runs;
    std::size_t here = 0;
};
std::optional<Place> placeOn(BlockNeed need, const BlockNeeds& needs, const MultiprocessorLimits& l) {
    Place place{curveOver(need, needs, l), 0};
    const u32 value = valueOf(needs, need);
    for (const OccupancyRun& run : place.runs) {
        if (value >= run.from && value <= run.to) return place;
        ++place.here;
    }
    return std::nullopt;
}

OccupancyStep stepTo(BlockNeed need, const BlockNeeds& needs, u32 to, const OccupancyRun& now,
                     const OccupancyRun& then) {
    return {need, valueOf(needs, need), to, now.blocks, then.blocks, now.warps, then.warps};
}

bool isKnown(BlockNeed need, const BlockNeeds& needs) {
    return need != BlockNeed::registers || needs.registers > 0;
}

} // namespace

std::vector<OccupancyStep> gainsOf(const BlockNeeds& needs, const MultiprocessorLimits& l) {
    std::vector<OccupancyStep> gains;
    for (const BlockNeed need : {BlockNeed::registers, BlockNeed::sharedBytes, BlockNeed::threads}) {
        const auto place = isKnown(need, needs) ? placeOn(need, needs, l) : std::nullopt;
        if (!place) {
            // More than is allowed: what is allowed is the first step.
            if (!isKnown(need, needs) || valueOf(needs, need) == 0) continue;
            const std::vector<OccupancyRun> runs = curveOver(need, needs, l);
            const auto fits = std::find_if(runs.rbegin(), runs.rend(), [](const auto& run) { return run.blocks > 0; });
            if (fits != runs.rend()) gains.push_back(stepTo(need, needs, fits->to, {}, *fits));
            continue;
        }
        const OccupancyRun& now = place->runs[place->here];
        for (std::size_t i = place->here; i-- > 0;)
            if (place->runs[i].warps > now.warps) {
                gains.push_back(stepTo(need, needs, place->runs[i].to, now, place->runs[i]));
                break;
            }
        if (need != BlockNeed::threads) continue;
        for (std::size_t i = place->here + 1; i < place->runs.size(); ++i)
            if (place->runs[i].warps > now.warps) {
                gains.push_back(stepTo(need, needs, endOfStep(need, place->runs[i].from, l), now, place->runs[i]));
                break;
            }
    }
    return gains;
}

std::vector<OccupancyStep> lossesOf(const BlockNeeds& needs, const MultiprocessorLimits& l) {
    std::vector<OccupancyStep> losses;
    for (const BlockNeed need : {BlockNeed::registers, BlockNeed::sharedBytes}) {
        const auto place = isKnown(need, needs) ? placeOn(need, needs, l) : std::nullopt;
        if (!place) continue;
        const OccupancyRun& now = place->runs[place->here];
        for (std::size_t i = place->here + 1; i < place->runs.size(); ++i)
            if (place->runs[i].warps < now.warps) {
                losses.push_back(stepTo(need, needs, place->runs[i].from, now, place->runs[i]));
                break;
            }
    }
    return losses;
}

std::string inWords(const OccupancyStep& s) {
    const std::string change = fmt::format("{} instead of {} {}", s.to, s.from, phrase(s.need));
    if (s.blocksTo == s.blocksFrom) return fmt::format("{}: {} warps instead of {}", change, s.warpsTo, s.warpsFrom);
    return fmt::format("{}: {} {} instead of {} ({} warps instead of {})", change, s.blocksTo,
                       s.blocksTo == 1 ? "block" : "blocks", s.blocksFrom, s.warpsTo, s.warpsFrom);
}

nlohmann::json occupancyReport(const BlockNeeds& needs, const MultiprocessorLimits& l) {
    nlohmann::json curves = nlohmann::json::object();
    for (const BlockNeed need : blockNeeds) {
        nlohmann::json runs = nlohmann::json::array();
        for (const OccupancyRun& run : curveOver(need, needs, l))
            runs.push_back({{"from", run.from}, {"to", run.to}, {"blocks", run.blocks}, {"warps", run.warps}});
        curves[std::string(name(need))] = std::move(runs);
    }
    return {{"needs",
             {{"threads", needs.threads},
              {"registers", needs.registers},
              {"shared_bytes", needs.sharedBytes},
              {"barriers", needs.barriers}}},
            {"occupancy", toJson(occupancyOf(needs, l))},
            {"gains", stepsJson(gainsOf(needs, l))},
            {"losses", stepsJson(lossesOf(needs, l))},
            {"curves", std::move(curves)}};
}

} // namespace kernelarium::perf
