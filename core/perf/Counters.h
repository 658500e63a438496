// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::perf {

/// The requests that cost more than their bytes need, of one kind, and how far apart their neighbouring lanes'
/// addresses are.
struct Waste {
    double requests = 0;
    double cost = 0;   ///< sectors of these requests; wavefronts in shared memory
    double needed = 0; ///< the same at best
    double stride = 0; ///< bytes, may be negative: what most of them have
    double lead = 0;   ///< requests that have it, beyond those that have others; 0: no majority was seen
};
/// Adds up; of two strides the one with the greater lead stays, less the other's.
Waste& operator+=(Waste& to, const Waste& more);

/// What the emulator counted on one source line, or in a whole launch. Instructions are those of the PTX, each
/// counted once per warp ("warp instructions"); lanes are threads. Doubles, because sampled launches are scaled.
struct LineCounters {
    int line = 0; ///< of the user's file; 0 when unknown, and for totals

    double warpInstructions = 0;
    double threadInstructions = 0;   ///< times active lanes
    double threadInstructionsOn = 0; ///< times active lanes whose predicate holds
    /// Instructions of the machine that ptxas is expected to make of them: moves and parameters cost none, a division
    /// costs several (see InstructionFacts in gpu/emulator). An estimate, for issue time.
    double issueSlots = 0;

    // Warp instructions by class. They add up to warpInstructions.
    double integer = 0;
    double fp32 = 0;
    double fp64 = 0;
    double fp16 = 0; ///< float16 and bfloat16, outside the tensor cores
    double tensor = 0;
    double special = 0; ///< division, roots, exponentials, sines
    double convert = 0;
    double move = 0;    ///< moves, selects, parameters
    double shuffle = 0; ///< shfl, vote, match, redux
    double loadGlobal = 0;
    double storeGlobal = 0;
    double loadShared = 0;
    double storeShared = 0;
    double loadLocal = 0;
    double storeLocal = 0;
    double atomic = 0; ///< atom and red, in any space
    double control = 0;
    double barrier = 0;

    // Floating-point operations of active, predicated-on lanes: fma 2, everything else 1.
    double flopsFp32 = 0;
    double flopsFp64 = 0;
    double flopsFp16 = 0;
    double flopsTensor = 0;     ///< of all floating-point types but float64, as wgmma's and mma.sync's
    double flopsTensorTf32 = 0; ///< of these: factors in TF32
    double flopsTensorFp8 = 0;  ///< of these: factors in eight bits
    double opsTensorInt8 = 0;   ///< multiply-adds of int8 on the tensor cores, counted as two

    // Global memory. A request is one warp instruction with at least one lane on; a sector is 32 bytes.
    double globalLoadRequests = 0;
    double globalLoadSectors = 0;
    double globalLoadIdealSectors = 0; ///< bytes of the distinct addresses / 32, rounded up, per request
    double globalLoadBytes = 0;        ///< that lanes asked for, each lane on its own
    double globalStoreRequests = 0;
    double globalStoreSectors = 0;
    double globalStoreIdealSectors = 0;
    double globalStoreBytes = 0;
    double globalAtomicRequests = 0;
    double globalAtomicSectors = 0;
    double globalAtomicLanes = 0; ///< operations
    double globalLines = 0;       ///< distinct 128-byte lines of all requests: tag look-ups of the L1
    double l2LoadSectors = 0;     ///< load sectors that the modelled L1 of one block did not hold
    double blockAgainSectors = 0; ///< of these: the same block had loaded them before
    double blockLostSectors = 0;  ///< of these: the block's share of the L2 held them no more

    // Shared memory: 32 banks of 4 bytes; wider accesses go in halves or quarters of a warp.
    double sharedLoadRequests = 0;
    double sharedLoadWavefronts = 0;
    double sharedStoreRequests = 0;
    double sharedStoreWavefronts = 0;
    double sharedIdealWavefronts = 0; ///< of loads and stores, without bank conflicts

    double localRequests = 0;
    double localSectors = 0;

    double bulkBytes = 0; ///< between global and shared memory, by bulk (tensor) copies in either direction

    double branches = 0; ///< conditional ones
    double divergentBranches = 0;
    double barrierWaits = 0; ///< warps that came to a block barrier

    Waste loadWaste;   ///< uncoalesced global loads
    Waste storeWaste;  ///< uncoalesced global stores and atomics
    Waste sharedWaste; ///< shared accesses with bank conflicts
};

