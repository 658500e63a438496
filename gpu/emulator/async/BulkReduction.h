// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/BulkOp.h"

#include <cstddef>

namespace kernelarium::emulator {

/// Whether cp.reduce.async.bulk has the operation on the type, here.
[[nodiscard]] bool canReduce(BulkOp::Reduction reduction, ptx::Type type);
/// to[i] = to[i] op from[i] for the elements of these bytes.
void reduceInto(std::byte* to, const std::byte* from, std::uint32_t bytes, BulkOp::Reduction reduction, ptx::Type type);
/// The same where other workers may do so at the same time.
void reduceGlobal(std::byte* to, const std::byte* from, std::uint32_t bytes, BulkOp::Reduction reduction,
                  ptx::Type type);

} // namespace kernelarium::emulator
