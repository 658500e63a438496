// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/LibraryCall.h"

#include <span>
#include <string>

namespace kernelarium::perf {

/// What one call of a kernel did: the bytes that it cannot avoid and the operations that it executed.
struct FloorWork {
    double compulsoryBytes = 0; ///< every input read once, every output written once
    double fp32 = 0;            ///< FLOPs of its own kernels, by precision
    double fp64 = 0;
    double fp16 = 0;
    double tensor = 0;
    double library = 0; ///< FLOPs of library calls, which may use the tensor cores
};

/// Adds up what launches and library calls did.
[[nodiscard]] FloorWork floorWork(double compulsoryBytes, std::span<const LaunchCounters> launches,
                                  std::span<const LibraryCall> library);

/// The least time in which a device can do it, whatever the code: the roofline's bound,
///     max(bytes / bandwidth, sum over precisions of FLOPs / peak).
/// Calls timed back to back find their operands in the L2 cache as far as they fit, so only bytes beyond its size have
/// to come from device memory; all of them pass the L2. Tensor operations count at the fastest dense floating-point
/// mode, a library's at the fastest of all that keep its result within a float32 tolerance (TF32, where there is one).
struct PhysicalFloor {
    double seconds = 0;
    double memorySeconds = 0;
    double computeSeconds = 0;
    std::string limiter; ///< "device memory", "L2 cache" or "arithmetic"
};

[[nodiscard]] PhysicalFloor physicalFloor(const FloorWork& work, const DeviceSpec& device);

} // namespace kernelarium::perf
