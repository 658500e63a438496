// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/FarVisits.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/warp/Cluster.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::emulator {

void noteVisit(const Warp& w, const Inst* ip, std::uint32_t lane, const Block& other, std::uint32_t offset) {
    if (!w.raceKey.mine || !w.block->clocks.isInCluster() || &other == w.block) return;
    w.block->cluster->clocks.visits[other.rank][ClusterClocks::visitor(w.block->rank, w.index)] = {recordOf(w, ip), ip,
                                                                                                   lane, offset};
}

bool isVisited(const Block& block, const Block& visitor) {
    if (!block.clocks.isInCluster()) return false;
    const auto& visits = block.cluster->clocks.visits;
    const auto found = visits.find(block.rank);
    if (found == visits.end()) return false;
    const auto first = found->second.lower_bound(ClusterClocks::visitor(visitor.rank, 0));
    return first != found->second.end() && first->first < ClusterClocks::visitor(visitor.rank + 1, 0);
}

void checkVisits(const Warp& last) {
    const Block& block = *last.block;
    if (!block.clocks.isInCluster() || block.clocks.clusterRanOut()) return;
    const auto& visits = block.cluster->clocks.visits;
    const auto found = visits.find(block.rank);
    if (found == visits.end()) return;
    for (const auto& [visitor, visit] : found->second) {
        const race::Record record = visit.record;
        const bool seen =
            std::any_of(block.warps.begin(), block.warps.end(), [&](const auto& w) { return isAfter(*w, record); });
        if (seen) continue;
        const Block& from = *block.cluster->blocks[visitor / Knowledge::warpLimit];
        Warp& by = *from.warps[visitor % Knowledge::warpLimit];
        const AsyncParty ending{last.ip, last.index, 0};
        Fault f = faultAt(by, visit.ip, visit.lane);
        f.kind = "out_of_bounds";
        f.leavesAllocation = true;
        f.other = faultParty(block, ending);
        f.message = fmt::format("An access at offset {} of shared memory of block ({}, {}, {}), which may have ended: "
                                "none of its threads waits for this access before it ends, the last one {}.",
                                visit.offset, block.index[0], block.index[1], block.index[2], partyText(block, ending));
        last.worker->launch->faults->add(std::move(f));
    }
}

} // namespace kernelarium::emulator
