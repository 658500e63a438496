// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/async/TensorMap.h"
#include "tests/emulator/PtxProgram.h"

#include <functional>
#include <string>

namespace kernelarium::test {

/// Device functions over Hopper's instructions, in front of a kernel's own text (which begins on line 1).
[[nodiscard]] std::string hopperSource(const std::string& kernel);

/// A row-major matrix as a tensor map with boxes of this size. `type` is a CUtensorMapDataType.
[[nodiscard]] std::array<std::byte, emulator::tensorMapBytes> matrixMap(std::uint32_t type, std::uint64_t address,
                                                                        std::uint64_t rows, std::uint64_t columns,
                                                                        std::uint32_t boxRows, std::uint32_t boxColumns,
                                                                        std::uint32_t swizzle);

/// Small whole numbers as float16, which a product adds up exactly.
[[nodiscard]] std::vector<std::uint16_t> smallHalves(std::size_t count, unsigned seed);
[[nodiscard]] float halfValue(std::uint16_t bits);

} // namespace kernelarium::test
