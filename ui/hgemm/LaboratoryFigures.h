// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/LaboratoryEntry.h"
#include "ui/statistics/ChartData.h"
#include "ui/statistics/FigureTable.h"

namespace kernelarium::ui {

/// What a plot of the laboratory shows of each product.
enum class LaboratoryPlot { speedup, tile, stages, splits, raster, claims };
/// ... over what; claims are over what was measured.
enum class LaboratoryAxis { shapeClass, m, n, k };

/// A row for each product; its key is its number. Each time stands with its noise, and where any energy was measured,
/// with that.
/// Every row says its mode, and so its clock: the table goes into files.
[[nodiscard]] FigureTable laboratoryFigures(const std::vector<LaboratoryEntry>& entries, hgemm::Mode mode);
[[nodiscard]] ChartData laboratoryChart(const std::vector<LaboratoryEntry>& entries, LaboratoryPlot plot,
                                        LaboratoryAxis axis, hgemm::Mode mode);
/// "Device time, hot, on an NVIDIA H200: ours over cuBLASLt autotuned 1.052× in the geometric mean of 98 shapes, ..."
[[nodiscard]] QString laboratorySentence(const std::vector<LaboratoryEntry>& entries, const QString& device,
                                         hgemm::Mode mode);
/// Where the figures are from: "recorded in a process of its own after the search" where all are of one origin, else
/// how many are from where; empty without entries.
[[nodiscard]] QString laboratoryOrigins(const std::vector<LaboratoryEntry>& entries);
[[nodiscard]] Record laboratoryRecord(const LaboratoryEntry& entry);

} // namespace kernelarium::ui
