// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Occupancy.h"

namespace kernelarium::perf {

/// What of a block can be changed to have more of them resident.
enum class BlockNeed { threads, registers, sharedBytes };
inline constexpr BlockNeed blockNeeds[] = {BlockNeed::threads, BlockNeed::registers, BlockNeed::sharedBytes};
[[nodiscard]] std::string_view name(BlockNeed need); ///< "threads", "registers", "shared_bytes"
[[nodiscard]] std::uint32_t valueOf(const BlockNeeds& needs, BlockNeed need);
[[nodiscard]] BlockNeeds with(BlockNeeds needs, BlockNeed need, std::uint32_t value);
/// The most that a block or thread may have.
[[nodiscard]] std::uint32_t mostOf(BlockNeed need, const MultiprocessorLimits& multiprocessor);

/// Values of one need, the others as they are, with which equally much is resident.
struct OccupancyRun {
    std::uint32_t from = 0;
    std::uint32_t to = 0; ///< included
    std::uint32_t blocks = 0;
    std::uint32_t warps = 0;
};
/// From the least value to the most that is allowed, without gaps: threads from 1, registers from 1, bytes from 0.
[[nodiscard]] std::vector<OccupancyRun> curveOver(BlockNeed need, const BlockNeeds& needs,
                                                  const MultiprocessorLimits& multiprocessor);

/// Another value of one need, the others as they are, and what is resident with it.
struct OccupancyStep {
    BlockNeed need = BlockNeed::threads;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t blocksFrom = 0, blocksTo = 0;
    std::uint32_t warpsFrom = 0, warpsTo = 0;
};
/// Of each need the nearest values with which more warps are resident: fewer registers, less shared memory, a smaller
/// or a larger block (in whole warps). Empty where no need by itself can do it. Registers that are unknown have none.
[[nodiscard]] std::vector<OccupancyStep> gainsOf(const BlockNeeds& needs, const MultiprocessorLimits& multiprocessor);
/// Of registers and shared memory the next larger value with which fewer are resident: up to there, more is free.
[[nodiscard]] std::vector<OccupancyStep> lossesOf(const BlockNeeds& needs, const MultiprocessorLimits& multiprocessor);
/// "32 instead of 34 registers a thread: 8 blocks instead of 7 (64 warps instead of 56)"; where only the warps change,
/// "288 instead of 256 threads a block: 45 warps instead of 40"
[[nodiscard]] std::string inWords(const OccupancyStep& step);

/// Occupancy, gains, losses and the three curves in one document: {"needs", "occupancy", "gains", "losses", "curves"}.
[[nodiscard]] nlohmann::json occupancyReport(const BlockNeeds& needs, const MultiprocessorLimits& multiprocessor);

} // namespace kernelarium::perf
