// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "gpu/emulator/counters/Tally.h"

#include <span>

namespace kernelarium::emulator {

/// Adds up what the workers of one launch counted, by source line and in all. `executed` blocks ran; every figure is
/// scaled to the grid where that is a share of it. Distinct bytes are scaled allocation by allocation, at most up to
/// the allocation's size.
perf::LaunchCounters summarise(const Code& code, const Pipeline& pipeline, const DeviceMemory& memory,
                               const LaunchConfig& config, std::span<const Tally* const> tallies,
                               const TouchMap& touched, std::uint64_t executed);

} // namespace kernelarium::emulator
