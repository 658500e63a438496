// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditSummary.h"

#include <set>
#include <string>
#include <vector>

namespace kernelarium::audit {

/// What the list of an audit can be narrowed by. A row has one verdict and one claim, and any number of reasons.
struct FacetRow {
    std::string verdict;
    std::string claim;
    std::vector<std::string> reasons;
};

/// Words of one facet are alternatives; facets are conditions that all have to hold; an empty one is none.
struct FacetChoice {
    std::set<std::string, std::less<>> verdicts;
    std::set<std::string, std::less<>> claims;
    std::set<std::string, std::less<>> reasons;
    [[nodiscard]] bool isEmpty() const { return verdicts.empty() && claims.empty() && reasons.empty(); }
    [[nodiscard]] bool has(const FacetRow& row) const;
    bool operator==(const FacetChoice&) const = default;
};

/// How many rows each word would leave, given what is chosen in the other facets. A chosen word is there even at zero.
struct FacetCounts {
    Counts verdicts;
    Counts claims;
    Counts reasons;
    bool operator==(const FacetCounts&) const = default;
};

[[nodiscard]] FacetCounts countFacets(const std::vector<FacetRow>& rows, const FacetChoice& choice);

} // namespace kernelarium::audit
