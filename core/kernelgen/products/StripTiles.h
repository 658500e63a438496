// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"

namespace kernelarium::kernelgen::products {

/// How strips are cut: rowEights * 8 rows and 8 * laneColumns columns for a block, whose warps take 16 terms at a time,
/// each its own; `ahead` of such steps are on their way to a warp in registers. Where columns are few, `parts` blocks
/// share a strip's sums.
struct StripTiles {
    int rowEights = 1, laneColumns = 4, warps = 8, ahead = 2, blocks = 2;
    [[nodiscard]] int rows() const { return 8 * rowEights; }
    [[nodiscard]] int columns() const { return 8 * laneColumns; }
    [[nodiscard]] int parts(double columns, double sums) const;
};
/// For so many rows, products beside one another, and terms.
[[nodiscard]] StripTiles stripTilesFor(double rows, double products, double sums);

/// Writes the constants of a file's cut, once.
void addStripTiles(KernelFile& file, const StripTiles& tiles);

} // namespace kernelarium::kernelgen::products
