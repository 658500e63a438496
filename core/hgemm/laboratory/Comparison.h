// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/BestTable.h"

namespace kernelarium::hgemm {

/// One shape in one mode: ours beside the libraries, measured in turn in one process.
struct Comparison {
    Shape shape;
    Mode mode = Mode::hot;
    bool fellBack = false; ///< the table says that cuBLASLt is faster here: it is called, and that counts as 1.00
    MeasureAnswer answer;

    /// The faster of the layouts, of those that were measured; null where there is none.
    [[nodiscard]] const Measured* best(Subject::Kind kind) const;
    /// The library's time over ours; 1 where we fall back; empty where either was not measured.
    [[nodiscard]] std::optional<double> speedup(Subject::Kind library) const;
};

/// What of a comparison is wanted.
struct ComparisonParts {
    std::vector<Subject::Kind> libraries{Subject::Kind::cublas, Subject::Kind::ltFirst, Subject::Kind::ltFastest};
    std::vector<Layout> layouts{Layout::tn, Layout::nn};
    bool halfSums = false; ///< of ours; the libraries add up in float32 all the same
};
/// What is measured for it: ours as the table has it, in these layouts, unless that falls back or there is none, and
/// each library in each layout. Of sums in float16, which no row of the table may have, else the one that the model
/// thinks fastest.
[[nodiscard]] MeasureRequest comparisonRequest(std::span<const BestRow> table, const Shape& shape, Mode mode,
                                               bool& fallsBack, const ComparisonParts& parts = {});

struct ComparisonSummary {
    Subject::Kind library = Subject::Kind::ltFastest;
    std::size_t shapes = 0; ///< with a speed-up
    std::size_t fellBack = 0;
    std::size_t slower = 0; ///< of those that did not: below 1
    double geometricMean = 0;
    double least = 0, most = 0;
    Shape leastAt, mostAt;
};
/// Over one library, of one mode.
struct Speedup {
    Shape shape;
    double ratio = 1;
    bool fellBack = false;
};
[[nodiscard]] ComparisonSummary summarise(std::span<const Speedup> speedups, Subject::Kind library);
/// Of one mode.
[[nodiscard]] ComparisonSummary summarise(std::span<const Comparison> comparisons, Mode mode, Subject::Kind library);

[[nodiscard]] std::string_view name(Subject::Kind kind); ///< "cuBLASLt, autotuned"
[[nodiscard]] std::string key(Subject::Kind library);    ///< "cublaslt-autotuned"
[[nodiscard]] nlohmann::json toJson(const Comparison& comparison);

} // namespace kernelarium::hgemm
