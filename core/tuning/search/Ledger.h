// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Progress.h"

#include <string>
#include <unordered_map>

namespace kernelarium::tuning {

/// What a search knows of each key, and its sums. Not safe for threads: the search locks.
class Ledger {
public:
    /// A candidate's key and effort in one text, that of a key alone where the effort is full.
    [[nodiscard]] static std::string nameOf(const std::string& key, double effort);

    /// The outcome that is known of a candidate, without its details, or null.
    [[nodiscard]] const Outcome* find(const Candidate& candidate) const;
    /// The key of the first that was looked at under that second key, or null.
    [[nodiscard]] const std::string* findSecond(const std::string& secondKey, double effort) const;

    /// Adds to what is known and to the sums. False where it is known already; another outcome takes a failure's place.
    bool enter(const Judged& judged, bool ofEarlierRun);

    [[nodiscard]] const Progress& sums() const { return m_sums; }
    [[nodiscard]] double spentNow() const { return m_spentNow; } ///< looks of this run

private:
    std::unordered_map<std::string, Outcome> m_known;        ///< by nameOf()
    std::unordered_map<std::string, std::string> m_bySecond; ///< keys by nameOf() of the second key
    Progress m_sums;
    double m_spentNow = 0;
};

} // namespace kernelarium::tuning
