// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace kernelarium::emulator {

/// What a worker's blocks have under way of copies from device memory into shared memory that nobody has waited for, at
/// most, of one block.
///
/// Bulk copies are the block's: a stage is an mbarrier that they tell. Those of cp.async are their warp's: a stage is a
/// group, and the last ones that are not committed yet. Here warps run one after another, on hardware side by side; so
/// a block's bytes are those that each of its warps has at its own most.
class CopiesInFlight {
public:
    /// Before the warp executes what tells an mbarrier, commits a group, or waits: all copies of the stage before have
    /// begun by then.
    void look(const Warp& w);
    void endWarp(const Warp& w);

    [[nodiscard]] std::uint64_t bytes() const { return m_bulk.bytes + m_groups.bytes; }
    [[nodiscard]] std::uint64_t stages() const { return std::max(m_bulk.stages, m_groups.stages); }

private:
    struct Most {
        std::uint64_t bytes = 0, stages = 0;
        void raise(const Most& to) {
            bytes = std::max(bytes, to.bytes);
            stages = std::max(stages, to.stages);
        }
    };
    static Most bulkOf(const Block& block);
    static Most groupsOf(const CopyQueue& queue);

    Most m_bulk, m_groups;
    std::map<const Block*, std::vector<Most>> m_warps; ///< of blocks that run and use cp.async
};

} // namespace kernelarium::emulator
