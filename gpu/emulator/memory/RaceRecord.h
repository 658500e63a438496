// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is remembered of each 4 bytes of shared and global memory to find races: its last writer and a reader
// since, one 64-bit record each. An access is settled where happens-before orders the one on record before
// it; otherwise, if one of the two stores, they race.
//
// The parties are warps, and lanes of one warp where one reads what another stored. Lanes run in lockstep here: what
// depends on which side of a divergent branch goes first shows in another run (RunOptions::contraryLanes). Each warp
// has a clock; a record holds the clock of its access. A __syncwarp and every other instruction that the lanes of a
// warp execute together raises the clock if something was stored since the last one: a lane may read what another
// lane stored at an earlier clock (Key::laneClock). Three things order accesses of different warps:
//  - a barrier: those who wait have seen all clocks of those who arrived, fences or not (BlockClocks);
//  - a fence or a release and then an atomic or volatile store, or an arrival at an mbarrier, which another warp reads
//    with an atomic, volatile or acquire load or waits for. It has then seen what whoever released through this
//    location had seen. From outside its cluster (SyncTable) it has also seen every earlier release of other blocks,
//    and nobody needs a fence to read: both may hide a race but never make one up;
//  - the end of a launch.
// Atomic and volatile accesses do not race with one another, but for volatile updates (AccessRole::update): of two
// such that nothing orders one can be lost, unless the place is one that orders others. An atomic or volatile store
// does not end the plain store below it: that one is kept beside the record (Marks::weak), and whoever it is not
// ordered with races with it, however many atomics came between.
#pragma once

#include <cstdint>

namespace kernelarium::emulator::race {

using Record = std::uint64_t; ///< 0: never accessed

constexpr unsigned blockShift = 42; ///< 22 bits: number of the block, rising over the launches on one memory
constexpr unsigned clockShift = 29; ///< 13 bits: of the warp, from 1
constexpr unsigned warpShift = 24;  ///< 5 bits
constexpr unsigned laneShift = 19;  ///< 5 bits
constexpr unsigned siteShift = 6;   ///< 13 bits: Code::sites; 0 unknown
constexpr Record byteMask = 15;     ///< which of the 4 bytes
constexpr Record silent = 16;       ///< a writer's: it left the value that was there
constexpr Record several = 16;      ///< a reader's: other warps read as well
constexpr Record strong = 32;       ///< atomic, volatile, relaxed, acquire or release

constexpr std::uint32_t blockLimit = 1u << 22;
constexpr std::uint32_t clockLimit = 1u << 13;
constexpr std::uint32_t siteLimit = 1u << 13;
constexpr Record laneMask = Record(31) << laneShift;
constexpr Record clockMask = Record(clockLimit - 1) << clockShift;
constexpr Record partyMask = (~Record(0) << blockShift) | (Record(31) << warpShift);

inline std::uint32_t blockOf(Record r) {
    return std::uint32_t(r >> blockShift);
}
inline std::uint32_t clockOf(Record r) {
    return std::uint32_t(r >> clockShift) & (clockLimit - 1);
}
inline std::uint32_t warpOf(Record r) {
    return std::uint32_t(r >> warpShift) & 31;
}
inline std::uint32_t laneOf(Record r) {
    return std::uint32_t(r >> laneShift) & 31;
}
inline std::uint32_t siteOf(Record r) {
    return std::uint32_t(r >> siteShift) & (siteLimit - 1);
}

/// What a warp's accesses are compared with.
struct Key {
    Record base = 0;  ///< the block, nothing else
    Record floor = 0; ///< accesses of the block with a lower clock are settled; shifted by clockShift
    Record mine = 0;  ///< block, clock and warp; 0: nothing is tracked
    /// clockMask of what the warp stored since its lanes last met; ~0: lanes are not told apart.
    Record laneClock = ~Record(0);
};

/// The records of one memory. Those below `old` are of earlier launches (or, in shared memory, of earlier
/// blocks or clusters).
struct Marks {
    Record* writers = nullptr; ///< null: nothing is tracked
    Record* readers = nullptr;
    Record* others =
        nullptr;            ///< of shared memory: a second reader, whom nothing ordered after the first; null: not kept
    Record* weak = nullptr; ///< where a writer is strong: the plain store before it; null: not kept
    std::uint64_t limit = 0; ///< bytes of memory that have records
    Record old = 0;
};

inline bool isOld(Record r, const Key& k, Record old) {
    return (r < old) | (r - k.base < k.floor);
}
inline bool isOwn(Record r, const Key& k) {
    return ((r ^ k.mine) & partyMask) == 0;
}

/// Whether another lane of the warp did it, and the lanes have not met since.
inline bool isOtherLanes(Record r, const Key& k, std::uint32_t lane) {
    return isOwn(r, k) && (r & clockMask) == k.laneClock && laneOf(r) != lane;
}

} // namespace kernelarium::emulator::race
