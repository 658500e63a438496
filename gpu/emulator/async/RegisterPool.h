// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registers that the warps of a block hand one another (PTX ISA, setmaxnreg). What one gives back, another takes; a
// block has never more than it was launched with, and a warp that ends keeps its own (so recorded on an H100).
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <cstdint>
#include <string>

namespace kernelarium::emulator {

/// imm: how many, bits 1: more than before. Waits until there are enough for the whole warpgroup, which executes the
/// same. Nothing where ptxas leaves it out (FunctionCode::startRegisters).
const Inst* setRegisters(Warp& w, const Inst* ip);
/// "which takes 40 more for each thread of 4 warps, and 0 are free: ..."
[[nodiscard]] std::string lackOfRegisters(Block& block, std::uint32_t warp, const Inst* ip);

} // namespace kernelarium::emulator
