// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/BestTable.h"

namespace kernelarium::hgemm {

/// A median of many calls.
struct ComparedTime {
    double seconds = 0;
    std::optional<double> noise; ///< the median's standard error over it (perf::SampleSummary::relativeNoise)
};

/// What the best table chose for a shape, measured again in a process that did not search.
struct ComparedRow {
    std::string device; ///< "NVIDIA H200"
    Shape shape;
    Mode mode = Mode::hot;
    /// Empty where the search saw no gain at all, and where it could not be measured.
    std::optional<ComparedTime> ours;
    std::optional<ComparedTime> autotuned, heuristic, cublas; ///< in their better layouts
};

/// Lines of CSV: device,mnk,mode, then microseconds with their noise: ours with both ends of its interval, autotuned
/// likewise, heuristic, cublas; what was not measured is empty. Error "bad_table" with the line.
[[nodiscard]] Result<std::vector<ComparedRow>> parseComparedTable(std::string_view text);
/// What was measured of the shipped best table (resources/hgemm/compared.csv).
[[nodiscard]] const std::vector<ComparedRow>& shippedComparedTable();

/// What is recorded of a shape, with what was chosen for it.
struct RecordedProduct {
    ComparedRow figures;
    Configuration configuration;
    bool fellBack = false; ///< cuBLASLt is called, which counts as 1.00
    [[nodiscard]] const std::optional<ComparedTime>& time(Subject::Kind kind) const;
    /// Over a library's time, 1 over cuBLASLt's fastest where it falls back; empty where either was not measured.
    [[nodiscard]] std::optional<double> speedup(Subject::Kind library) const;
};
/// Of the shipped tables, one device and one mode.
[[nodiscard]] std::vector<RecordedProduct> recordedProducts(std::string_view device, Mode mode);

} // namespace kernelarium::hgemm
