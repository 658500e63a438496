// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

std::string shareOfTerm(const LaunchTime& time, std::string_view name) {
    for (const TimeTerm& term : time.terms)
        if (term.name == name) return quantities::percent(term.seconds / time.seconds);
    return "0%";
}

std::string memoryBound(const Look& look) {
    const double distinct = look.c.uniqueReadBytes + look.c.uniqueWrittenBytes;
    const double elements = look.c.threadsPerBlock() * look.c.blocks();
    std::string text = fmt::format(
        "bound by device memory, {} of the time: {} move, {} for each thread", shareOfTerm(look.now, "device_memory"),
        quantities::bytes(look.now.deviceMemoryBytes), quantities::bytes(look.now.deviceMemoryBytes / elements));
    if (look.now.deviceMemoryBytes <= 1.05 * distinct) text += "; each byte moves once";
    return text;
}

std::string overheadBound(const Look& look) {
    std::string text = fmt::format("the launch itself, {}, is {} of the time: there is too little work per launch",
                                   quantities::seconds(look.device.launchSeconds),
                                   quantities::percent(look.device.launchSeconds / look.now.seconds));
    if (!look.now.terms.empty())
        text += fmt::format("; of the rest the longest is {} at {}", look.now.terms.front().name,
                            quantities::seconds(look.now.terms.front().seconds));
    if (!look.now.terms.empty() && look.now.terms.front().name == "device_memory")
        text += fmt::format(", {} for each thread", quantities::bytes(look.now.deviceMemoryBytes /
                                                                      (look.c.threadsPerBlock() * look.c.blocks())));
    return text;
}

std::string otherwiseBound(const Look& look) {
    const LineCounters& t = look.c.totals;
    const double arithmetic = look.device.fp32 > 0 ? t.flopsFp32 / look.device.fp32 / look.now.seconds : 0;
    std::string text =
        fmt::format("bound by {}, {} of the time", look.now.limiter, shareOfTerm(look.now, look.now.limiter));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text + fmt::format("; device memory is busy {} of it, FP32 arithmetic runs at {} of its peak",
                              shareOfTerm(look.now, "device_memory"), quantities::percent(arithmetic));
}

} // namespace

Finding boundOf(const Look& look) {
    const std::string& limiter = look.now.limiter;
    const bool memory = limiter == "device_memory", overhead = limiter == "launch_overhead";
    return look.finding(
        FindingKind::bound, 0, 0, Confidence::medium,
        memory     ? memoryBound(look)
        : overhead ? overheadBound(look)
                   : otherwiseBound(look),
        memory     ? "Only fewer bytes help: a smaller type, or the next operator in the same kernel."
        : overhead ? "Do the neighbouring operators in the same launch, or launch all of them as one CUDA graph."
                   : "");
}

} // namespace kernelarium::perf
