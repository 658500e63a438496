// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MultiprocessorLimits.h"
#include "core/verify/Poison.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

using Dim3 = std::array<std::uint32_t, 3>;

/// What CUDA enforces at launch, from the chosen device's compute capability
/// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
struct DeviceLimits {
    std::string name = "H100 SXM (sm_90)";
    std::uint32_t multiprocessors = 132;
    perf::MultiprocessorLimits multiprocessor{
        .sharedBytes = 228 * 1024, .sharedBytesPerBlock = 227 * 1024, .reservedSharedBytes = 1024};
    Dim3 maxBlock{1024, 1024, 64};
    Dim3 maxGrid{2147483647, 65535, 65535};
    std::uint32_t maxStaticSharedBytes = 48 * 1024; ///< without the opt-in attribute, static and dynamic together
    std::uint64_t l1Bytes = 256 * 1024;             ///< L1 and shared memory of a multiprocessor together
    std::uint64_t l2Bytes = 50 << 20;
};

/// What is launched.
struct LaunchConfig {
    std::uint32_t function = 0; ///< index into Program::functions()
    Dim3 grid{1, 1, 1};
    Dim3 block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::uint32_t sharedOptInBytes = 0;   ///< cudaFuncAttributeMaxDynamicSharedMemorySize; 0 where never set
    std::uint32_t registersPerThread = 0; ///< from ptxas, for the launch limit; 0 where unknown
    bool cooperative = false;
    Dim3 cluster{0, 0, 0};             ///< blocks of a cluster; 0: as the kernel says, or none
    bool nonPortableCluster = false;   ///< cudaFuncAttributeNonPortableClusterSizeAllowed
    std::vector<std::byte> parameters; ///< laid out as the kernel's parameter space
};

/// Which blocks of a grid are executed. By default all of them.
struct SampleOptions {
    std::uint64_t leastBlocks = 0; ///< 0: every block. Else at least these many, spread evenly over the grid, ...
    std::uint64_t mostBlocks = ~std::uint64_t(0); ///< ... at most these many ...
    std::uint64_t instructionBudget = 0; ///< ... and no more, once so many warp instructions are expected; 0: no budget
    /// Remember in the states of memory what would have come of the blocks left out (LeftOut.h). Needs checks.
    bool follow = false;
};

/// Counters of a launch (core/perf/Counters.h). Costs nothing where it is off.
struct CountOptions {
    bool enabled = false;
    /// Of the L1 cache that each block has to itself in the model behind l2LoadSectors; 0: no cache.
    std::uint64_t l1Bytes = 128 * 1024;
    /// A block's share of the L2 in the model behind blockLostSectors.
    std::uint64_t l2Bytes = 256 * 1024;
    /// Instructions of the kernel's machine code that load from device memory; 0 where it is not known.
    std::uint32_t machineLoads = 0;
};

/// How launches and host code are executed.
struct RunOptions {
    bool checks = true; ///< bounds per allocation, alignment, initialised bits
    bool races = true;  ///< with checks: accesses that nothing orders (gpu/emulator/memory/RaceRecord.h says how)
    /// Order of blocks, and of a block's warps between barriers: 0 by index, 1 by falling index, else shuffled by it.
    /// With verify::warpsOnly added blocks go by index.
    std::uint64_t schedule = 0;
    /// Lanes of a warp take turns the other way round: of a divergent branch the side that would be executed second
    /// comes first, and an atomic goes through the lanes from the last to the first.
    bool contraryLanes = false;
    bool exactSums = false; ///< matrix instructions add as hardware does (gpu/emulator/code/MatrixOp.h), more slowly
    unsigned jobs = 1;      ///< worker threads over blocks
    DeviceLimits limits;
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::stop_token stop;
    std::size_t faultsPerKind = 8;
    CountOptions count;
    SampleOptions sample;
    std::uint32_t poison = verify::firstPoison; ///< fills fresh shared and local memory
    /// Records one block of the launch, which then ends as `cancelled`; null: nothing is recorded.
    class Recorder* recorder = nullptr;
    /// Receives what device printf prints. Called from worker threads, one at a time.
    std::function<void(std::string_view)> print;
};

} // namespace kernelarium::emulator
