// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/search/Pause.h"
#include "core/tuning/search/Progress.h"

#include <functional>
#include <optional>
#include <string>

namespace kernelarium::tuning {

/// Why a candidate is not worth looking at, or nothing. Called from one thread at a time.
using Filter = std::function<std::optional<std::string>(const Candidate&)>;

struct SearchOptions {
    std::size_t jobs = 1; ///< evaluations at the same time
    Budget budget = {};
    unsigned tries = 2;       ///< of an evaluation that fails, before it is kept as failed
    bool retryFailed = false; ///< what an earlier run kept as failed is looked at again
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
    std::string note = {}; ///< what there is to say of it besides, or nothing
};

/// Draws candidates, drops those that the filter refuses or that are known, has the rest evaluated, keeps what became
/// of them and tells the proposer, until there are no more, the budget is spent or it is stopped. It knows nothing of
/// what a candidate is.
///
/// What the keeper has of earlier runs is told to the proposer first and never looked at again. A candidate whose key
/// and effort are known takes their outcome; so does one with the second key of another, and waits for it where that
/// one is under way. An evaluation that fails is tried again (`tries`), then kept as failed; another outcome of a later
/// run (`retryFailed`) takes a failure's place, and the proposer hears it too. What is under way at a stop is not kept,
/// unless it has its outcome all the same; the next run looks at it again.
///
/// With one job a deterministic proposer and evaluation give the same candidates in the same order each time, and a
/// run that was stopped and resumed gives those of one that was not. With more jobs outcomes come in any order, so that
/// a proposer that learns may draw others.
///
/// Errors: the evaluation's (but for a stop's "cancelled"), the keeper's, "bad_proposer" (draws only what is known).
[[nodiscard]] Result<Ended> runSearch(const SearchParts& parts, const SearchOptions& options,
                                      std::stop_token stop = {});

} // namespace kernelarium::tuning
