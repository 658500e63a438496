// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfTiles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

namespace {

/// Few rows have warps that share a sum: the right factor is read once and nothing is left to share but the terms. Of
/// 64, the narrow cut leaves less to add where sums are split, the wide one reads the left factor less often.
constexpr HalfTiles halfCuts[] = {
    {16, 32, 64, 4, 1, 1, 4}, {32, 64, 64, 4, 1, 4, 1},  {64, 64, 32, 4, 2, 2, 1},
    {64, 64, 32, 6, 2, 2, 2}, {64, 128, 32, 4, 2, 4, 1}, {128, 128, 32, 4, 2, 4, 1},
};
constexpr int halfPartsTried[] = {1, 2, 4, 8, 16};
constexpr double leastTerms = 256; // of a part

// Of an H200, in clocks. That memory, its second-level cache and the tensor cores are kept so busy was not measured
// for this form; the latency is that of memory under load.
constexpr double multiprocessors = 132, bytesOfProcessor = 227 << 10, warpsOfProcessor = 14; // 146 registers each
constexpr double memoryBytesAClock = 2180, cacheBytesAClock = 3180, multiplicationsAClock = 1365,
                 sharedBytesAClock = 128;
constexpr double loadedLatency = 1500, cacheLatency = 500, clocksOfBlock = 3000;
constexpr double clocksOfJoin = 2500, clocksOfPart = 700, ownCacheBytesAClock = 64; // of a multiprocessor
constexpr double mostSums = 96;                                                     // registers of a thread
constexpr double mostShared = 96 << 10; // that a block of any device since Ampere may have

double halfClocks(const HalfShape& s, const HalfTiles& t) {
    const double tiles = s.batch * std::ceil(s.rows / t.tileRows) * std::ceil(s.columns / t.tileColumns);
    const double blocks = tiles * t.parts, mostBlocks = std::ceil(blocks / multiprocessors);
    const double steps = std::ceil(s.sums / t.parts / t.tileSums);
    const double resident =
        std::max(1.0, std::floor(std::min(bytesOfProcessor / (t.sharedBytes(s) + 1024), warpsOfProcessor / t.warps())));
    const double terms = steps * t.tileSums * blocks;
    const double bytes = terms * (t.tileRows + s.products * t.tileColumns) * 2;
    const double once = 2 * s.batch * (s.sums * (s.rows + s.products * s.columns) + s.rows * s.columns);
    const double latency = cacheLatency + std::min(1.0, once / bytes) * (loadedLatency - cacheLatency);
    const double alone =
        steps * std::max(t.clocksOfStep(s.products), latency / (t.stages - 1)) * std::ceil(mostBlocks / resident);
    const double own = std::max(alone, mostBlocks * steps * t.clocks(s.products)) + clocksOfBlock;
    const double cache = bytes / cacheBytesAClock;
    double clocks = std::hypot(own, std::max(cache, once / memoryBytesAClock));
    if (t.parts > 1) { // the last block of a tile reads all parts, while most others are idle
        const double ofTile = 4 * s.products * t.tileRows * t.tileColumns;
        const double last = (1 + t.parts) * ofTile / ownCacheBytesAClock + t.parts * clocksOfPart;
        clocks += clocksOfJoin + std::max(last, 2 * blocks * ofTile / cacheBytesAClock);
    }
    return clocks;
}

} // namespace

double HalfTiles::sharedBytes(const HalfShape& s) const {
    const double left = s.isLeftAlong ? tileRows * (tileSums + 8) : tileSums * (tileRows + 8);
    const double right = s.isRightAlong ? tileColumns * (tileSums + 8) : tileSums * (tileColumns + 8);
    const double lines = left + s.products * right;
    const double sums = s.products * std::max(1, warpsDeep - 1) * tileRows * (tileColumns + 4);
    return std::max(2 * stages * lines, 4 * sums);
}

