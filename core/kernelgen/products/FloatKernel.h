// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <optional>
#include <set>

namespace kernelarium::kernelgen::products {

/// How a float32 product is cut: a block makes tileRows x tileColumns elements, a thread rowsEach x columnsEach of
/// them in registers; the sum is cut into `parts`, each of which blocks of their own add up.
struct FloatTiles {
    int tileRows = 64, tileColumns = 64, tileSums = 16;
    int rowsEach = 4, columnsEach = 4;
    int parts = 1;
};
/// The cut of least estimated time on a large device, for products of these extents; with `shape`, of its tiles.
[[nodiscard]] FloatTiles floatTilesFor(double batch, double rows, double columns, double sums, bool maySplit,
                                       const std::optional<FloatTiles>& shape = {});

/// Writes the kernels of a unit of float32, and their launches. Tiles' constants are the file's: `addTiles` writes them
/// once, for the largest of its products.
void addFloatTiles(KernelFile& file, const FloatTiles& tiles);
void addFloatProduct(KernelFile& file, const ProductUnit& unit, const FloatTiles& tiles,
                     const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen::products
