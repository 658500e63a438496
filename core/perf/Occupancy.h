// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/DeviceSpec.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::perf {

/// What a block takes of a multiprocessor.
struct BlockNeeds {
    std::uint32_t threads = 0;
    std::uint32_t registers = 0;   ///< per thread; 0 where unknown: then they limit nothing
    std::uint32_t sharedBytes = 0; ///< static and dynamic
    std::uint32_t barriers = 0;    ///< that a block synchronises at; 0 where unknown: then they limit nothing
};

/// What keeps a multiprocessor from holding more blocks.
enum class OccupancyLimit { warps, blocks, registers, shared, barriers, doesNotFit };
[[nodiscard]] std::string_view name(OccupancyLimit limit); ///< "warps", "registers", ...

/// How many blocks of a kernel a multiprocessor holds at a time, and why not more. Method: NVIDIA's occupancy
/// calculator (Nsight Compute; CUDA C++ Programming Guide, "Hardware Multithreading"): threads in whole warps,
/// registers in units of 256 to a warp, shared memory in units of 128 bytes with 1 KiB for the system (sm_80 on),
/// barriers from sm_90 on. The L1 is taken to leave as much shared memory as it can.
struct Occupancy {
    std::uint32_t blocks = 0;
    std::uint32_t warps = 0;
    double share = 0; ///< of the warps that fit at most
    OccupancyLimit limit = OccupancyLimit::doesNotFit;
    // Blocks that each resource allows by itself.
    std::uint32_t byWarps = 0;
    std::uint32_t byBlocks = 0;
    std::uint32_t byRegisters = 0;
    std::uint32_t byShared = 0;
    std::uint32_t byBarriers = 0;
    /// "One more block needs at most 40 registers a thread (it takes 48)."; empty where nothing can be done about it.
    std::string oneMore;

    /// All that allow no more than `blocks`; `limit` is the first of them. Empty where a block does not fit.
    [[nodiscard]] std::vector<OccupancyLimit> limits() const;
};

/// Occupancy::blocks alone, without words.
[[nodiscard]] std::uint32_t residentBlocks(const BlockNeeds& needs, const MultiprocessorLimits& multiprocessor);
[[nodiscard]] Occupancy occupancyOf(const BlockNeeds& needs, const MultiprocessorLimits& multiprocessor);
[[nodiscard]] inline Occupancy occupancyOf(const BlockNeeds& needs, const DeviceSpec& device) {
    return occupancyOf(needs, device.limits);
}

/// The largest block size, in whole warps, that keeps the most threads active; zeros where no block fits.
struct BlockChoice {
    std::uint32_t threads = 0;
    std::uint32_t blocks = 0; ///< on a multiprocessor at a time
};
/// `needs.threads` is not looked at; a `blockLimit` of 0 is none but the device's.
[[nodiscard]] BlockChoice bestBlock(BlockNeeds needs, const MultiprocessorLimits& multiprocessor,
                                    std::uint32_t blockLimit);
[[nodiscard]] nlohmann::json toJson(const Occupancy& occupancy);

} // namespace kernelarium::perf
