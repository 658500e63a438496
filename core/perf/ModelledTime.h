// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/LibraryCall.h"
#include "core/perf/Occupancy.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::perf {

/// How long one part of the device would be busy, were it alone.
struct TimeTerm {
    std::string name; ///< "issue", "fp32", "integer", "fp64", "fp16", "tensor", "special", "shared_memory", "l1", "l2",
                      ///< "device_memory", "atomics", "latency"
    double seconds = 0;
};

/// A launch's time on a device as modelled from its counters. Blocks that a multiprocessor holds at a time queue for
/// its busiest part and hide one another's waits ("latency" is what they take one round after
/// another with nothing in their way; ResidentBlocks.h); beside that stands what all multiprocessors share, L2 and
/// device memory; and the overhead of a launch. Spilled registers count as accesses of local memory spread over the
/// code. It is a model: its worth is how it ranks kernels, not its seconds.
struct LaunchTime {
    std::string kernel;
    double seconds = 0;
    std::vector<TimeTerm> terms; ///< longest first
    std::string limiter;         ///< name of the longest, or "launch_overhead"
    Occupancy occupancy;
    double filled = 1;            ///< share of the device that the grid occupies while it runs
    double waves = 0;             ///< grid / blocks that the device holds at a time
    double quantisation = 1;      ///< factor on what the multiprocessors do: the last wave is not full
    double deviceMemoryBytes = 0; ///< modelled traffic
    std::string why;              ///< a sentence or two
};

/// A run: the launches of a stream one after another, those of different streams side by side as far as the device has
/// room, and library calls after their operands' bytes and FLOPs.
struct ModelledTime {
    std::string device; ///< DeviceSpec::id
    double seconds = 0;
    double kernelSeconds = 0;
    double librarySeconds = 0;
    std::vector<LaunchTime> launches;
    std::string limiter; ///< of the launch that takes longest; "library" where library calls take longer
    std::string why;
};

/// How a launch's blocks lie on the device.
struct Placing {
    Occupancy occupancy;
    double resident = 1;     ///< blocks that the device holds at a time
    double waves = 0;        ///< grid / resident
    double rounds = 0;       ///< waves that a multiprocessor's warps really wait for: whole ones
    double quantisation = 1; ///< LaunchTime::quantisation
};
[[nodiscard]] Placing placingOf(const LaunchCounters& counters, const DeviceSpec& device);

[[nodiscard]] LaunchTime modelLaunch(const LaunchCounters& counters, const DeviceSpec& device);
/// The same where the blocks lay otherwise: for questions of what if.
[[nodiscard]] LaunchTime modelLaunch(const LaunchCounters& counters, const DeviceSpec& device, const Placing& placing);
/// The larger of two bounds: bytes at the bandwidth, and operations at the share of the FP32 peak that PyTorch's eager
/// operators reach (medians over the level 1 tasks on an H200: products 0.65, convolutions 0.2, transposed
/// three-dimensional ones 0.1).
[[nodiscard]] double modelLibraryCall(const LibraryCall& call, const DeviceSpec& device);
[[nodiscard]] ModelledTime modelRun(std::span<const LaunchCounters> launches, std::span<const LibraryCall> library,
                                    const DeviceSpec& device);

[[nodiscard]] nlohmann::json toJson(const LaunchTime& time);
[[nodiscard]] nlohmann::json toJson(const ModelledTime& time);
/// Error "bad_input".
Result<ModelledTime> modelledTimeFromJson(const nlohmann::json& json);

} // namespace kernelarium::perf
