// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"
#include "ui/hgemm/HeatCanvas.h"

#include <array>
#include <map>

namespace kernelarium::ui {

/// A table's shapes as a cube of M, N and K, cut into maps of two of them.
class HeatSlices {
public:
    enum class Plane { mn, mk, nk }; ///< the two that are drawn, the first to the right
    explicit HeatSlices(const hgemm::HgemmTable& table);

    [[nodiscard]] const std::vector<std::int64_t>& third(Plane plane) const; ///< the values of the one that is left
    [[nodiscard]] static QString thirdName(Plane plane);

    /// `only`: the place of one value of the third; -1: a map for each.
    [[nodiscard]] HeatData data(Plane plane, int baseline, int only) const;
    /// The shape of a cell of that data, whether the table has it or not.
    [[nodiscard]] hgemm::Shape shapeOf(Plane plane, int only, int mark) const;
    /// The row of the table with that shape; -1: it has none.
    [[nodiscard]] int rowOf(const hgemm::Shape& shape) const;
    /// The cell of a shape in data(plane, ., only); none where it is not among the maps.
    [[nodiscard]] std::optional<int> cellOf(Plane plane, int only, const hgemm::Shape& shape) const;

private:
    [[nodiscard]] static std::array<int, 3> order(Plane plane); ///< of M, N, K: x, y, third

    const hgemm::HgemmTable& m_table;
    std::array<std::vector<std::int64_t>, 3> m_values; ///< of M, N and K, ascending
    std::map<hgemm::Shape, int> m_rows;
};

} // namespace kernelarium::ui
