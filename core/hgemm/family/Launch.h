// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"

#include <array>

namespace kernelarium::hgemm {

enum class Matrix { a, b, c };

/// A tensor map of two dimensions over a dense matrix of float16, in boxes with the swizzle of 128 bytes.
struct MapOf {
    Matrix matrix = Matrix::a;
    std::int64_t inner = 0, outer = 0; ///< extents in elements; lines lie one after the other
    int boxInner = 64, boxOuter = 64;
};

/// How a kernel of the family is started for a shape.
struct FamilyLaunch {
    std::uint32_t blocks = 1, threads = 1, cluster = 1; ///< a cluster of so many neighbouring blocks
    std::uint32_t sharedBytes = 0;
    std::int64_t items = 0;             ///< tiles, or clusters of tiles, times splits that are not in a cluster
    std::int64_t partialFloats = 0;     ///< of the memory for splits by last arriver
    std::int64_t rows = 0, columns = 0; ///< of the product that is computed: m and n; swapped, n and m
    std::array<MapOf, 3> maps{};        ///< of wgmma: left operand, right operand, C
};

/// For a shape that it does not refuse.
[[nodiscard]] FamilyLaunch launchOf(const Configuration& configuration, const Shape& shape, int multiprocessors);

} // namespace kernelarium::hgemm
