// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings about how lanes and warps address memory.
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

/// Actual over ideal from which a pattern is worth a word.
constexpr double wasteful = 1.15;

/// "each load request touches 32 sectors where 4 would do: ...", or the share of them that does.
std::string wasteInWords(const Waste& w, double requests, const char* what, const char* verb) {
    const bool all = w.requests > 0.99 * requests;
    std::string text = fmt::format("{} {} {} {} sectors where {} would do: ",
                                   all ? "each" : quantities::percent(w.requests / requests) + " of the", what,
                                   all ? "request touches" : "requests touch", quantities::number(w.cost / w.requests),
                                   quantities::number(w.needed / w.requests));
    if (w.lead <= 0) return text + fmt::format("the lanes {} scattered addresses", verb);
    if (w.stride == 0) return text + fmt::format("the lanes {} a few addresses that are not adjacent", verb);
    return text +
           fmt::format("neighbouring lanes {} addresses {} bytes apart", verb, quantities::count(std::abs(w.stride)));
}

std::string coalescingAdvice(const Waste& w) {
    if (w.lead > 0 && std::abs(w.stride) > 16)
        return "Let threadIdx.x run along the contiguous dimension, or stage a tile in shared memory and read it "
               "transposed from there.";
    return "Align the start of each row of the tensor, or of what a warp reads, to 32 bytes, and let the lanes of a "
           "warp read one run of addresses.";
}

void findLoads(const Look& look, const LineCounters& line, Findings& found) {
    if (line.loadWaste.requests <= 0 || line.globalLoadSectors < wasteful * line.globalLoadIdealSectors) return;
    WhatIf ideal(look.c, look.device);
    ideal.replace(line, coalescedLoads(line));
    found.push_back(look.finding(FindingKind::uncoalescedLoad, line.line, look.gain(ideal), Confidence::high,
                                 wasteInWords(line.loadWaste, line.globalLoadRequests, "load", "read"),
                                 coalescingAdvice(line.loadWaste)));
}

void findStores(const Look& look, const LineCounters& line, Findings& found) {
    if (line.storeWaste.requests <= 0 || line.globalStoreRequests <= 0 ||
        line.globalStoreSectors < wasteful * line.globalStoreIdealSectors)
        return;
    WhatIf ideal(look.c, look.device);
    ideal.replace(line, coalescedStores(line));
    found.push_back(look.finding(FindingKind::uncoalescedStore, line.line, look.gain(ideal), Confidence::high,
                                 wasteInWords(line.storeWaste, line.globalStoreRequests, "store", "write"),
                                 coalescingAdvice(line.storeWaste)));
}

void findConflicts(const Look& look, const LineCounters& line, Findings& found) {
    const auto degree = bankConflictDegree(line);
    if (!degree || *degree < wasteful || line.sharedWaste.requests <= 0) return;
    WhatIf ideal(look.c, look.device);
    ideal.replace(line, withoutConflicts(line));
    const double requests = line.sharedLoadRequests + line.sharedStoreRequests;
    const Waste& w = line.sharedWaste;
    std::string why = w.lead > 0 && w.stride != 0
                          ? fmt::format("neighbouring lanes are {} bytes apart, and banks repeat every 128",
                                        quantities::count(std::abs(w.stride)))
                          : "several lanes want different words of one bank";
    found.push_back(look.finding(
        FindingKind::bankConflict, line.line, look.gain(ideal), Confidence::high,
        fmt::format("bank conflicts: {} shared-memory {} {} passes where {} would do: {}",
                    w.requests > 0.99 * requests ? "each" : quantities::percent(w.requests / requests) + " of the",
                    w.requests > 0.99 * requests ? "request takes" : "requests take",
                    quantities::number(w.cost / w.requests), quantities::number(w.needed / w.requests), why),
        "Pad the rows of the shared array by one element, or swap the roles of the thread's indices."));
}

} // namespace

void findAccessPatterns(const Look& look, Findings& found) {
    for (const LineCounters& line : look.c.lines) {
        findLoads(look, line, found);
        findStores(look, line, found);
        findConflicts(look, line, found);
    }
}

void findLocalMemory(const Look& look, Findings& found) {
    const LineCounters& t = look.c.totals;
    if (t.localRequests <= 0) return;
    WhatIf ideal(look.c, look.device);
    ideal.totals().issueSlots = std::max(0.0, t.issueSlots - t.loadLocal - t.storeLocal);
    ideal.totals().localRequests = ideal.totals().localSectors = 0;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.localRequests; });
    found.push_back(look.finding(
        FindingKind::localMemory, line ? line->line : 0, look.gain(ideal), Confidence::medium,
        fmt::format("{} requests go to local memory, {} sectors: an array is indexed by values unknown at compile "
                    "time, or registers ran out",
                    quantities::count(t.localRequests), quantities::count(t.localSectors)),
        "Unroll the loops that index the array, so that each element becomes a register, or make the array smaller."));
}

void findAtomics(const Look& look, Findings& found) {
    for (const LineCounters& line : look.c.lines) {
        if (line.globalAtomicLanes <= line.globalAtomicRequests) continue;
        // A sector holds 8 words: more lanes than that to a sector update the same word.
        const double perSector = line.globalAtomicLanes / std::max(1.0, line.globalAtomicSectors);
        LineCounters summed = line;
        summed.globalAtomicLanes = std::max(line.globalAtomicRequests, line.globalAtomicSectors);
        WhatIf ideal(look.c, look.device);
        ideal.replace(line, summed);
        found.push_back(look.finding(
            FindingKind::atomicContention, line.line, look.gain(ideal), Confidence::low,
            fmt::format("{} atomic updates of {} sectors: {} lanes of a warp update {}",
                        quantities::count(line.globalAtomicLanes), quantities::count(line.globalAtomicSectors),
                        quantities::number(line.globalAtomicLanes / line.globalAtomicRequests),
                        perSector > 8 ? "the same words, one after another" : "separate words"),
            "Sum within the warp (__shfl_down_sync) and the block first, and update once per block."));
    }
}

} // namespace kernelarium::perf
