// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings about data that is fetched more often than it needs to be, counted from ideal access patterns.
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

constexpr double bytesOfSector = 32;
constexpr double bytesOfLine = 128;
constexpr double readOften = 2;
constexpr double tiledLoads = 0.25; ///< shared loads of a warp for one of its multiply-adds, FindingKind::sharedTraffic
constexpr double productFlops = 1e9;
constexpr double productIntensity = 64;

/// Multiply-adds count two operations to an instruction: nearly two where there is little else.
bool multipliesAndAdds(const LineCounters& t) {
    return t.fp32 > 0 && t.flopsFp32 > 1.2 * 32 * t.fp32;
}

void findRedundantReads(const Look& look, Findings& found) {
    const LineCounters& t = look.c.totals;
    const double distinct = look.c.uniqueReadBytes / bytesOfSector;
    if (distinct <= 0 || t.globalLoadIdealSectors < readOften * distinct) return;
    WhatIf once = look.tidy;
    LineCounters& o = once.totals();
    const double requests = std::min(o.globalLoadRequests, look.c.uniqueReadBytes / bytesOfLine);
    const double lineShare =
        o.globalLoadSectors / std::max(1.0, o.globalLoadSectors + o.globalStoreSectors + o.globalAtomicSectors);
    o.globalLines = o.globalLines * (1 - lineShare) + requests;
    o.issueSlots = std::max(0.0, o.issueSlots - (o.globalLoadRequests - requests));
    o.globalLoadRequests = o.loadGlobal = requests;
    o.globalLoadSectors = std::min(o.globalLoadSectors, distinct);
    o.l2LoadSectors = std::min(o.l2LoadSectors, distinct);
    o.blockAgainSectors = o.blockLostSectors = 0;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.globalLoadIdealSectors; });
    found.push_back(look.finding(
        FindingKind::redundantReads, line ? line->line : 0, look.gainOfTidy(once), Confidence::low,
        fmt::format(
            "each of the {} that the kernel reads is requested {} times, and fetched {} times past the L1 cache",
            quantities::bytes(look.c.uniqueReadBytes), quantities::number(t.globalLoadIdealSectors / distinct),
            quantities::number(t.l2LoadSectors / distinct)),
        "Keep what is used again: a tile in shared memory for the block, several results of one operand in registers "
        "of a thread."));
}

void findSharedTraffic(const Look& look, Findings& found) {
    const LineCounters& t = look.c.totals;
    if (!multipliesAndAdds(t) || t.sharedLoadRequests <= tiledLoads * t.fp32) return;
    WhatIf tiled = look.tidy;
    LineCounters& o = tiled.totals();
    const double kept = tiledLoads * t.fp32 / t.sharedLoadRequests;
    o.issueSlots = std::max(0.0, o.issueSlots - t.sharedLoadRequests * (1 - kept));
    o.sharedLoadRequests *= kept;
    o.sharedLoadWavefronts *= kept;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.sharedLoadRequests; });
    found.push_back(
        look.finding(FindingKind::sharedTraffic, line ? line->line : 0, look.gainOfTidy(tiled), Confidence::medium,
                     fmt::format("{} shared loads for each arithmetic instruction: shared memory delivers one warp's "
                                 "word per clock, in which the multipliers take {}",
                                 quantities::number(t.sharedLoadRequests / t.fp32),
                                 quantities::number(look.device.perClock.fp32 / 32)),
                     "Let each thread compute a tile of results in registers (4 by 4 takes half a load for each "
                     "multiply-add, 8 by 8 a quarter), and load float4."));
}

void findTensorCores(const Look& look, Findings& found) {
    const LineCounters& t = look.c.totals;
    const double rate = look.device.tensor.tf32;
    if (t.tensor > 0 || rate <= look.device.fp32 || !multipliesAndAdds(t) || t.flopsFp32 < productFlops ||
        t.flopsFp32 < productIntensity * look.c.uniqueBytes)
        return;
    WhatIf tensor = look.tidy;
    LineCounters& o = tensor.totals();
    o.flopsTensor += o.flopsFp32;
    o.flopsTensorTf32 += o.flopsFp32;
    o.issueSlots = std::max(0.0, o.issueSlots - o.fp32);
    o.fp32 = o.flopsFp32 = 0;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.flopsFp32; });
    found.push_back(look.finding(
        FindingKind::tensorCores, line ? line->line : 0, look.gainOfTidy(tensor), Confidence::low,
        fmt::format("{} in FP32 and the tensor cores idle: they multiply matrices of TF32 at {} times the rate",
                    quantities::si(t.flopsFp32, "FLOP"), quantities::number(rate / look.device.fp32)),
        "If this is a product of matrices, use wmma or mma.sync with TF32 operands; they keep 10 bits of the mantissa, "
        "so check whether the tolerance allows it."));
}

} // namespace

void findReuse(const Look& look, Findings& found) {
    findRedundantReads(look, found);
    findSharedTraffic(look, found);
    findTensorCores(look, found);
}

} // namespace kernelarium::perf
