// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/WhatIf.h"

#include <algorithm>

namespace kernelarium::perf {

namespace {

constexpr double sectorsOfLine = 4;

LaunchCounters withoutLines(const LaunchCounters& c) {
    LaunchCounters copy;
    copy.kernel = c.kernel;
    copy.grid = c.grid;
    copy.block = c.block;
    copy.staticSharedBytes = c.staticSharedBytes;
    copy.dynamicSharedBytes = c.dynamicSharedBytes;
    copy.registers = c.registers;
    copy.totals = c.totals;
    copy.uniqueReadBytes = c.uniqueReadBytes;
    copy.uniqueWrittenBytes = c.uniqueWrittenBytes;
    copy.uniqueBytes = c.uniqueBytes;
    copy.sampling = c.sampling;
    copy.blockClocks = c.blockClocks;
    copy.blockWaits = c.blockWaits;
    copy.codeSlots = c.codeSlots;
    copy.spillBytes = c.spillBytes;
    return copy;
}

WhatIf tidied(const LaunchCounters& c, const DeviceSpec& device) {
    WhatIf tidy(c, device);
    for (const LineCounters& line : c.lines)
        tidy.replace(line, withoutConflicts(coalescedStores(coalescedLoads(line))));
    return tidy;
}

/// Lines are counted for loads, stores and atomics together: those of a part, by its sectors.
void idealLines(LineCounters& line, double sectors, double ideal, double requests) {
    const double all = line.globalLoadSectors + line.globalStoreSectors + line.globalAtomicSectors;
    const double mine = all > 0 ? line.globalLines * sectors / all : 0;
    line.globalLines -= mine - std::min(mine, std::max(requests, ideal / sectorsOfLine));
}

} // namespace

WhatIf::WhatIf(const LaunchCounters& launch, const DeviceSpec& device)
    : m_launch(withoutLines(launch))
    , m_device(&device) {}

void WhatIf::replace(const LineCounters& line, const LineCounters& by) {
    for (const Metric& m : metrics()) {
        if (by.*m.field == line.*m.field) continue;
        double& total = m_launch.totals.*m.field;
        total = std::max(0.0, total + by.*m.field - line.*m.field);
    }
}

Look::Look(const LaunchCounters& launch, const DeviceSpec& on)
    : c(launch)
    , device(on)
    , now(modelLaunch(launch, on))
    , tidy(tidied(launch, on))
    , tidyTime(tidy.time()) {}

double Look::gain(const WhatIf& changed) const {
    return std::max(0.0, now.seconds - changed.seconds());
}
double Look::gainOfTidy(const WhatIf& changed) const {
    return std::max(0.0, tidyTime.seconds - changed.seconds());
}

Finding Look::finding(FindingKind kind, int line, double gain, Confidence confidence, std::string what,
                      std::string advice) const {
    Finding f;
    f.kind = kind;
    f.kernel = c.kernel;
    f.line = line;
    f.gainSeconds = gain;
    f.confidence = confidence;
    f.what = std::move(what);
    f.advice = std::move(advice);
    return f;
}

LineCounters coalescedLoads(LineCounters l) {
    if (l.globalLoadSectors <= l.globalLoadIdealSectors) return l;
    idealLines(l, l.globalLoadSectors, l.globalLoadIdealSectors, l.globalLoadRequests);
    for (double* const past : {&l.l2LoadSectors, &l.blockAgainSectors, &l.blockLostSectors})
        *past *= l.globalLoadIdealSectors / l.globalLoadSectors;
    l.globalLoadSectors = l.globalLoadIdealSectors;
    return l;
}

LineCounters coalescedStores(LineCounters l) {
    if (l.globalStoreSectors <= l.globalStoreIdealSectors) return l;
    idealLines(l, l.globalStoreSectors, l.globalStoreIdealSectors, l.globalStoreRequests);
    l.globalStoreSectors = l.globalStoreIdealSectors;
    return l;
}

LineCounters withoutConflicts(LineCounters l) {
    const double wavefronts = l.sharedLoadWavefronts + l.sharedStoreWavefronts;
    if (wavefronts <= l.sharedIdealWavefronts) return l;
    l.sharedLoadWavefronts *= l.sharedIdealWavefronts / wavefronts;
    l.sharedStoreWavefronts *= l.sharedIdealWavefronts / wavefronts;
    return l;
}

} // namespace kernelarium::perf
