// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Race.h"

namespace kernelarium::schedule {

bool raceGoesOn(std::span<const perf::TimedPair> pairs, const Race& race) {
    if (pairs.size() >= Race::most) return false;
    // An interval is only asked for where it decides: looking at it after each pair would find a difference by chance.
    if (pairs.size() == Race::first) return perf::ratioInterval(pairs).low <= race.dropAbove;
    if (pairs.size() == Race::promising) return perf::comparePairs(pairs, 0).ratio < race.best;
    return true;
}

} // namespace kernelarium::schedule
