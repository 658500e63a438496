// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/FoundTable.h"
#include "core/superopt/search/UnitSource.h"
#include "core/tuning/search/Search.h"
#include "core/tuning/store/Store.h"

#include <functional>
#include <optional>

namespace kernelarium::superopt {

/// How a search stands.
struct UnitProgress {
    tuning::Progress units;     ///< of units: done, under way, in all, the time left
    FoundCounts found;          ///< of this store, earlier runs too; states and prunings with those under way
    double statesPerSecond = 0; ///< of this run, all threads together, pauses left out, the ladder's time included
    double exploring = 0;       ///< seconds of this run's threads within units that are explored
    double climbing = 0;        ///< likewise on the ladder
    /// States of those units by `exploring`: what one thread looks at in a second while it explores.
    double statesPerThreadSecond = 0;
    std::optional<FoundCandidate> best;
};

struct UnitSearchOptions {
    std::size_t threads = 1;
    tuning::Budget budget = {}; ///< its looks are units
};

struct UnitSearchWatch {
    std::function<void(const UnitProgress&)> progress = {}; ///< a few times a second, from any thread, one at a time
    /// A unit, or a graph that was not known; it is kept. From any thread, one at a time.
    std::function<void(tuning::JudgedKind, const tuning::Judged&)> judged = {};
    tuning::Pause* pause = nullptr;
};

struct UnitSearchEnd {
    tuning::Ended::Why why = tuning::Ended::Why::usedUp;
    UnitProgress progress;
};

/// Explores the units of a source that the shard has and the store has not, on so many threads, and climbs the ladder
/// for every graph that is found the first time. It is tuning::runSearch over units: a unit is kept when all that was
/// found in it is, so that a killed run loses what is open and nothing else, and whoever goes on ends with the same
/// table, whatever the threads and shards. A unit that could not be explored is tried again by the next run.
/// Errors: the source's (but for a stop's "cancelled"), the store's.
[[nodiscard]] Result<UnitSearchEnd> runUnitSearch(UnitSource& source, tuning::Store& store, const tuning::Shard& shard,
                                                  const UnitSearchOptions& options, const UnitSearchWatch& watch = {},
                                                  const std::stop_token& stop = {});

} // namespace kernelarium::superopt
