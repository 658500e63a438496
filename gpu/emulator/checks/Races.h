// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/Region.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

// The careful way to look for races; lanes/RaceTrack.h has the quick one, which comes here when something is
// not settled at a glance. All act on the active lanes; offsets are by lane and within the region, and the
// region has marks.

void trackLoad(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes);
/// After the store; `before` holds what was there, `bytes` for each lane.
void trackStore(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes,
                const std::byte* before);
void trackAtomic(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes);

/// An asynchronous copy into these bytes is begun: what it may overwrite must be settled now, not when it is done.
void checkCopyTarget(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets,
                     std::uint32_t bytes, bool atomic = false);

/// After a strong load has acquired what it read: plain stores below the strong ones that it saw.
void checkBeneath(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes);
/// Reports reads through the read-only path of what this launch has stored.
void reportOwnStores(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets,
                     std::uint32_t bytes);

/// The lanes of the warp execute something together, and have met.
void lanesMet(Warp& warp);
inline void meetLanes(Warp& warp) {
    if (warp.lanesApart) lanesMet(warp);
}

/// Whether something orders the access on record before what the warp does now.
[[nodiscard]] bool isOrdered(const Warp& warp, race::Record record);
/// The same where what was done need not be seen: a barrier of the cluster that releases nothing is enough.
[[nodiscard]] bool isAfter(const Warp& warp, race::Record record);
/// Synchronisation through memory: before an atomic or strong store, and after an atomic or strong load; `phase`: the
/// warp has waited for a phase of an mbarrier.
void publishStores(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets);
void acquireLoads(Warp& warp, const Region& region, const std::uint64_t* offsets, bool phase = false);
/// A fence of the warp; `wide` when it reaches other blocks.
void raceFence(Warp& warp, bool wide);

/// Two lanes stored to the same bytes in one instruction: a race where they store different values. Called
/// when the records show that an earlier lane's was replaced; `offsets` as above.
void reportCollision(Warp& warp, const Inst* ip, const Region& region, std::uint64_t offset, std::uint32_t lane,
                     std::uint32_t other, std::uint32_t bytes);

} // namespace kernelarium::emulator
