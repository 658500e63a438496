// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/HeatSlices.h"
#include "ui/hgemm/HgemmDesk.h"
#include "ui/statistics/FigureTable.h"
#include "ui/widgets/HoverCard.h"

#include <utility>

namespace kernelarium::ui {

/// Means and worst cases, a row for each table and baseline; a row's key is what hgemmPlace reads.
[[nodiscard]] FigureTable hgemmFigures(const HgemmDesk::Results& results);
[[nodiscard]] std::pair<int, int> hgemmPlace(qint64 key); ///< table, baseline

/// "a100 F16F16F16F16 offline over torch.matmul: 1.41× in the geometric mean of 1,000 shapes, ..."
[[nodiscard]] QString hgemmSentence(const HgemmResult& result, int baseline);
[[nodiscard]] QString shapeText(const hgemm::Shape& shape); ///< "M 64 · N 128 · K 4096"
[[nodiscard]] QString hgemmRatio(double ratio);             ///< "1.382×", "no value"
/// All that is published of a shape.
[[nodiscard]] Record hgemmRecord(const HgemmResult& result, const HeatSlices& slices, const hgemm::Shape& shape);
/// A line for each shape that the table has, with every baseline; cells separated by tabs.
[[nodiscard]] QString hgemmNumbers(const HgemmResult& result, const HeatSlices& slices,
                                   const std::vector<hgemm::Shape>& shapes);

} // namespace kernelarium::ui
