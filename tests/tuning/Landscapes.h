// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::tuning {

/// A made-up kernel's times over a space, as rough as real ones: products of tile sizes against limits of registers and
/// shared memory (cliffs of occupancy), waves of blocks, terms that do not separate, some 15% of the allowed points
/// refused, and 4% of chance that belongs to the point.
struct Landscape {
    std::string name;
    Space space;
    /// Full looks at all allowed points and, cheaper, ones at an effort of 0.1 that leave terms out.
    std::vector<Judged> sweep;
    std::size_t refused = 0;
    std::size_t points = 0;
};

/// A tiled matrix product of some 500 points.
[[nodiscard]] Landscape matrixProduct(std::uint64_t variant);
/// A reduction over rows: fewer parameters, one of words.
[[nodiscard]] Landscape rowReduction(std::uint64_t variant);
/// A stencil of some thousands of points and eight parameters.
[[nodiscard]] Landscape stencil(std::uint64_t variant);

} // namespace kernelarium::tuning
