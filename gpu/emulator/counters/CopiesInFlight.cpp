// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/CopiesInFlight.h"

#include "gpu/emulator/async/AsyncWork.h"

namespace kernelarium::emulator {

CopiesInFlight::Most CopiesInFlight::bulkOf(const Block& block) {
    Most now;
    const std::deque<BulkCopy>& copies = block.async->copies;
    for (auto c = copies.begin(); c != copies.end(); ++c) {
        if (c->op->kind != BulkOp::Kind::toShared) continue;
        for (const BulkCopy::Piece& p : c->pieces)
            if (p.other != BulkCopy::Piece::filled) now.bytes += p.bytes;
        now.stages += std::none_of(copies.begin(), c, [&](const BulkCopy& before) {
            return before.op->kind == BulkOp::Kind::toShared && before.barrier == c->barrier;
        });
    }
    return now;
}

CopiesInFlight::Most CopiesInFlight::groupsOf(const CopyQueue& queue) {
    Most now;
    for (const PendingCopy& c : queue.copies)
        for (std::uint32_t lane = 0; lane < laneCount; ++lane)
            if (c.lanes >> lane & 1u) now.bytes += c.sourceBytes[lane];
    std::size_t before = 0;
    for (const std::size_t upTo : queue.groups) { // those that are empty are no stage
        now.stages += upTo > before;
        before = upTo;
    }
    now.stages += queue.copies.size() > before;
    return now;
}

void CopiesInFlight::look(const Warp& w) {
    if (!w.block) return;
    if (w.block->async) m_bulk.raise(bulkOf(*w.block));
    if (w.asyncCopies.copies.empty()) return;
    std::vector<Most>& warps = m_warps[w.block];
    if (warps.size() <= w.index) warps.resize(w.index + 1);
    warps[w.index].raise(groupsOf(w.asyncCopies));
}

void CopiesInFlight::endWarp(const Warp& w) {
    look(w); // whoever fills stages may end when the last is under way
    const auto found = m_warps.find(w.block);
    if (found == m_warps.end()) return;
    Most all;
    for (const Most& warp : found->second) {
        all.bytes += warp.bytes;
        all.stages = std::max(all.stages, warp.stages);
    }
    m_groups.raise(all);
    const auto& warps = w.block->warps;
    if (std::all_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->live == 0; })) m_warps.erase(found);
}

} // namespace kernelarium::emulator
