// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/Findings.h"

#include <QString>
#include <vector>

namespace kernelarium::test {

/// A kernel of the starter archive, profiled by kernelarium-cli at its full size.
struct StarterProfile {
    QString missing; ///< a component without which there is none
    QString trouble; ///< anything else that went wrong
    std::vector<perf::LaunchCounters> launches;
    std::vector<perf::Finding> findings;
};

/// `kernel` as "1/47/block_tree". Each is profiled once for each device.
const StarterProfile& starterProfile(const QString& kernel, const QString& device = QStringLiteral("h200"));

/// The only line of the kernel's source that has these words; 0 where none or several have.
int starterLine(const QString& kernel, const QString& words);

} // namespace kernelarium::test
