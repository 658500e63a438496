// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Measurement.h"

namespace kernelarium::hgemm {

/// What the best table chose for a shape, measured again in a process that did not search: seconds of a call, medians.
struct ComparedRow {
    std::string device; ///< "NVIDIA H200"
    Shape shape;
    Mode mode = Mode::hot;
    std::optional<double> ours; ///< empty where the search saw no gain at all, and where it could not be measured
    std::optional<double> autotuned, heuristic, cublas; ///< in their better layouts
};

/// Lines of CSV: device,mnk,mode, then microseconds: ours with both ends of its interval, autotuned likewise,
/// heuristic, cublas; what was not measured is empty. Error "bad_table" with the line.
[[nodiscard]] Result<std::vector<ComparedRow>> parseComparedTable(std::string_view text);
/// What was measured of the shipped best table (resources/hgemm/compared.csv).
[[nodiscard]] const std::vector<ComparedRow>& shippedComparedTable();

} // namespace kernelarium::hgemm
