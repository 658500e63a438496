// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/DeviceMemory.h"

#include <cstdint>

namespace kernelarium::emulator {

/// Address spaces inside the 64-bit generic space: bits 44 and up tell the window. Global memory is DeviceMemory::base.
namespace window {
constexpr unsigned shift = 44;
constexpr std::uint64_t parameter = 3ull << shift;
constexpr std::uint64_t function = 4ull << shift;
constexpr std::uint64_t local = 5ull << shift;
constexpr std::uint64_t shared = 6ull << shift;
static_assert(DeviceMemory::base == 7ull << shift);
constexpr std::uint64_t functionStep = 16;
} // namespace window

} // namespace kernelarium::emulator
