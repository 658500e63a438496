// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "gpu/protocol/ProfileMessages.h"

#include <span>
#include <string>

namespace kernelarium::cli {

/// The counters of a run for people: one row for each launch, then the lines that did the most.
[[nodiscard]] std::string countersText(std::span<const perf::LaunchCounters> launches, const std::string& source);

/// A profile for people: the modelled time with its terms, then the counters.
[[nodiscard]] std::string profileText(const protocol::ProfileSummary& profile, const std::string& label,
                                      const std::string& source);

} // namespace kernelarium::cli
