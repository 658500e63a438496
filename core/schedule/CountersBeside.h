// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/ScheduleHistory.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// Counters of the original and of the best schedule side by side: measured by Nsight Compute where both were, else the
/// model's cycles of one warp by what they go to. Never some of each.
struct CountersBeside {
    struct Row {
        std::string group; ///< "memory", "L2", "stalls", ...; of a model "cycles"
        std::string name, meaning, unit;
        std::optional<double> original, best;
        /// "+1.2%", "=", "new" (there was nothing before); empty where one of both is not known.
        [[nodiscard]] std::string change() const;
    };
    bool isMeasured = false;
    std::string from; ///< where the figures are from, for people
    std::vector<Row> rows;
};
/// Without a best: no rows.
[[nodiscard]] CountersBeside countersBeside(const ScheduleHistory& history);
/// Likewise the model's alone, of any other code of the kernel in the best's place.
[[nodiscard]] CountersBeside modelledBeside(const Subject& subject, const std::vector<sass::Word>& words);
[[nodiscard]] nlohmann::json toJson(const CountersBeside& beside);

} // namespace kernelarium::schedule
