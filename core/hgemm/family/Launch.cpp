// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/Launch.h"

#include <algorithm>

namespace kernelarium::hgemm {

namespace {

std::int64_t pieces(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

/// Of an operand whose extent besides k is `extent`, in tiles of `tile`, which `sharers` blocks bring one another.
MapOf operandMap(Matrix matrix, bool kInner, std::int64_t extent, std::int64_t k, int tile, int sharers) {
    if (kInner) return {matrix, k, extent, 64, tile / sharers};
    return {matrix, extent, k, 64, 64 / sharers};
}

} // namespace

FamilyLaunch launchOf(const Configuration& c, const Shape& shape, int multiprocessors) {
    FamilyLaunch l;
    l.threads = std::uint32_t(c.threads());
    l.sharedBytes = std::uint32_t(c.sharedBytes());
    l.cluster = std::uint32_t(c.clusterSize());
    l.rows = c.swapped ? shape.n : shape.m;
    l.columns = c.swapped ? shape.m : shape.n;
    const std::int64_t rowTiles = pieces(l.rows, c.tileRows), columnTiles = pieces(l.columns, c.tileColumns);
    if (c.engine == Engine::mma) {
        l.items = rowTiles * columnTiles;
        l.blocks = std::uint32_t(l.items * c.splits);
        return l;
    }
    const int outerSplits = c.splitsInCluster ? 1 : c.splits;
    l.items = pieces(rowTiles, c.clusterRows) * pieces(columnTiles, c.clusterColumns) * outerSplits;
    std::int64_t clusters = l.items;
    if (c.persistent)
        clusters = std::min<std::int64_t>(clusters,
                                          std::max(1, multiprocessors * c.blocksPerMultiprocessor() / c.clusterSize()));
    l.blocks = std::uint32_t(clusters * c.clusterSize());
    if (outerSplits > 1) l.partialFloats = l.items * c.tileRows * c.tileColumns;
    const Matrix left = c.swapped ? Matrix::b : Matrix::a, right = c.swapped ? Matrix::a : Matrix::b;
    l.maps[0] = operandMap(left, c.xKInner(), l.rows, shape.k, c.tileRows, c.clusterColumns);
    l.maps[1] = operandMap(right, c.yKInner(), l.columns, shape.k, c.tileColumns, c.clusterRows);
    l.maps[2] = {Matrix::c, shape.n, shape.m, 64, c.swapped ? std::min(64, c.tileColumns) : 64};
    return l;
}

} // namespace kernelarium::hgemm
