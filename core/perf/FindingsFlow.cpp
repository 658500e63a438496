// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings about which lanes and warps do the work.
#include "core/perf/MultiprocessorLimits.h"
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

constexpr double LineCounters::*const computing[] = {
    &LineCounters::issueSlots, &LineCounters::integer, &LineCounters::fp32,   &LineCounters::fp64,
    &LineCounters::fp16,       &LineCounters::special, &LineCounters::convert};

double fullness(const LineCounters& l) {
    return l.warpInstructions > 0 ? l.threadInstructionsOn / (lanesOfWarp * l.warpInstructions) : 1;
}

LineCounters converged(LineCounters l) {
    const double share = fullness(l);
    for (const auto field : computing)
        l.*field *= share;
    return l;
}

double lostLanes(const LineCounters& l) {
    return fullness(l) < 0.95 ? l.issueSlots * (1 - fullness(l)) : 0;
}

/// The branch that parts the lanes of `line`: the nearest above it that does so often.
const LineCounters* partingBranch(const LaunchCounters& launch, int line) {
    const LineCounters* nearest = nullptr;
    for (const LineCounters& l : launch.lines)
        if (l.line > 0 && l.line <= line && l.divergentBranches > 0) nearest = &l;
    return nearest;
}

} // namespace

void findDivergence(const Look& look, Findings& found) {
    const LineCounters* worst = heaviestLine(look.c, lostLanes);
    if (!worst) return;
    WhatIf ideal(look.c, look.device);
    double slots = 0;
    for (const LineCounters& line : look.c.lines)
        if (lostLanes(line) > 0) {
            ideal.replace(line, converged(line));
            slots += line.issueSlots;
        }
    std::string what = fmt::format(
        "only {} of 32 lanes work here; lines with idle lanes make up {} of all instructions",
        quantities::number(lanesOfWarp * fullness(*worst)), quantities::percent(slots / look.c.totals.issueSlots));
    if (const LineCounters* branch = partingBranch(look.c, worst->line); branch && branch->branches > 0)
        what += fmt::format(": the branch in line {} splits {} of the warps that reach it", branch->line,
                            quantities::percent(branch->divergentBranches / branch->branches));
    found.push_back(look.finding(FindingKind::divergence, worst->line, look.gain(ideal), Confidence::medium,
                                 std::move(what),
                                 "Keep the lanes of a warp together: let whole warps, not lanes, take the branch, or "
                                 "replace it by a selection."));
}

namespace {

void findBarriers(const Look& look, Findings& found) {
    const LineCounters& t = look.c.totals;
    if (t.barrierWaits <= 0) return;
    WhatIf ideal(look.c, look.device);
    ideal.totals().barrierWaits = 0;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.barrierWaits; });
    found.push_back(look.finding(FindingKind::barriers, line ? line->line : 0, look.gain(ideal), Confidence::low,
                                 fmt::format("warps wait at a barrier {} times, once in {} instructions",
                                             quantities::count(t.barrierWaits),
                                             quantities::number(t.warpInstructions / t.barrierWaits)),
                                 "Do more between two barriers: larger tiles, two buffers instead of one, or shuffles "
                                 "within a warp."));
}

} // namespace

void findImbalance(const Look& look, Findings& found) {
    findBarriers(look, found);
    const double warps = std::ceil(look.c.threadsPerBlock() / lanesOfWarp) * look.c.blocks();
    const double mean = warps > 0 ? look.c.totals.warpInstructions / warps : 0;
    if (mean <= 0 || look.c.longestWarp < 2 * mean) return;
    double latency = 0;
    for (const TimeTerm& term : look.now.terms)
        if (term.name == "latency") latency = term.seconds;
    const double oneWarp = latency / std::max(1.0, std::ceil(look.now.waves));
    const double longest = oneWarp * look.c.longestWarp / mean + look.device.launchSeconds;
    found.push_back(look.finding(
        FindingKind::imbalance, 0, std::max(0.0, longest - look.now.seconds), Confidence::low,
        fmt::format("the longest warp executes {} instructions, the mean is {}: the others finish before it",
                    quantities::count(look.c.longestWarp), quantities::count(mean)),
        "Split the work into equal pieces, or let warps fetch the next piece when they finish one."));
}

} // namespace kernelarium::perf
