// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Slice.h"

#include "core/verify/Chunks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::tensorview {

namespace {

Error badSlice(std::string what, const tensor::Shape& shape) {
    return {"bad_input", std::move(what), "The tensor's shape is " + tensor::toString(shape) + "."};
}

std::int64_t cellsOf(std::int64_t elements, std::int64_t step) {
    return (elements + step - 1) / step;
}

/// The elements that a cell joins.
class Joined {
public:
    explicit Joined(Join join)
        : m_join(join) {}
    void take(double value) {
        if (!std::isfinite(value)) {
            if (std::isnan(value) || std::isnan(m_notFinite))
                m_notFinite = std::nan("");
            else
                m_notFinite = value;
            m_isFinite = false;
            return;
        }
        m_sum += value;
        ++m_count;
        if (std::abs(value) > std::abs(m_largest)) m_largest = value;
    }
    [[nodiscard]] double value() const {
        if (!m_isFinite) return m_notFinite;
        return m_join == Join::largest ? m_largest : m_count ? double(m_sum / (long double)(m_count)) : 0;
    }

private:
    Join m_join;
    bool m_isFinite = true;
    double m_notFinite = 0;
    long double m_sum = 0;
    std::int64_t m_count = 0;
    double m_largest = 0;
};

/// One of the two dimensions that are seen.
struct Seen {
    std::optional<std::size_t> dim;
    std::int64_t first = 0;
    std::int64_t count = 1; ///< elements
    std::int64_t stride = 0;
    std::int64_t step = 1; ///< elements of a cell
    std::int64_t cells = 1;
};

Result<Seen> seenOf(std::optional<std::size_t> dim, std::int64_t first, std::int64_t count, std::int64_t most,
                    const tensor::Shape& shape) {
    Seen seen;
    seen.dim = dim;
    const std::int64_t size = dim ? shape[*dim] : 1;
    if (first < 0 || first > size || (first == size && size > 0))
        return badSlice(fmt::format("There is no element {} in a dimension of {}.", first, size), shape);
    seen.first = first;
    seen.count = count < 0 ? size - first : count;
    if (seen.count > size - first)
        return badSlice(fmt::format("Elements {} to {} are not in a dimension of {}.", first, first + count - 1, size),
                        shape);
    if (dim) seen.stride = tensor::elementCount({shape.begin() + std::ptrdiff_t(*dim) + 1, shape.end()});
    seen.step = std::max<std::int64_t>(1, cellsOf(seen.count, most));
    seen.cells = cellsOf(seen.count, seen.step);
    return seen;
}

} // namespace

tensor::Shape Slice::indexOf(std::int64_t row, std::int64_t column) const {
    tensor::Shape index = at;
    if (rowDim) index[*rowDim] = firstRow + row * rowStep;
    if (columnDim) index[*columnDim] = firstColumn + column * columnStep;
    return index;
}

Result<Slice> sliceOf(const Elements& elements, const SliceRequest& r, std::stop_token stop) {
    const tensor::Shape& shape = elements.shape();
    const std::size_t dims = shape.size();
    if (r.mostRows < 1 || r.mostColumns < 1 || r.mostRows > SliceRequest::mostCells / r.mostColumns)
        return badSlice(fmt::format("A slice has at most {} cells.", SliceRequest::mostCells), shape);
    std::optional<std::size_t> rowDim = r.rowDim, columnDim = r.columnDim;
    if (!rowDim && !columnDim) {
        if (dims >= 1) columnDim = dims - 1;
        if (dims >= 2) rowDim = dims - 2;
    }
    if ((rowDim && *rowDim >= dims) || (columnDim && *columnDim >= dims) || (rowDim && rowDim == columnDim))
        return badSlice("A dimension that is to be seen is not there, or twice.", shape);
    Slice slice;
    slice.rowDim = rowDim;
    slice.columnDim = columnDim;
    slice.at.assign(dims, 0);
    for (std::size_t d = 0; d < dims && d < r.at.size(); ++d) {
        if (d == rowDim || d == columnDim) continue;
        if (shape[d] > 0 && (r.at[d] < 0 || r.at[d] >= shape[d]))
            return badSlice(fmt::format("Dimension {} has no index {}.", d, r.at[d]), shape);
        slice.at[d] = shape[d] > 0 ? r.at[d] : 0;
    }
    const Result<Seen> down = seenOf(rowDim, rowDim ? r.firstRow : 0, rowDim ? r.rows : -1, r.mostRows, shape);
    if (!down) return down.error();
    const Result<Seen> right =
        seenOf(columnDim, columnDim ? r.firstColumn : 0, columnDim ? r.columns : -1, r.mostColumns, shape);
    if (!right) return right.error();
    slice.firstRow = down->first;
    slice.firstColumn = right->first;
    slice.rowStep = down->step;
    slice.columnStep = right->step;
    slice.elementRows = down->count;
    slice.elementColumns = right->count;
    if (elements.count() == 0) return slice;
    slice.rows = down->cells;
    slice.columns = right->cells;
    slice.values.resize(std::size_t(slice.rows * slice.columns));
    const bool exact = elements.dtype() == tensor::DType::Int64 && slice.rowStep == 1 && slice.columnStep == 1;
    if (exact) slice.exact.resize(slice.values.size());
    const std::int64_t origin = elementAt(slice.at, shape);
    const auto fillRow = [&](std::int64_t row) {
        for (std::int64_t column = 0; column < slice.columns; ++column) {
            Joined joined(r.join);
            const std::int64_t lastRow = std::min((row + 1) * down->step, down->count);
            const std::int64_t lastColumn = std::min((column + 1) * right->step, right->count);
            for (std::int64_t i = row * down->step; i < lastRow && !stop.stop_requested(); ++i)
                for (std::int64_t j = column * right->step; j < lastColumn; ++j)
                    joined.take(
                        elements.at(origin + (down->first + i) * down->stride + (right->first + j) * right->stride));
            slice.values[std::size_t(row * slice.columns + column)] = joined.value();
            if (exact)
                slice.exact[std::size_t(row * slice.columns + column)] = elements.integerAt(
                    origin + (down->first + row) * down->stride + (right->first + column) * right->stride);
        }
    };
    // A chunk is so many elements: here, as many threads as the slice's elements are worth.
    const std::int64_t worth = std::max<std::int64_t>(1, slice.elementRows * slice.elementColumns / slice.rows);
    const std::int64_t rowsAtOnce = std::max<std::int64_t>(1, verify::chunkElements / worth);
    const std::int64_t parts = cellsOf(slice.rows, rowsAtOnce);
    verify::forChunks(parts * verify::chunkElements, [&](std::size_t part, std::int64_t, std::int64_t) {
        const std::int64_t from = std::int64_t(part) * rowsAtOnce;
        for (std::int64_t row = from; row < std::min(from + rowsAtOnce, slice.rows); ++row)
            fillRow(row);
    });
    return slice;
}

} // namespace kernelarium::tensorview
