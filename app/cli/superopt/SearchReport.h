// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/GraphSource.h"
#include "core/superopt/search/UnitSearch.h"

#include <chrono>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::cli {

/// What a search has found: units, states, what was pruned and why, the table of so many candidates (0: all).
/// `units`: how many there are in all, 0 where it is not known.
[[nodiscard]] std::string foundText(const superopt::GraphSearch& search, const superopt::FoundTable& table,
                                    std::uint64_t units, std::size_t rows);
/// superopt::toJson() with {task, card_name, size, limits, units_in_all}.
[[nodiscard]] nlohmann::json foundJson(const superopt::GraphSearch& search, const superopt::FoundTable& table,
                                       std::uint64_t units, bool withGraphs);
/// One candidate: its graph, each rung and what it showed.
[[nodiscard]] std::string foundCandidateText(const superopt::FoundCandidate& candidate);

/// Progress on standard error: on a terminal one line, rewritten; elsewhere one every ten seconds.
class UnitProgressLine {
public:
    UnitProgressLine();
    void show(const superopt::UnitProgress& progress);
    void end() const;

private:
    bool m_terminal;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace kernelarium::cli
