// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen::products {

/// A kernel file for a card with matrix products: a tiled kernel for each (float32 by FFMA, float16 and bfloat16 by
/// tensor cores with float32 sums), with the maps of its elements in registers; what is left is rows and maps. Error
/// "unsupported" names what does not fit, a task without products among it.
[[nodiscard]] Result<Emitted> emitFile(const task::Card& card, const EmitOptions& options = {});
/// Whether the card has a product that is worth a kernel, whatever becomes of the rest.
[[nodiscard]] bool hasProducts(const task::Card& card);

} // namespace kernelarium::kernelgen::products
