// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings about what is computed.
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

/// Machine instructions of one division, root or exponential, the other instructions of the line taking one
/// each.
double slotsOfSpecial(const LineCounters& l) {
    const double others = l.warpInstructions - l.special - l.move;
    return (l.issueSlots - std::max(0.0, others)) / l.special;
}

std::string_view withoutLine(const LineCounters& l) {
    return l.line > 0 ? "" : ", in code without a known source line, such as loops that the compiler unrolled";
}

void findSlowFunctions(const Look& look, const LineCounters& line, Findings& found) {
    if (line.special <= 0 || slotsOfSpecial(line) < 2) return;
    LineCounters fast = line;
    fast.issueSlots = std::max(0.0, line.issueSlots - line.special * (slotsOfSpecial(line) - 1));
    fast.special = 0;
    fast.fp32 += line.special;
    WhatIf ideal(look.c, look.device);
    ideal.replace(line, fast);
    found.push_back(look.finding(
        FindingKind::slowFunctions, line.line, look.gain(ideal), Confidence::medium,
        fmt::format("{} divisions, remainders, roots or exponentials of a warp take about {} machine instructions "
                    "each, {} of all{}",
                    quantities::count(line.special), quantities::number(slotsOfSpecial(line)),
                    quantities::percent(line.special * slotsOfSpecial(line) / look.c.totals.issueSlots),
                    withoutLine(line)),
        "Divide once and multiply by the reciprocal; count coordinates up instead of dividing an index; use powers of "
        "two, 32-bit integers, or the fast forms (__fdividef, __expf) where their error is acceptable."));
}

void findDoubles(const Look& look, const LineCounters& line, Findings& found) {
    const LineCounters& t = look.c.totals;
    if (line.fp64 <= 0 || (t.fp32 <= 0 && t.convert <= 0)) return;
    LineCounters single = line;
    single.fp32 += line.fp64;
    single.fp64 = 0;
    single.flopsFp32 += line.flopsFp64;
    single.flopsFp64 = 0;
    const double conversions = std::min(line.convert, 2 * line.fp64);
    single.convert -= conversions;
    single.issueSlots = std::max(0.0, line.issueSlots - conversions);
    WhatIf ideal(look.c, look.device);
    ideal.replace(line, single);
    found.push_back(look.finding(
        FindingKind::doublePrecision, line.line, look.gain(ideal), Confidence::high,
        fmt::format("{} FP64 instructions of a warp and {} conversions in a kernel that otherwise computes in FP32, at "
                    "1/{} of its rate on this device",
                    quantities::count(line.fp64), quantities::count(line.convert),
                    quantities::number(
                        look.device.perClock.fp64 > 0 ? look.device.perClock.fp32 / look.device.perClock.fp64 : 0)),
        "A constant without f (0.5 instead of 0.5f) or a double function (exp instead of expf) makes float arithmetic "
        "double."));
}

void findIndexArithmetic(const Look& look, Findings& found) {
    if (look.now.limiter != "issue" && look.now.limiter != "integer") return;
    const LineCounters& t = look.c.totals;
    const LineCounters* line = heaviestLine(look.c, [](const LineCounters& l) { return l.integer + l.convert; });
    if (!line) return;
    WhatIf ideal(look.c, look.device);
    ideal.totals().issueSlots = std::max(0.0, t.issueSlots - t.integer - t.convert);
    ideal.totals().integer = ideal.totals().convert = 0;
    found.push_back(look.finding(
        FindingKind::indexArithmetic, line->line, look.gain(ideal), Confidence::low,
        fmt::format("{} of the instructions are integer arithmetic and conversions (addresses, indices, bounds), {} "
                    "floating-point; most of the former are {}",
                    quantities::percent((t.integer + t.convert) / t.warpInstructions),
                    quantities::percent((t.fp32 + t.fp64 + t.fp16 + t.tensor + t.special) / t.warpInstructions),
                    line->line > 0 ? "here" : "in code without a known source line"),
        "Compute addresses once outside the loop and add to them, unroll, give each thread several neighbouring "
        "elements (float4), and index with 32 bits where that is enough."));
}

} // namespace

void findInstructions(const Look& look, Findings& found) {
    for (const LineCounters& line : look.c.lines) {
        findSlowFunctions(look, line, found);
        findDoubles(look, line, found);
    }
    findIndexArithmetic(look, found);
}

} // namespace kernelarium::perf
