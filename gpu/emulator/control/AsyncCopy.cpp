// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/control/AsyncCopy.h"

#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/code/Select.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <algorithm>
#include <bit>

namespace kernelarium::emulator {

namespace {

void performFirst(Warp& w, std::size_t count) {
    CopyQueue& q = w.asyncCopies;
    const LaneTable& table = laneTable();
    for (std::size_t k = 0; k < count && w.pause != Pause::stop; ++k)
        table.performCopy(w, q.copies[k]);
    q.copies.erase(q.copies.begin(), q.copies.begin() + std::ptrdiff_t(count));
}

/// Others may still be reading what the copy will overwrite.
void lookAtTarget(Warp& w, const PendingCopy& c) {
    std::array<std::uint64_t, laneCount> offsets{};
    for (std::uint32_t lane = 0; lane < laneCount; ++lane)
        offsets[lane] = c.to[lane] & ((std::uint64_t(1) << window::shift) - 1);
    const Region region{Region::Kind::shared, w.block->shared, w.block->sharedStates, w.block->sharedBytes, 0, 0,
                        w.block->raceMarks};
    checkCopyTarget(w, c.ip, region, offsets.data(), c.bytes);
}

} // namespace

const Inst* copyAsync(Warp& w, const Inst* ip) {
    if (!w.block) return ip + 1;
    const CopyOp& op = w.worker->launch->code->copyOps[ip->aux];
    PendingCopy c;
    c.ip = ip;
    c.lanes = w.active;
    c.bytes = op.bytes;
    const std::uint32_t ignored =
        !op.hasIgnore ? 0 : *lanesOf<std::uint32_t>(w, op.size) ^ (op.ignoreNegated ? ~0u : 0u);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        std::uint64_t base = 0;
        if (op.toHasBase)
            base = op.toIsWide ? lanesOf<std::uint64_t>(w, op.to)[lane] : lanesOf<std::uint32_t>(w, op.to)[lane];
        c.to[lane] = base + std::uint64_t(op.toOffset);
        c.from[lane] = lanesOf<std::uint64_t>(w, op.from)[lane] + std::uint64_t(op.fromOffset);
        c.sourceBytes[lane] = op.hasSize ? std::min(op.bytes, lanesOf<std::uint32_t>(w, op.size)[lane]) : op.bytes;
        if (ignored >> lane & 1u) c.sourceBytes[lane] = 0;
    }
    if (w.raceKey.mine && w.block->raceMarks.writers) lookAtTarget(w, c);
    w.asyncCopies.copies.push_back(c);
    return ip + 1;
}

const Inst* commitCopies(Warp& w, const Inst* ip) {
    w.asyncCopies.groups.push_back(w.asyncCopies.copies.size());
    return ip + 1;
}

const Inst* waitCopies(Warp& w, const Inst* ip) {
    CopyQueue& q = w.asyncCopies;
    if (ip->imm < 0) {
        finishCopies(w);
    } else if (q.groups.size() > std::uint64_t(ip->imm)) {
        const std::size_t done = q.groups.size() - std::size_t(ip->imm);
        const std::size_t count = q.groups[done - 1];
        performFirst(w, count);
        q.groups.erase(q.groups.begin(), q.groups.begin() + std::ptrdiff_t(done));
        for (std::size_t& g : q.groups)
            g -= count;
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

void finishCopies(Warp& w) {
    performFirst(w, w.asyncCopies.copies.size());
    w.asyncCopies.groups.clear();
}

void abandonCopies(Warp& w) {
    const PendingCopy& first = w.asyncCopies.copies.front();
    const bool checked = w.block && w.block->sharedStates;
    if (checked && first.lanes && w.worker->reported.insert(first.ip).second)
        reportFault(w, first.ip, first.lanes & (0 - first.lanes), "unwaited_copy",
                    "The warp ended without having waited for this asynchronous copy: whoever read what it brings was "
                    "lucky if it was there.",
                    false);
    finishCopies(w);
}

} // namespace kernelarium::emulator
