// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Index.h"
#include "core/kernelgen/sizes/Quantities.h"

#include <optional>
#include <utility>

namespace kernelarium::kernelgen {

/// How the elements that are reduced together, a row, lie in the tensor that they are read from. Every number is known
/// at each of the sizes. With [n] an axis, or several that are neighbours:
///   rows      [rows, length]: element = row * length + k
///   columns   [outer, length, inner], a row for each outer and inner: element = (row / inner * length + k) * inner +
///             row % inner
///   channels  [outer, rows, inner], length = outer * inner: element = (k / inner * rows + row) * inner + k % inner
struct RowLayout {
    enum class Kind { rows, columns, channels };
    Kind kind = Kind::rows;
    Values rows, length;
    Values inner; ///< 1 where kind is rows

    /// Every element is a row of its own.
    [[nodiscard]] static RowLayout single(const Values& rows);

    [[nodiscard]] std::int64_t element(std::int64_t row, std::int64_t k, std::size_t size) const;
    [[nodiscard]] std::int64_t row(std::int64_t element, std::size_t size) const;
    [[nodiscard]] std::int64_t place(std::int64_t element, std::size_t size) const;

    /// A tensor of these extents (at each size) has this layout with the axes [0, first), [first, last), [last, rank)
    /// for its three parts. Of rows: those before `first` count rows, those from `last` on their elements, and an axis
    /// between counts groups of its values that are parts of a row. Nothing where it has not.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>>
    axes(const std::vector<algebra::Extents>& extents) const;

    bool operator==(const RowLayout&) const = default;
};

} // namespace kernelarium::kernelgen
