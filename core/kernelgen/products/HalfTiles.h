// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"

#include <optional>
#include <string>

namespace kernelarium::kernelgen::products {

/// What a float16 or bfloat16 product's cut depends on; `products` lie beside one another and share the left factor.
struct HalfShape {
    double batch = 1, rows = 1, columns = 1, sums = 1, products = 1;
    bool isLeftAlong = true, isRightAlong = false; ///< the sums: neighbours of theirs are neighbours in memory
};

/// How such a product is cut: a block makes tileRows x tileColumns elements of each product with warpsDown x
/// warpsAcross warps from tileSums terms at a time, `stages` tiles of which are in shared memory; `warpsDeep` warps
/// share a sum, and so do `parts` blocks, of which the last to end adds the parts in their order.
struct HalfTiles {
    int tileRows = 64, tileColumns = 128, tileSums = 32, stages = 4;
    int warpsDown = 2, warpsAcross = 4, warpsDeep = 1;
    int parts = 1;
    [[nodiscard]] int warps() const { return warpsDown * warpsAcross * warpsDeep; }
    [[nodiscard]] double sharedBytes(const HalfShape& shape) const;
    /// Of a multiprocessor for tileSums terms, by its tensor cores and its shared memory.
    [[nodiscard]] double clocks(double products) const;
    /// Of a block that is alone there, which waits for itself.
    [[nodiscard]] double clocksOfStep(double products) const;
};

/// The cut that is modelled to take least time on a large device; with `cut` that one's tiles, and parts of its own.
[[nodiscard]] HalfTiles halfTilesFor(const HalfShape& shape, const std::optional<HalfTiles>& cut = {});

/// Elements of a factor's tile of so many lines ("tileRows"), as text: each line of what are neighbours in memory has 8
/// more, so that lines begin in different banks of shared memory. `isAlong`: neighbours are of the sum.
[[nodiscard]] std::string halfTileSize(const std::string& lines, bool isAlong);

/// Writes the constants of a file's cut, once.
void addHalfTiles(KernelFile& file, const HalfTiles& tiles, const HalfShape& shape);

} // namespace kernelarium::kernelgen::products
