// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/Finding.h"
#include "core/perf/ModelledTime.h"

#include <vector>

namespace kernelarium::perf {

/// A launch whose figures can be changed, and how long it would take then.
class WhatIf {
public:
    WhatIf(const LaunchCounters& launch, const DeviceSpec& device);

    LaunchCounters& launch() { return m_launch; } ///< without its lines
    LineCounters& totals() { return m_launch.totals; }
    /// The totals as if one line had other figures.
    void replace(const LineCounters& line, const LineCounters& by);
    [[nodiscard]] double seconds() const { return time().seconds; }
    [[nodiscard]] double seconds(const Placing& placing) const {
        return modelLaunch(m_launch, *m_device, placing).seconds;
    }
    [[nodiscard]] LaunchTime time() const { return modelLaunch(m_launch, *m_device); }

private:
    LaunchCounters m_launch;
    const DeviceSpec* m_device;
};

/// One launch under the eyes of those who look for findings.
struct Look {
    const LaunchCounters& c;
    const DeviceSpec& device;
    LaunchTime now;
    WhatIf tidy; ///< with ideal access patterns
    LaunchTime tidyTime;

    Look(const LaunchCounters& launch, const DeviceSpec& on);
    /// Of `changed` from the launch as it is; never negative.
    [[nodiscard]] double gain(const WhatIf& changed) const;
    /// Of `changed` from ideal access patterns.
    [[nodiscard]] double gainOfTidy(const WhatIf& changed) const;
    [[nodiscard]] Finding finding(FindingKind kind, int line, double gain, Confidence confidence, std::string what,
                                  std::string advice) const;
};

// Ideals of a line (FindingKind).
[[nodiscard]] LineCounters coalescedLoads(LineCounters line);
[[nodiscard]] LineCounters coalescedStores(LineCounters line);
[[nodiscard]] LineCounters withoutConflicts(LineCounters line);

/// Each adds what it finds.
using Findings = std::vector<Finding>;
void findAccessPatterns(const Look& look, Findings& found); ///< uncoalesced, conflicts
void findLocalMemory(const Look& look, Findings& found);
void findAtomics(const Look& look, Findings& found);
void findDivergence(const Look& look, Findings& found);
void findImbalance(const Look& look, Findings& found);    ///< and barriers
void findInstructions(const Look& look, Findings& found); ///< slow functions, double precision, index arithmetic
void findReuse(const Look& look, Findings& found);        ///< redundant reads, shared traffic, tensor cores
void findPlacing(const Look& look, Findings& found);      ///< small grid, occupancy, tail, waiting
[[nodiscard]] Finding boundOf(const Look& look);

/// The line with the most of something; null where none has any. `weight` is given a line.
template <class Weight> const LineCounters* heaviestLine(const LaunchCounters& launch, Weight weight) {
    const LineCounters* most = nullptr;
    for (const LineCounters& line : launch.lines)
        if (weight(line) > 0 && (!most || weight(line) > weight(*most))) most = &line;
    return most;
}

} // namespace kernelarium::perf