double HalfTiles::clocks(double products) const {
    constexpr double bytes = 2;
    const double multiplied = tileRows * tileColumns * products * tileSums / multiplicationsAClock;
    // Tiles are written to shared memory, and fragments of them are read by each warp.
    const double written = (tileRows + products * tileColumns) * tileSums * bytes;
    const double read = (tileRows * warpsAcross + products * tileColumns * warpsDown) * tileSums * bytes;
    return std::max(multiplied, (written + read) / sharedBytesAClock);
}

double HalfTiles::clocksOfStep(double products) const {
    constexpr double clocksAround = 60; // a barrier, first fragments
    return clocksAround + clocks(products) / warpsDeep;
}

HalfTiles halfTilesFor(const HalfShape& shape, const std::optional<HalfTiles>& cut) {
    HalfTiles best;
    double least = INFINITY;
    const auto consider = [&](HalfTiles t) {
        for (const int parts : halfPartsTried) {
            if (parts > 1 && shape.sums / parts < leastTerms) break;
            t.parts = parts;
            const double clocks = halfClocks(shape, t);
            if (clocks < least) least = clocks, best = t;
        }
    };
    if (cut) {
        consider(*cut);
        return best;
    }
    for (HalfTiles t : halfCuts) {
        const double sums = shape.products * t.tileRows / t.warpsDown * t.tileColumns / t.warpsAcross / 32;
        while (t.sharedBytes(shape) > mostShared && t.stages > 2)
            --t.stages;
        if (sums <= mostSums && t.sharedBytes(shape) <= mostShared) consider(t);
    }
    return best;
}

std::string halfTileSize(const std::string& lines, bool isAlong) {
    return fmt::format(fmt::runtime(isAlong ? "{} * (tileSums + 8)" : "tileSums * ({} + 8)"), lines);
}

void addHalfTiles(KernelFile& file, const HalfTiles& t, const HalfShape& shape) {
    file.constant(fmt::format("constexpr int tileRows = {}; // tune: pow2 16..128", t.tileRows));
    file.constant(fmt::format("constexpr int tileColumns = {}; // tune: pow2 16..128", t.tileColumns));
    file.constant(fmt::format("constexpr int tileSums = {}; // tune: pow2 16..64", t.tileSums));
    file.constant(fmt::format("constexpr int stages = {}; // tune: 2..6 # tiles in shared memory", t.stages));
    file.constant(fmt::format("constexpr int warpsDown = {}; // tune: pow2 1..4", t.warpsDown));
    file.constant(fmt::format("constexpr int warpsAcross = {}; // tune: pow2 1..8", t.warpsAcross));
    file.constant(fmt::format("constexpr int warpsDeep = {}; // tune: pow2 1..4 # they share the sum", t.warpsDeep));
    // Whole fragments; threads of a block; registers for its sums; shared memory that devices have.
    const std::string rights = shape.products == 1 ? "" : fmt::format("{} * ", int(shape.products));
    file.constant(
        "// tune where: tileRows >= 16 * warpsDown, tileColumns >= 16 * warpsAcross, tileSums >= 16 * warpsDeep");
    file.constant(fmt::format("// tune where: {}tileRows * tileColumns <= 4096 * warpsDown * warpsAcross", rights));
    file.constant("// tune where: warpsDown * warpsAcross * warpsDeep <= 16");
    file.constant(fmt::format("// tune where: stages * ({} + {}{}) <= 113 * 1024 # 16 bits each",
                              halfTileSize("tileRows", shape.isLeftAlong), rights,
                              halfTileSize("tileColumns", shape.isRightAlong)));
    file.constant("constexpr int productThreads = 32 * warpsDown * warpsAcross * warpsDeep; // of a block");
    file.constant("constexpr int ownRows = tileRows / warpsDown; // of a warp");
    file.constant("constexpr int ownColumns = tileColumns / warpsAcross; // of a warp");
}

} // namespace kernelarium::kernelgen::products
