// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/Region.h"
#include "gpu/emulator/warp/Warp.h"

#include <optional>

namespace kernelarium::emulator {

/// A race as it was found: the access of now and the record it conflicts with.
struct FoundRace {
    const Region& region;
    std::uint64_t offset; ///< of the access, within the region
    std::uint32_t bytes;
    race::Record earlier; ///< 0: some other warp, which one is not known
    bool stores;          ///< what is done now
    bool stored;          ///< what was done earlier
    bool sameValue;
    std::uint32_t likelySite = 0;               ///< where `earlier` is 0: Code::sites of what it probably did
    std::optional<verify::RaceEffect> effect{}; ///< where it is known without looking at the two
};

/// The record of this instruction's accesses, without lane and bytes.
[[nodiscard, gnu::always_inline]] inline race::Record recordOf(const Warp& warp, const Inst* ip) {
    const Code& code = *warp.worker->launch->code;
    const std::uint32_t site = ip->source >= 0 ? code.sources[std::size_t(ip->source)].site : 0;
    return warp.raceKey.mine | race::Record(site) << race::siteShift;
}

/// Reports the first race of its kind between two lines in full; later ones are only counted.
void reportRace(Warp& warp, const Inst* ip, std::uint32_t lane, const FoundRace& found);

/// Hands the worker's counts of repeated races to the launch's log.
void flushRaceCounts(Worker& worker);

} // namespace kernelarium::emulator
