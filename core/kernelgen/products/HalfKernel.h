// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <set>

namespace kernelarium::kernelgen::products {

/// How a float16 or bfloat16 product is cut: a block makes tileRows x tileColumns elements with warpsDown x warpsAcross
/// warps; where rows are few, `warpsDeep` of them share the sum, and `parts` blocks, of which the last to end puts the
/// parts together in their order.
struct HalfTiles {
    int tileRows = 64, tileColumns = 64, tileSums = 32, stages = 3;
    int warpsDown = 2, warpsAcross = 2, warpsDeep = 1;
    /// Of a sum of so many terms, for a tile of which there are so many.
    [[nodiscard]] int parts(double batch, double rows, double columns, double sums) const;
};
[[nodiscard]] HalfTiles halfTilesFor(double rows, double products);

/// Writes the kernel of a unit by tensor cores, float32 sums, and its launch. `addHalfTiles` writes the file's
/// constants once.
void addHalfTiles(KernelFile& file, const HalfTiles& tiles);
void addHalfProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen::products
