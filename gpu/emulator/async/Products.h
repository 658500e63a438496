// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operands of products of warpgroups in shared memory (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions", canonical layouts), and which of them are under way.
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <optional>

namespace kernelarium::emulator {

constexpr std::uint32_t productRowBytes = 32; ///< k of one instruction: 32 bytes, whatever the elements
constexpr std::uint32_t warpsOfGroup = 4;

/// Reads the operands that lie in shared memory, and remembers that they are read until the warp has waited. `a`: the
/// warp's 16 rows of productRowBytes; `b`: op.n rows of as many (k goes along a row in both). False where nothing is to
/// be computed (after a fault).
bool beginProduct(Warp& w, const Inst* ip, const WarpgroupOp& op, std::byte* a, std::byte* b);

const Inst* commitProducts(Warp& w, const Inst* ip);
/// imm: groups that may go on. A product is its whole warpgroup's: the warp goes on when all four have begun what it
/// waits for, and then all of that has ended, so that one thread may tell others of it for all four.
const Inst* waitProducts(Warp& w, const Inst* ip);
/// A warp of the same warpgroup that has not committed so many groups, and has not ended.
[[nodiscard]] std::optional<std::uint32_t> warpBehind(const Block& block, std::uint32_t warp, std::uint64_t groups);

} // namespace kernelarium::emulator
