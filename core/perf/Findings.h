// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/Finding.h"
#include "core/perf/ModelledTime.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What costs a kernel time, in plain words.
///
/// A finding is a counter that is not at its ideal. What it would gain is the modelled time of the launch as it is
/// minus the modelled time with that counter at its ideal and nothing else changed:
///     gain = T(counters) - T(counters, this one ideal),                     T as in core/perf/ModelledTime.h
/// for all launches that are alike. The ideals stand at each kind in FindingKind. Findings about how the work is cut
/// (reuse, tensor cores, more blocks) are counted from where the access patterns are already ideal,
///     gain = T(patterns ideal) - T(patterns ideal, this one ideal),
/// so that one cause is not gained twice: a kernel that reads columns is told so before it is told to tile.
/// T is the largest of its parts, so gains do not add up, and a part that is not the longest gains nothing.
namespace kernelarium::perf {

/// Gains below this share of the call's time are not told, unless there are no others.
inline constexpr double leastGainShare = 0.02;

/// Findings of a call, greatest gain first; then, as the last (or the first, where nothing gains), what it is bound by.
/// `time` is modelRun() of the launches on the device. Empty where nothing was launched.
[[nodiscard]] std::vector<Finding> findingsOf(std::span<const LaunchCounters> launches, const ModelledTime& time,
                                              const DeviceSpec& device);

[[nodiscard]] nlohmann::json toJson(const Finding& finding);
[[nodiscard]] nlohmann::json toJson(std::span<const Finding> findings);
/// Error "bad_input".
Result<std::vector<Finding>> findingsFromJson(const nlohmann::json& json);

} // namespace kernelarium::perf