/// One figure of LineCounters: where it is, its key in JSON and its name in Nsight Compute where one means the same.
struct Metric {
    const char* key;
    double LineCounters::*field;
    const char* ncuName; ///< empty where Nsight Compute has no such metric
    const char* title;   ///< "Global load sectors"
};
[[nodiscard]] std::span<const Metric> metrics();
[[nodiscard]] const Metric* findMetric(std::string_view keyOrNcuName);

LineCounters& operator+=(LineCounters& to, const LineCounters& more);
/// Multiplies every figure.
[[nodiscard]] LineCounters scaled(const LineCounters& counters, double factor);

// Ratios; empty where nothing was counted.
[[nodiscard]] std::optional<double> sectorsPerRequest(const LineCounters& c); ///< global loads and stores
[[nodiscard]] std::optional<double> idealSectorsPerRequest(const LineCounters& c);
[[nodiscard]] std::optional<double> bankConflictDegree(const LineCounters& c); ///< wavefronts / ideal wavefronts
[[nodiscard]] std::optional<double> activeLanes(const LineCounters& c);        ///< of 32, per warp instruction
[[nodiscard]] double totalFlops(const LineCounters& c);

/// How a launch's blocks were executed.
struct Sampling {
    double blocks = 0;     ///< of the grid
    double executed = 0;   ///< of these, ran and counted
    bool repeated = false; ///< an identical launch was counted before: its figures are these
    [[nodiscard]] double share() const { return blocks > 0 ? executed / blocks : 0; }
};

/// Counters of one launch. Where only a share of the blocks ran, every figure is scaled to the whole grid.
struct LaunchCounters {
    std::string kernel; ///< demangled
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t dynamicSharedBytes = 0;
    std::uint32_t registers = 0; ///< per thread, from ptxas; 0 where unknown
    std::uint64_t stream = 0;    ///< launches of different streams may run at the same time
    LineCounters totals;
    std::vector<LineCounters> lines; ///< by line, ascending
    double uniqueReadBytes = 0;      ///< distinct sectors of device memory loaded, in bytes
    double uniqueWrittenBytes = 0;   ///< stored or updated
    double uniqueBytes = 0;          ///< either
    Sampling sampling;
    double longestWarp = 0; ///< most warp instructions that one warp of the sample executed
    /// How long a block takes with a multiprocessor to itself, on average, as far as its first warp tells: clocks
    /// besides waits for what the L1 does not hold, and how many of these waits follow one another. 0 where nothing was
    /// followed.
    double blockClocks = 0;
    double blockWaits = 0;
    double codeSlots = 0;  ///< issue slots of the kernel's instructions, each once
    double spillBytes = 0; ///< ptxas's spill loads and stores, each instruction once: of one thread
    /// Bulk copies into shared memory, and those of cp.async, that one block has begun and that nobody has waited for
    /// yet, when these are most: how many bytes of device memory they bring, and how many mbarriers they tell, or in
    /// how many groups of a thread they are (a pipeline's stages).
    double bytesInFlight = 0;
    double stagesInFlight = 0;
    double seconds = 0; ///< of the emulator

    [[nodiscard]] std::uint32_t threadsPerBlock() const { return block[0] * block[1] * block[2]; }
    [[nodiscard]] double blocks() const { return double(grid[0]) * grid[1] * grid[2]; }
    [[nodiscard]] std::uint32_t sharedBytes() const { return staticSharedBytes + dynamicSharedBytes; }
};

/// "At most 3 stages of asynchronous copies, 98.3 kB, are under way in a block"; empty where there are none.
[[nodiscard]] std::string copiesInFlightText(const LaunchCounters& launch);

/// Lines of several launches added up by line.
[[nodiscard]] std::vector<LineCounters> mergedLines(std::span<const LaunchCounters> launches);
[[nodiscard]] LineCounters mergedTotals(std::span<const LaunchCounters> launches);

/// Figures that are 0 are left out.
[[nodiscard]] nlohmann::json toJson(const LineCounters& counters);
[[nodiscard]] nlohmann::json toJson(const LaunchCounters& counters);
[[nodiscard]] nlohmann::json toJson(std::span<const LaunchCounters> launches);
/// Error "bad_input".
Result<LaunchCounters> launchCountersFromJson(const nlohmann::json& json);
Result<std::vector<LaunchCounters>> launchesFromJson(const nlohmann::json& json);

} // namespace kernelarium::perf
