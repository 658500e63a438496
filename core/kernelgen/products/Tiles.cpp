// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/FloatKernel.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::kernelgen::products {

namespace {

/// Of a multiprocessor: multiplications a clock, and the share of them that a tile's inner loop keeps busy, which
/// grows with the register tile (loads from shared memory are fewer for each multiplication).
constexpr double lanes = 128, processors = 132;
struct Cut {
    int rows, columns, rowsEach, columnsEach;
    double busy;
};
constexpr Cut cuts[] = {
    {128, 128, 8, 8, 0.80}, {64, 128, 8, 4, 0.68}, {64, 64, 4, 4, 0.55},
    {32, 64, 4, 4, 0.50},   {32, 32, 4, 4, 0.42},  {16, 64, 4, 4, 0.40},
};
constexpr double clocksAround = 1500;     ///< beginning and end of a block: first loads, epilogue
constexpr double clocksOfFinish = 4500;   ///< a second launch
constexpr double leastClocksForTerm = 20; ///< of one block alone: latency of shared memory and FMA
constexpr double bytesAClock = 2000;      ///< from and to the second-level cache, all processors
constexpr int partsTried[] = {1, 2, 4, 8, 16, 32, 64};

} // namespace

FloatTiles floatTilesFor(double batch, double rows, double columns, double sums, bool maySplit,
                         const std::optional<FloatTiles>& shape) {
    FloatTiles best;
    double least = INFINITY;
    for (const Cut& c : cuts) {
        if (shape && (shape->tileRows != c.rows || shape->tileColumns != c.columns)) continue;
        for (const int parts : partsTried) {
            if (parts > 1 && (!maySplit || sums / parts < 32)) continue;
            const double tiles = batch * std::ceil(rows / c.rows) * std::ceil(columns / c.columns) * parts;
            const double terms = std::ceil(sums / parts / 16) * 16;
            const double busyBlocks = std::ceil(tiles / processors); // of the fullest processor
            const double alone = leastClocksForTerm * terms + clocksAround;
            const double busy = busyBlocks * c.rows * c.columns * terms / (lanes * c.busy) + clocksAround;
            const double traffic = tiles * terms * (c.rows + c.columns) * 4 / bytesAClock;
            double clocks = std::max({alone, busy, traffic});
            if (parts > 1) clocks += clocksOfFinish + 2 * parts * batch * rows * columns * 4 / bytesAClock;
            if (clocks >= least) continue;
            least = clocks;
            // Large register tiles leave few registers for what is on its way.
            const int sumsOfTile = c.rowsEach * c.columnsEach > 32 ? 8 : 16;
            best = {c.rows, c.columns, sumsOfTile, c.rowsEach, c.columnsEach, parts};
        }
    }
    return best;
}

} // namespace kernelarium::kernelgen::products
