// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/search/Progress.h"
#include "core/tuning/strategies/Compare.h"
#include "gpu/protocol/Sweep.h"

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// What a sweep has found, for people: counts, the start, the best points, what matters. `most` rows; 0: all.
[[nodiscard]] std::string sweepText(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all,
                                    const std::vector<protocol::Confirmation>& confirmations, std::size_t most);
/// {kernel, task, size, device, value, strategy, points, allowed, counts {valued, refused, wrong, failed, filtered},
/// start, best, sizes [{size, start_ms, best (key or
/// null), best_ms, verified_at}] of a sweep over several, confirmations [...] of the best (Confirmation.h), best_so_far
/// [{looks, value_ms, key}], importance
/// [{parameter, share}], rows [...]}. A row: key, parameters, outcome, value_ms, rank, reason, filtered (refused before
/// it was compiled), details, seconds.
[[nodiscard]] nlohmann::json sweepJson(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all,
                                       const std::vector<protocol::Confirmation>& confirmations);

[[nodiscard]] std::string comparisonText(const tuning::Comparison& comparison);
[[nodiscard]] nlohmann::json comparisonJson(const tuning::Comparison& comparison);

/// The progress of a sweep on standard error: one line rewritten in place on a terminal, else one every ten seconds.
class SweepProgressLine {
public:
    SweepProgressLine();
    void show(const tuning::Progress& progress);
    void end() const; ///< clears the line

private:
    bool m_terminal;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace kernelarium::cli
