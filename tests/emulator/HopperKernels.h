// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/async/TensorMap.h"
#include "tests/emulator/PtxProgram.h"

#include <functional>
#include <string>

namespace kernelarium::test {

/// Device functions over Hopper's instructions, in front of a kernel's own text (which begins on line 1).
[[nodiscard]] std::string hopperSource(const std::string& kernel);

/// The same of `kernel` with this line in the place of LINE: the right one, or one with a mistake.
[[nodiscard]] std::string plantedSource(std::string kernel, const char* line);
/// A fault of this kind at this line, whose other party is at that one.
void verifyBothParties(const emulator::LaunchResult& r, const char* kind, int line, int otherLine);

/// The columns of a planted mistake: the kernel with LINE in it, what stands there in the twin and in the mistake, the
/// fault's kind and the lines of both parties.
void plantedColumns();
/// Of the present row of these columns: the twin runs without a fault, the mistake is reported with both parties.
void verifyPlanted(const std::function<emulator::LaunchResult(PtxProgram& program, const std::string& kernel)>& launch);

/// A row-major matrix as a tensor map with boxes of this size. `type` is a CUtensorMapDataType.
[[nodiscard]] std::array<std::byte, emulator::tensorMapBytes> matrixMap(std::uint32_t type, std::uint64_t address,
                                                                        std::uint64_t rows, std::uint64_t columns,
                                                                        std::uint32_t boxRows, std::uint32_t boxColumns,
                                                                        std::uint32_t swizzle);

/// Small whole numbers as float16, which a product adds up exactly.
[[nodiscard]] std::vector<std::uint16_t> smallHalves(std::size_t count, unsigned seed);
[[nodiscard]] float halfValue(std::uint16_t bits);

} // namespace kernelarium::test
