// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripTiles.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

StripTiles stripTilesFor(double rows, double products, double sums) {
    // Measured: two steps on their way to each warp, 16 bytes a lane and term, and as many warps as find terms; more
    // steps make fewer warps fit, and do worse.
    constexpr double manyTerms = 1024;
    constexpr int mostSums = 32 << 10; // bytes of shared memory
    StripTiles t;
    t.rowEights = rows > 8 ? 2 : 1;
    t.laneColumns = products > 1 ? 4 : 8;
    t.warps = sums >= manyTerms ? 16 : 8;
    while (t.warps > 1 && t.warps * products * t.rows() * t.columns() * 4 > mostSums)
        t.warps /= 2;
    t.blocks = t.warps > 8 ? 1 : 2;
    t.ahead = sums > 16 * t.warps ? 2 : 1;
    return t;
}

int StripTiles::parts(double columnCount, double sums) const {
    constexpr double wanted = 96, leastTerms = 512; // blocks; terms of a part
    int parts = 1;
    while (std::ceil(columnCount / columns()) * parts < wanted && sums / (2 * parts) >= leastTerms)
        parts *= 2;
    return parts;
}

void addStripTiles(KernelFile& file, const StripTiles& t) {
    file.constant(fmt::format("constexpr int rowEights = {}; // eight rows each", t.rowEights));
    file.constant(fmt::format("constexpr int laneColumns = {}; // tune: pow2 4..8 # neighbours", t.laneColumns));
    file.constant(
        fmt::format("constexpr int stripWarps = {}; // tune: pow2 1..16 # they share a strip's sums", t.warps));
    file.constant(
        fmt::format("constexpr int stripAhead = {}; // tune: 1..12 # steps of 16 terms on their way", t.ahead));
    file.constant(fmt::format("constexpr int stripBlocks = {}; // tune: 1..4 # there are registers for", t.blocks));
    file.constant("constexpr int stripRows = 8 * rowEights; // of a block");
    file.constant("constexpr int stripColumns = 8 * laneColumns; // of a block");
    file.constant("constexpr int stripThreads = 32 * stripWarps;");
}

} // namespace kernelarium::kernelgen::products
