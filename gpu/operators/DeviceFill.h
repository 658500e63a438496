// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Device.h"

#include <optional>

namespace kernelarium::operators {

/// Poison and guard bands on the device: a 32-bit pattern over and over, its lowest byte first. `address` has
/// to be a multiple of four ("bad_argument"). Errors: "launch_failed".
Result<void> fillPattern(Device& device, std::uint64_t address, std::uint64_t bytes, std::uint32_t pattern);

/// Offset of the first byte that is not the pattern's; empty where all are.
Result<std::optional<std::uint64_t>> firstDifference(Device& device, std::uint64_t address, std::uint64_t bytes,
                                                     std::uint32_t pattern);

/// Offset of the first byte in which two ranges differ; empty where they are the same. Errors: "launch_failed".
Result<std::optional<std::uint64_t>> firstDifferentByte(Device& device, std::uint64_t a, std::uint64_t b,
                                                        std::uint64_t bytes);

} // namespace kernelarium::operators
