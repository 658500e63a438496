// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"
#include "core/verify/Comparison.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// Where an output is wrong, as a picture of at most 64 by 64 cells. The output is seen as a matrix: its last
/// dimension gives the columns, all others together the rows (row-major).
struct ErrorMap {
    static constexpr int mostCells = 64; ///< along each side

    std::size_t output = 0; ///< which output tensor, depth first
    tensor::Shape shape;    ///< of that output, as the reference has it
    int rows = 0;
    int columns = 0;
    std::array<std::int64_t, 2> cellSize{1,
                                         1}; ///< elements of the matrix in a cell: rows, columns; the last may be cut
    /// Per cell, row by row, the worst |got - expected| / (legacy tolerance * (scale + |expected|)) as in Comparison:
    /// up to 1 is right. NaN where an element is NaN and the reference is not; infinity where an infinity or a whole
    /// number is not the reference's.
    std::vector<float> worst;

    [[nodiscard]] std::int64_t matrixRows() const;
    [[nodiscard]] std::int64_t matrixColumns() const;
    [[nodiscard]] std::string shapeText() const { return tensor::toString(shape); }
    [[nodiscard]] float at(int row, int column) const {
        return worst[std::size_t(row) * std::size_t(columns) + std::size_t(column)];
    }
};

/// A map of an output of this shape on which nothing is wrong.
[[nodiscard]] ErrorMap emptyErrorMap(std::size_t output, tensor::Shape shape);

/// The map of one output of these outputs. The structure must have been compared: `output` exists in both, with the
/// same number of elements. One pass over its elements.
[[nodiscard]] ErrorMap errorMap(const tensor::Value& got, const tensor::Value& reference, std::size_t output,
                                const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance);

} // namespace kernelarium::verify
