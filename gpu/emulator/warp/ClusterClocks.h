// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/RaceRecord.h"
#include "gpu/emulator/warp/SyncVariables.h"

#include <cstdint>
#include <map>

namespace kernelarium::emulator {

struct Inst;

/// What orders accesses of the blocks of one cluster. Its blocks have race numbers one after another, by rank.
struct ClusterClocks {
    std::uint32_t first = 0; ///< number of the first
    std::uint32_t count = 0; ///< blocks; 0: nothing is tracked
    SyncVariables variables; ///< what its blocks released so that others see it: Knowledge::mates holds all of them
    SyncVariables reached;   ///< what went before arrivals at its barrier that release nothing
    bool ranOut = false;     ///< BlockClocks::ranOut of one of its blocks: nothing is known of what it does since

    /// The last access of a block's shared memory by a warp of another block.
    struct Visit {
        race::Record record = 0;
        const Inst* ip = nullptr;
        std::uint32_t lane = 0, offset = 0;
    };
    /// Of the memory of the block of a rank, by the visitor.
    std::map<std::uint32_t, std::map<std::uint32_t, Visit>> visits;
    static std::uint32_t visitor(std::uint32_t rank, std::uint32_t warp) { return rank * Knowledge::warpLimit + warp; }

    /// The visitor's access of the block's memory, noted just now, was itself a release of what went before this clock:
    /// whoever reads there has seen it.
    void visitReleases(std::uint32_t block, std::uint32_t visitor, std::uint32_t clock) {
        const auto visit = visits[block].find(visitor);
        if (visit == visits[block].end() || race::clockOf(visit->second.record) < clock) return;
        race::Record& record = visit->second.record;
        record = (record & ~race::clockMask) | race::Record(clock - 1) << race::clockShift;
    }
};

} // namespace kernelarium::emulator
