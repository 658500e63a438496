// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <string_view>

namespace kernelarium::hgemm {

/// What bounds a product, for tables and plots. A product's floor on an H200 is the larger of its operations at 790
/// TFLOP/s and its operands and result, each moved once, at 4.0 TB/s; waves are tiles of 128 by 256 over 132
/// multiprocessors.
enum class ShapeClass {
    launchBound, ///< floor under 1 us
    brief,       ///< floor under 5 us
    memoryBound, ///< the bytes take longer than the operations
    partialWave, ///< the rest: less than one wave,
    fewWaves,    ///< one to four,
    manyWaves    ///< or more
};
inline constexpr int shapeClasses = 6;
[[nodiscard]] ShapeClass classOf(const Shape& shape);
[[nodiscard]] double floorSeconds(const Shape& shape);      ///< modelled
[[nodiscard]] std::string_view name(ShapeClass shapeClass); ///< "launch-bound"

} // namespace kernelarium::hgemm
