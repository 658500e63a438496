// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Candidate.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kernelarium::tuning {

/// What a search is looking at, and who waits for whose outcome. Not safe for threads: the search locks.
class UnderWay {
public:
    struct Waiter { ///< for the outcome of another of the same second key
        Candidate candidate;
        std::string secondKey;
    };

    [[nodiscard]] bool empty() const { return m_candidates.empty(); }
    [[nodiscard]] std::size_t size() const { return m_candidates.size(); }
    [[nodiscard]] double looks() const { return m_looks; } ///< their efforts together

    void begin(const Candidate& candidate);
    /// Waits for the one of its key and effort; false where there is none.
    bool join(const Candidate& candidate);
    /// Gives those that joined it. Nothing where it is not under way.
    std::vector<Candidate> end(const Candidate& candidate);

    /// Whether it is the first of its second key. Otherwise it waits, under way still, but with no look of its own.
    bool isFirst(const Candidate& candidate, const std::string& secondKey);
    /// Gives those that wait for it, and ends their waiting.
    std::vector<Waiter> endSecond(const std::string& secondKey, double effort);

    /// To be looked at after all, though it waited for another.
    void lookAgain(Candidate candidate) { m_again.push_back(std::move(candidate)); }
    [[nodiscard]] bool hasAgain() const { return !m_again.empty(); }
    std::optional<Candidate> takeAgain();

private:
    std::unordered_map<std::string, std::vector<Candidate>> m_candidates; ///< by Ledger::nameOf(): those that joined
    std::unordered_map<std::string, std::vector<Waiter>> m_seconds;       ///< likewise of second keys
    std::deque<Candidate> m_again;
    double m_looks = 0;
};

} // namespace kernelarium::tuning
