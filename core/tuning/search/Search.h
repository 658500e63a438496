// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/search/Pause.h"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace kernelarium::tuning {

/// Why a candidate is not worth looking at, or nothing. Called from one thread at a time.
using Filter = std::function<std::optional<std::string>(const Candidate&)>;

/// How a search stands.
struct Progress {
    std::array<std::uint64_t, 4> byKind{}; ///< candidates with an outcome, by Outcome::Kind, those of earlier runs too
    std::uint64_t filtered = 0;            ///< of those
    std::uint64_t twins = 0;               ///< of those: had another's outcome, by the second key
    std::uint64_t resumed = 0;             ///< of those: of earlier runs
    std::uint64_t underWay = 0;            ///< being evaluated
    double spent = 0;                      ///< looks, one at an effort of 0.1 counting 0.1; of earlier runs too
    std::optional<std::uint64_t> total;    ///< candidates in all, where the proposer knows
    std::optional<Judged> best;            ///< the least value of those that rank (Judged::ranks), the first of equals
    double seconds = 0;                    ///< that this run has been going, pauses left out
    double perSecond = 0;                  ///< looks of this run by its seconds
    std::optional<double> secondsLeft;     ///< an estimate from that and the budget or the total
    bool paused = false;

    [[nodiscard]] std::uint64_t done() const { return byKind[0] + byKind[1] + byKind[2] + byKind[3]; }
    [[nodiscard]] std::uint64_t of(Outcome::Kind kind) const { return byKind[std::size_t(kind)]; }
};

struct SearchOptions {
    std::size_t jobs = 1;          ///< evaluations at the same time
    std::optional<double> looks;   ///< ends when Progress::spent has reached it: earlier runs' count
    std::optional<double> seconds; ///< begins nothing after so long in this run, pauses left out
    unsigned tries = 2;            ///< of an evaluation that fails, before it is kept as failed
};

/// What a search works with. Only the proposer and the evaluation must be there.
struct SearchParts {
    Proposer& proposer;
    Evaluation& evaluation;
    Keeper* keeper = nullptr;
    Filter filter = {};
    /// After each outcome and when a pause begins or ends; one call at a time, from any of the search's threads. It
    /// must not call the search's parts.
    std::function<void(const Progress&)> progress = {};
    Pause* pause = nullptr;
};

/// How a search ended.
struct Ended {
    enum class Why {
        usedUp, ///< the proposer has no more
        budget, ///< the looks or seconds are spent
        stopped
    };
    Why why = Why::usedUp;
    Progress progress;
};

/// Draws candidates, drops those that the filter refuses or that are known, has the rest evaluated, keeps what became
/// of them and tells the proposer, until there are no more, the budget is spent or it is stopped. It knows nothing of
/// what a candidate is.
///
/// What the keeper has of earlier runs is told to the proposer first and never looked at again. A candidate whose key
/// and effort are known takes their outcome; so does one with the second key of another, and waits for it where that
/// one is under way. An evaluation that fails is tried again (`tries`), then kept as failed. What is under way at a
/// stop is not kept, unless it has its outcome all the same; the next run looks at it again.
///
/// With one job a deterministic proposer and evaluation give the same candidates in the same order each time, and a
/// run that was stopped and resumed gives those of one that was not. With more jobs outcomes come in any order, so that
/// a proposer that learns may draw others.
///
/// Errors: the evaluation's (but for a stop's "cancelled"), the keeper's, "bad_proposer" (draws only what is known).
[[nodiscard]] Result<Ended> runSearch(const SearchParts& parts, const SearchOptions& options,
                                      std::stop_token stop = {});

} // namespace kernelarium::tuning
