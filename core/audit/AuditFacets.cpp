// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/AuditFacets.h"

#include <algorithm>

namespace kernelarium::audit {

namespace {

using Words = std::set<std::string, std::less<>>;

bool allows(const Words& chosen, const std::string& word) {
    return chosen.empty() || chosen.contains(word);
}

bool allowsAny(const Words& chosen, const std::vector<std::string>& words) {
    return chosen.empty() ||
           std::any_of(words.begin(), words.end(), [&](const std::string& word) { return chosen.contains(word); });
}

} // namespace

bool FacetChoice::has(const FacetRow& row) const {
    return allows(verdicts, row.verdict) && allows(claims, row.claim) && allowsAny(reasons, row.reasons);
}

FacetCounts countFacets(const std::vector<FacetRow>& rows, const FacetChoice& choice) {
    FacetCounts counts;
    for (const std::string& word : choice.verdicts)
        counts.verdicts[word] = 0;
    for (const std::string& word : choice.claims)
        counts.claims[word] = 0;
    for (const std::string& word : choice.reasons)
        counts.reasons[word] = 0;
    for (const FacetRow& row : rows) {
        const bool verdict = allows(choice.verdicts, row.verdict);
        const bool claim = allows(choice.claims, row.claim);
        const bool reason = allowsAny(choice.reasons, row.reasons);
        if (claim && reason) ++counts.verdicts[row.verdict];
        if (verdict && reason) ++counts.claims[row.claim];
        if (!verdict || !claim) continue;
        for (const std::string& word : row.reasons)
            ++counts.reasons[word];
    }
    return counts;
}

} // namespace kernelarium::audit
