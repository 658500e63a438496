// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings about how a launch fills the device, counted from ideal access patterns.
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

constexpr double fullGrid = 0.75; ///< waves from which more blocks would not be told to help

/// The same work over enough blocks to fill the device.
WhatIf filled(const Look& look) {
    WhatIf more = look.tidy;
    if (look.now.waves <= 0 || look.now.waves >= fullGrid) return more;
    const double parts = std::clamp(std::floor(1 / look.now.waves), 1.0, 65536.0);
    more.launch().grid[0] *= std::uint32_t(parts);
    more.launch().blockClocks /= parts;
    more.launch().blockWaits /= parts;
    return more;
}

double warpsOf(const LaunchCounters& c) {
    return std::max(1.0, std::ceil(c.threadsPerBlock() / 32.0) * c.blocks());
}

std::string warpsInWords(const Look& look) {
    return fmt::format("{} on a device that holds {}", quantities::counted(warpsOf(look.c), "warp"),
                       quantities::count(double(look.device.limits.warps) * look.device.multiprocessors));
}

void findSmallGrid(const Look& look, Findings& found) {
    if (look.now.waves >= fullGrid || look.now.waves <= 0) return;
    const double idle = std::max(0.0, look.device.multiprocessors - look.c.blocks());
    std::string what = fmt::format(
        "the grid's {} too few: {}",
        look.c.blocks() == 1 ? "one block is" : quantities::count(look.c.blocks()) + " blocks are", warpsInWords(look));
    if (idle > 0)
        what += fmt::format(", and {} of {} multiprocessors are idle", quantities::count(idle),
                            look.device.multiprocessors);
    found.push_back(
        look.finding(FindingKind::smallGrid, 0, look.gainOfTidy(filled(look)), Confidence::medium, std::move(what),
                     "Split the work more finely: use several threads, warps or blocks for each result and add up "
                     "their parts (or split the summed dimension over blocks and reduce in a second launch)."));
}

void findOccupancy(const Look& look, Findings& found) {
    const Occupancy& now = look.now.occupancy;
    if (now.oneMore.empty() || now.blocks == 0 || look.now.waves <= 1) return;
    Placing more = placingOf(look.c, look.device);
    more.occupancy.blocks += 1;
    more.resident += look.device.multiprocessors;
    more.waves = look.c.blocks() / more.resident;
    more.rounds = std::ceil(more.waves);
    const double then = look.tidy.seconds(more);
    found.push_back(look.finding(FindingKind::lowOccupancy, 0, std::max(0.0, look.tidyTime.seconds - then),
                                 Confidence::medium,
                                 fmt::format("{} on a multiprocessor {} {} of its warps, limited by {}",
                                             quantities::counted(now.blocks, "block"),
                                             now.blocks == 1 ? "holds" : "hold", quantities::percent(now.share),
                                             now.limit == OccupancyLimit::shared ? "shared memory" : name(now.limit)),
                                 now.oneMore));
}

void findTail(const Look& look, Findings& found) {
    if (look.now.waves <= 1 || (look.now.quantisation < 1.02 && std::ceil(look.now.waves) / look.now.waves < 1.02))
        return;
    Placing whole = placingOf(look.c, look.device);
    whole.quantisation = 1;
    whole.rounds = whole.waves;
    const double then = look.tidy.seconds(whole);
    found.push_back(look.finding(
        FindingKind::tail, 0, std::max(0.0, look.tidyTime.seconds - then), Confidence::medium,
        fmt::format("{} blocks are {} waves of {}: the last is not full", quantities::count(look.c.blocks()),
                    quantities::number(look.now.waves), quantities::count(look.c.blocks() / look.now.waves)),
        "Choose a block size whose grid fills whole waves, or launch as many blocks as fit and let them loop over the "
        "work."));
}

void findWaiting(const Look& look, Findings& found) {
    const LaunchTime full = filled(look).time();
    if (full.terms.empty() || full.terms.front().name != "latency") return;
    const double next = full.terms.size() > 1 ? full.terms[1].seconds : 0;
    const LineCounters& t = look.c.totals;
    const double warps = warpsOf(look.c);
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) {
        return l.globalLoadRequests + l.special + l.sharedLoadRequests / 8 + l.issueSlots / 64;
    });
    found.push_back(look.finding(
        FindingKind::waiting, line ? line->line : 0, full.terms.front().seconds - next, Confidence::low,
        fmt::format(
            "warps wait for one another's results more than anything is busy: {} instructions, {} loads and {} "
            "divisions or roots of a warp one after another, with {} of {} warps on a multiprocessor to hide it",
            quantities::count(t.issueSlots / warps), quantities::count(t.globalLoadRequests / warps),
            quantities::count(t.special / warps), look.now.occupancy.warps, look.device.limits.warps),
        "Give each thread independent work: unroll and load several elements before the first is used, keep several "
        "partial sums."));
}

} // namespace

void findPlacing(const Look& look, Findings& found) {
    findSmallGrid(look, found);
    findOccupancy(look, found);
    findTail(look, found);
    findWaiting(look, found);
}

} // namespace kernelarium::perf
