// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/MemoryPages.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kernelarium::host {

/// How a file is run in the emulator.
struct EmulatorSettings {
    emulator::DeviceLimits limits;       ///< of the device to be; an H100 SXM unless said otherwise
    std::uint64_t capacity = 8ull << 30; ///< bytes that a run may allocate, device and host heap together
    std::uint64_t profiled = 0;          ///< that a profile may, most of which it never touches; 0: twice as many
    unsigned jobs = 1;                   ///< worker threads over blocks and for library operators
    bool exactSums = false;              ///< of matrix instructions (emulator::RunOptions)
    std::size_t faultsPerKind = 8;
    /// Of that capacity, for its runs one after another while memory is used again; null: it makes some.
    std::shared_ptr<emulator::MemoryPages> pages = {};
};

} // namespace kernelarium::host
