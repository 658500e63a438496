// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// What became of one kernel of a published set.
struct PublishedOutcome {
    hgemm::Shape shape;
    std::string accumulator;
    std::string verdict; ///< "verified", "wrong", ... or "refused"
    std::string reason;
    std::string detail;                       ///< all that the compiler said of a refused one
    std::optional<double> relativeRms;        ///< of its error, over the output's root mean square
    std::optional<double> seconds, autotuned; ///< measured, in the options' mode
    std::optional<double> ours;               ///< likewise: the kernel of the best table
    std::optional<double> claimed;            ///< published speed-up over cuBLASLt autotuned

    [[nodiscard]] std::optional<double> speedup() const {
        return seconds && autotuned ? std::optional(*autotuned / *seconds) : std::nullopt;
    }
};

[[nodiscard]] nlohmann::json toJson(const PublishedOutcome& outcome);
/// A line for each, for people.
[[nodiscard]] std::string publishedTable(const std::vector<PublishedOutcome>& all);

} // namespace kernelarium::cli
