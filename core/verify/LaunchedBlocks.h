// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Occupancy.h"
#include "core/verify/Runner.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// What the compiler says of a kernel, as far as it decides how many of its blocks are resident.
struct KernelNeeds {
    std::string name; ///< demangled, without parameters
    std::uint32_t registers = 0;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t barriers = 0;
    std::uint32_t maxThreads = 0; ///< of __launch_bounds__; 0: none
};

/// A kernel's block as its launches have it; launches that are alike are one.
struct LaunchedBlock {
    std::string kernel;
    perf::BlockNeeds needs; ///< threads 0: it was not launched and has no launch bounds
    std::size_t launches = 0;
    std::array<std::uint32_t, 3> grid{0, 0, 0};
    std::array<std::uint32_t, 3> block{0, 0, 0};
};

/// In the order of the launches; then the kernels that were not launched, with their launch bounds as the block.
[[nodiscard]] std::vector<LaunchedBlock> launchedBlocks(std::span<const KernelNeeds> kernels,
                                                        std::span<const Launch> launches);

} // namespace kernelarium::verify
