// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Units.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace kernelarium::mugraph {

Result<Merged> merge(const std::vector<Unit>& all, std::span<const UnitResult> results) {
    std::map<std::string_view, const UnitResult*> byUnit;
    for (const Unit& unit : all)
        byUnit.emplace(unit.key, nullptr);
    for (const UnitResult& r : results) {
        const auto at = byUnit.find(r.unit);
        if (at == byUnit.end())
            return Error{"bad_input", fmt::format("\"{}\" is no unit of this search.", r.unit),
                         "Merge what belongs to one task, one size and one set of limits."};
        if (at->second && !(*at->second == r))
            return Error{"bad_input", fmt::format("Two results of the unit \"{}\" differ.", r.unit),
                         "They are of different versions of the program: search one of them again."};
        at->second = &r;
    }
    Merged merged;
    merged.units = all.size();
    for (const Unit& unit : all) {
        const UnitResult* result = byUnit.at(unit.key);
        if (!result) continue;
        ++merged.done;
        for (const Found& found : result->found)
            merged.candidates.push_back({found, merged.counts.states + found.state});
        merged.counts += result->counts;
    }
    std::sort(merged.candidates.begin(), merged.candidates.end(), [](const auto& a, const auto& b) {
        return std::tie(a.found.seconds, a.found.hash) < std::tie(b.found.seconds, b.found.hash);
    });
    return merged;
}

} // namespace kernelarium::mugraph
