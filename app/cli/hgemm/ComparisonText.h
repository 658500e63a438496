// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Output.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "core/hgemm/laboratory/Comparison.h"

#include <array>

namespace kernelarium::cli {

inline constexpr std::array comparedLibraries{hgemm::Subject::Kind::ltFastest, hgemm::Subject::Kind::ltFirst,
                                              hgemm::Subject::Kind::cublas};
/// Ours first, as the table has them.
inline constexpr std::array comparedKinds{hgemm::Subject::Kind::family, hgemm::Subject::Kind::ltFastest,
                                          hgemm::Subject::Kind::ltFirst, hgemm::Subject::Kind::cublas};

/// A line for each shape of one mode: times by comparedKinds, speed-ups by comparedLibraries.
class ComparisonTable {
public:
    ComparisonTable();
    void add(const hgemm::Shape& shape, const std::vector<std::string>& times,
             const std::vector<std::optional<double>>& speedups, const std::string& kernel);
    [[nodiscard]] std::string text() const { return m_text.text(); }

private:
    TextTable m_text;
};

/// The line above the table: which clock, which mode, whose figures.
[[nodiscard]] std::string comparisonTitle(hgemm::Mode mode, const std::string& origin);
/// A line; empty where nothing has a speed-up.
[[nodiscard]] std::string summaryText(const hgemm::ComparisonSummary& summary);
[[nodiscard]] nlohmann::json summaryJson(const hgemm::ComparisonSummary& summary, hgemm::Mode mode);

} // namespace kernelarium::cli
