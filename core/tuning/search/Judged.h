// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Candidate.h"

#include <functional>
#include <tuple>

namespace kernelarium::tuning {

/// A candidate, what became of it, and how it came about.
struct Judged {
    Candidate candidate;
    Outcome outcome;
    std::string secondKey = {}; ///< Evaluation::secondKey(), where it has one
    std::string sameAs = {};    ///< the key of the candidate whose outcome it shares; empty: it was looked at itself
    bool filtered = false;      ///< refused by the search's filter: it cost nothing
    std::int64_t when = 0;      ///< its end, milliseconds since 1970
    double seconds = 0;         ///< that its evaluation took
    /// How far a candidate has come on a ladder of checks, from 1: the last rung that it stood, or the one that refused
    /// it (its outcome is then wrong). 0: there is no ladder.
    unsigned rung = 0;

    /// It was evaluated: neither filtered nor another's twin. What a budget counts.
    [[nodiscard]] bool looked() const { return !filtered && sameAs.empty(); }
    /// Its value counts: as far as it is known it is right, and it was looked at fully.
    [[nodiscard]] bool ranks() const {
        return outcome.kind == Outcome::Kind::valued && outcome.value && candidate.effort >= 1;
    }
    /// Its value may be called best.
    [[nodiscard]] bool leads() const { return ranks() && !outcome.unproven; }
    /// A rung refused it.
    [[nodiscard]] bool fell() const { return rung > 0 && outcome.kind == Outcome::Kind::wrong; }
    /// Of two records of one key the one with the greater is what is known: that it did not fail, that it was looked at
    /// itself, that a rung refused it (nothing outvotes that), how far it came.
    [[nodiscard]] std::tuple<int, bool, unsigned> standing() const {
        return {outcome.kind == Outcome::Kind::failed ? 0 : looked() ? 2 : 1, fell(), rung};
    }
    /// Of two that lead. Of equal ones the key decides and not which came first: that differs from run to run.
    [[nodiscard]] bool isBetterThan(const Judged& other) const {
        return *outcome.value < *other.outcome.value ||
               (*outcome.value == *other.outcome.value && candidate.key < other.candidate.key);
    }
};

/// Where a search keeps what it finds; core/tuning/store has one that survives its process. Used from one thread at a
/// time.
class Keeper {
public:
    virtual ~Keeper() = default;
    /// What earlier runs kept, in the order in which they did.
    [[nodiscard]] virtual Result<void> each(const std::function<void(const Judged&)>& take) = 0;
    /// Comes back when it is kept. An error ends the search.
    [[nodiscard]] virtual Result<void> keep(const Judged& judged) = 0;
};

} // namespace kernelarium::tuning
