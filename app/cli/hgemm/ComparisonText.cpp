// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hgemm/ComparisonText.h"

#include "core/quantities/Quantities.h"

#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

constexpr auto right = TextTable::Align::right;

} // namespace

ComparisonTable::ComparisonTable()
    : m_text({{"shape"},
              {"ours", right},
              {"autotuned", right},
              {"heuristic", right},
              {"cuBLAS", right},
              {"x autotuned", right},
              {"x heuristic", right},
              {"x cuBLAS", right},
              {"kernel"}}) {}

void ComparisonTable::add(const hgemm::Shape& shape, const std::vector<std::string>& times,
                          const std::vector<std::optional<double>>& speedups, const std::string& kernel) {
    std::vector<std::string> cells{shapeText(shape)};
    cells.insert(cells.end(), times.begin(), times.end());
    for (const std::optional<double>& s : speedups)
        cells.push_back(s ? fmt::format("{:.3f}", *s) : "-");
    cells.push_back(printable(kernel));
    m_text.add(std::move(cells));
}

std::string comparisonTitle(hgemm::Mode mode, const std::string& origin) {
    return fmt::format("{} time, {}, {}: medians ± their standard error; ours against the better layout of each\n",
                       isWallTime(mode) ? "Wall" : "Device", hgemm::name(mode), origin);
}

std::string summaryText(const hgemm::ComparisonSummary& s) {
    if (s.shapes == 0) return {};
    return fmt::format("{}: geometric mean {:.3f} over {} ({} fall back and count as cuBLASLt's, {} slower); "
                       "{:.3f} at {} to {:.3f} at {}\n",
                       hgemm::name(s.library), s.geometricMean, quantities::counted(double(s.shapes), "shape"),
                       s.fellBack, s.slower, s.least, shapeText(s.leastAt), s.most, shapeText(s.mostAt));
}

nlohmann::json summaryJson(const hgemm::ComparisonSummary& s, hgemm::Mode mode) {
    return {{"mode", hgemm::name(mode)}, {"library", hgemm::name(s.library)},
            {"shapes", s.shapes},        {"fell_back", s.fellBack},
            {"slower", s.slower},        {"geometric_mean", s.geometricMean},
            {"least", s.least},          {"most", s.most}};
}

} // namespace kernelarium::cli
