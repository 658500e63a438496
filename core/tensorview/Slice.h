// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensorview/Elements.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tensorview {

/// What a cell says of the elements that are joined in it.
enum class Join {
    mean,    ///< their mean
    largest, ///< the one of the largest magnitude
};

/// A part of a tensor as a matrix: two dimensions are seen, the others stand at an index. Of a tensor of one dimension
/// that is the columns, of one without any a single element.
struct SliceRequest {
    static constexpr std::int64_t mostCells = 65536;

    /// Indexes of the dimensions, those that are seen left out of account; missing ones are 0.
    tensor::Shape at = {};
    /// The dimensions that go down and to the right; empty: the last but one and the last.
    std::optional<std::size_t> rowDim = {};
    std::optional<std::size_t> columnDim = {};
    std::int64_t firstRow = 0;
    std::int64_t rows = -1; ///< -1: to the end
    std::int64_t firstColumn = 0;
    std::int64_t columns = -1;
    /// Cells at most: where there are more elements, several are joined in a cell. Together at most mostCells.
    std::int64_t mostRows = 64;
    std::int64_t mostColumns = 64;
    Join join = Join::mean;

    bool operator==(const SliceRequest&) const = default;
};

/// A slice as it was read.
struct Slice {
    std::optional<std::size_t> rowDim; ///< of the tensor; empty: one row
    std::optional<std::size_t> columnDim;
    tensor::Shape at; ///< an index for each dimension, 0 for those that are seen
    std::int64_t firstRow = 0;
    std::int64_t firstColumn = 0;
    std::int64_t elementRows = 0; ///< of the tensor that it covers
    std::int64_t elementColumns = 0;
    std::int64_t rowStep = 1; ///< elements of a cell; the last may have fewer
    std::int64_t columnStep = 1;
    std::int64_t rows = 0; ///< cells
    std::int64_t columns = 0;
    /// Row by row. NaN where one of its elements is NaN; else an infinity where one is infinite.
    std::vector<double> values;
    /// Of int64 with one element in each cell: the same, exactly.
    std::vector<std::int64_t> exact;

    [[nodiscard]] double value(std::int64_t row, std::int64_t column) const {
        return values[std::size_t(row * columns + column)];
    }
    /// Index of a cell's first element.
    [[nodiscard]] tensor::Shape indexOf(std::int64_t row, std::int64_t column) const;
};

/// Errors: "bad_input": an index, a range or a dimension that the tensor does not have, more cells than may be.
Result<Slice> sliceOf(const Elements& elements, const SliceRequest& request, std::stop_token stop = {});

/// A slice as Python writes it, for a tensor of this shape: "0, :, 3, 10:50". Each dimension has an index (negative
/// ones count from the end) or a range; at most two have ranges; missing ones at the end are ":" as far as two may be,
/// then 0. Empty: the first such slice. Error "bad_input", which says what was expected.
Result<SliceRequest> parseSlice(std::string_view text, const tensor::Shape& shape);
/// "[0, :, 3, 10:50]"
[[nodiscard]] std::string toString(const Slice& slice, const tensor::Shape& shape);

} // namespace kernelarium::tensorview
