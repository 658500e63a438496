// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kernelarium::perf {

inline constexpr std::uint32_t lanesOfWarp = 32; ///< on every device so far

/// What one multiprocessor holds at most: CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability"; allocation steps as in NVIDIA's occupancy calculator.
struct MultiprocessorLimits {
    std::uint32_t threads = 2048;
    std::uint32_t blocks = 32;
    std::uint32_t warps = 64;
    std::uint32_t registers = 65536;
    std::uint32_t registersPerBlock = 65536;
    std::uint32_t registersPerThread = 255;
    std::uint32_t registerUnit = 256;      ///< registers are given to a warp in steps of this
    std::uint32_t warpUnit = 4;            ///< warps of a block are given out in steps of this, where registers limit
    std::uint32_t sharedBytes = 0;         ///< shared memory of all resident blocks together
    std::uint32_t sharedBytesPerBlock = 0; ///< largest for one block, with the opt-in attribute
    std::uint32_t sharedUnit = 128;        ///< bytes; a block's shared memory is rounded up to this
    std::uint32_t reservedSharedBytes = 0; ///< taken by the system for each block
    std::uint32_t threadsPerBlock = 1024;
    /// Barriers of all resident blocks together, each block's own counted; 0: they limit nothing (before sm_90).
    std::uint32_t barriers = 0;

    /// What a warp takes of the registers when each of its threads takes so many.
    [[nodiscard]] std::uint32_t registersOfWarp(std::uint32_t perThread) const {
        return (perThread * lanesOfWarp + registerUnit - 1) / registerUnit * registerUnit;
    }
};

/// The limits of one architecture: what all devices of it have in common.
struct ArchitectureLimits {
    std::string_view arch; ///< "sm_90"
    MultiprocessorLimits limits;
};

/// Those that are known, oldest first.
[[nodiscard]] std::span<const ArchitectureLimits> architectureLimits();
/// "sm_90", "sm_90a", "compute_90": its letter at the end does not matter; null where it is not known.
[[nodiscard]] const MultiprocessorLimits* limitsOf(std::string_view arch);
/// "sm_70, sm_75, ..."
[[nodiscard]] std::string architectureWords();

} // namespace kernelarium::perf
