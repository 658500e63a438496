// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/SweepTable.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace kernelarium::tuning {

SweepTable tableOf(const Space& space, const std::vector<Judged>& all) {
    SweepTable table;
    struct Ranked {
        double value;
        bool unproven;
        std::string_view key; // not their order in time, which is another in every run and with every number of shards
        std::size_t line;
        bool operator<(const Ranked& other) const {
            return std::tie(value, unproven, key, line) < std::tie(other.value, other.unproven, other.key, other.line);
        }
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto point = space.pointOf(all[i].candidate.key);
        if (!point) {
            ++table.foreign;
            continue;
        }
        if (all[i].ranks())
            ranked.push_back({*all[i].outcome.value, !all[i].leads(), all[i].candidate.key, table.lines.size()});
        table.lines.push_back({i, std::move(*point), std::nullopt, std::nullopt});
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.erase(ranked.begin(),
                 std::find_if(ranked.begin(), ranked.end(), [](const Ranked& r) { return !r.unproven; }));
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        SweepTable::Line& line = table.lines[ranked[i].line];
        line.rank = i + 1;
        if (ranked.front().value > 0) line.ratio = ranked[i].value / ranked.front().value;
    }
    return table;
}

} // namespace kernelarium::tuning
