// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/TensorMap.h"

namespace kernelarium::emulator {

/// An address operand of a lane.
[[nodiscard]] std::uint64_t addressIn(const Warp& w, const AddressOperand& operand, std::uint32_t lane);
/// The bytes that an address of a tensor map points at: a kernel's parameter, or global memory. None elsewhere.
[[nodiscard]] std::optional<std::array<std::byte, tensorMapBytes>> mapBytesAt(const Worker& worker,
                                                                              std::uint64_t address);
/// What a lane's copy reads of global memory, or stores there: device addresses. Empty where it has nothing to do with
/// global memory, or something is wrong with it.
[[nodiscard]] std::vector<BulkCopy::Piece> globalPieces(const Warp& w, const BulkOp& op, std::uint32_t lane);

} // namespace kernelarium::emulator
