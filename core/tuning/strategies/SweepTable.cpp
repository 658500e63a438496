// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/SweepTable.h"

#include <algorithm>
#include <utility>

namespace kernelarium::tuning {

SweepTable tableOf(const Space& space, const std::vector<Judged>& all) {
    SweepTable table;
    std::vector<std::pair<double, std::size_t>> ranked; ///< value and line
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto point = space.pointOf(all[i].candidate.key);
        if (!point) {
            ++table.foreign;
            continue;
        }
        if (all[i].ranks()) ranked.emplace_back(*all[i].outcome.value, table.lines.size());
        table.lines.push_back({i, std::move(*point), std::nullopt, std::nullopt});
    }
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        SweepTable::Line& line = table.lines[ranked[i].second];
        line.rank = i + 1;
        if (ranked.front().first > 0) line.ratio = ranked[i].first / ranked.front().first;
    }
    return table;
}

} // namespace kernelarium::tuning
