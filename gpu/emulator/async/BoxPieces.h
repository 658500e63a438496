// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/TensorMap.h"

#include <functional>

namespace kernelarium::emulator {

/// The pieces of a box of the tensor whose first element has these coordinates, and that lies at this offset of shared
/// memory; `filled` outside the tensor. Addresses are device addresses.
[[nodiscard]] std::vector<BulkCopy::Piece> boxPieces(const TensorMap& map, const std::array<std::int32_t, 5>& first,
                                                     std::uint32_t shared);

} // namespace kernelarium::emulator
