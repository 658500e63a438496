// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/AsyncChecks.h"

#include "gpu/emulator/async/Elsewhere.h"
#include "gpu/emulator/async/FarVisits.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/warp/Cluster.h"

#include <fmt/format.h>
#include <optional>

namespace kernelarium::emulator {

namespace {

/// The store on record as a party of this block.
AsyncParty partyOf(race::Record r) {
    return {nullptr, race::warpOf(r), race::laneOf(r)};
}

std::string storeText(const Warp& w, const Block& block, race::Record r) {
    std::string text = partyText(storingBlock(block, r), partyOf(r));
    if (const int line = w.worker->launch->code->sites[race::siteOf(r)].line) text += fmt::format(" at line {}", line);
    return text;
}

/// A store of a thread of this block, not of a copy and not of an earlier block.
bool isStore(const race::Marks& marks, race::Record r) {
    return r != 0 && r >= marks.old;
}

/// The first word of the range whose last store no proxy fence came after; none where there is none.
std::optional<std::uint32_t> firstUnfenced(const Warp& w, const SharedRange& range) {
    const race::Marks& marks = w.block->raceMarks;
    if (!w.raceKey.mine || !marks.writers || w.block->clocks.clusterRanOut()) return {};
    const std::vector<race::Record>& fenced = asyncOf(*w.block).fenced;
    for (std::uint32_t word = range.from / 4; word * 4 < range.to && word * 4 < marks.limit; ++word) {
        const race::Record r = marks.writers[word];
        if (isStore(marks, r) && (word >= fenced.size() || fenced[word] != r)) return word;
    }
    return {};
}

} // namespace

Region globalMemoryOf(const Warp& w) {
    const Worker& k = *w.worker;
    constexpr std::uint8_t access = DeviceMemory::stateDevice;
    return {Region::Kind::global,
            k.memory,
            k.checks ? k.states : nullptr,
            k.memoryLimit,
            std::uint8_t(access | DeviceMemory::stateInitialised),
            access,
            w.raceKey.mine ? k.raceMarks : race::Marks{},
            k.written};
}

Region sharedMemoryOf(const Warp& w, Block& block) {
    return {Region::Kind::shared,
            block.shared,
            block.sharedStates,
            block.sharedBytes,
            DeviceMemory::stateInitialised,
            0,
            w.raceKey.mine ? block.raceMarks : race::Marks{}};
}

void checkAsyncStore(Warp& w, const Inst* ip, std::uint32_t lane, Block& block, const SharedRange& range,
                     BulkOp::Reduction reduction) {
    if (!w.worker->checks) return;
    AsyncWork& async = asyncOf(block);
    for (const BulkCopy& c : async.copies) {
        const bool reads = c.op->kind != BulkOp::Kind::toShared && c.issuer == &block && !c.far;
        if (!c.range.overlaps(range) || (reads && c.hasRead)) continue;
        // Reductions are atomic, whatever their order.
        if (reduction != BulkOp::Reduction::none && c.op->reduction == reduction && !reads) continue;
        reportAsync(w, ip, lane, "async_overwrite",
                    fmt::format("A copy into bytes {} to {} of shared memory begins while {} of {} is under way there.",
                                range.from, range.to - 1, reads ? "a copy out" : "another copy",
                                partyText(*c.issuer, c.by)),
                    *c.issuer, c.by);
        break;
    }
    for (const PendingProduct& p : async.products) {
        bool hit = false;
        for (const SharedRange& r : p.reads)
            hit |= r.overlaps(range);
        if (!hit) continue;
        reportAsync(
            w, ip, lane, "async_overwrite",
            fmt::format("A copy into bytes {} to {} of shared memory begins while a product of {} still reads "
                        "there: its warp has not waited for it (wgmma.wait_group) before it gave the stage free.",
                        range.from, range.to - 1, partyText(block, p.by)),
            block, p.by);
        break;
    }
    if (!w.raceKey.mine || !block.raceMarks.writers) return;
    const Region region = sharedMemoryOf(w, block);
    std::optional<Elsewhere> elsewhere;
    if (&block != w.block) elsewhere.emplace(w, block);
    const std::uint32_t all = w.active;
    w.active = 1u << lane;
    std::uint64_t at[laneCount] = {};
    at[lane] = range.from;
    checkCopyTarget(w, ip, region, at, range.to - range.from, reduction != BulkOp::Reduction::none);
    w.active = all;
}

void checkAsyncRead(Warp& w, const Inst* ip, std::uint32_t lane, const SharedRange& range) {
    if (!w.worker->checks) return;
    Block& block = *w.block;
    for (const BulkCopy& c : asyncOf(block).copies) {
        if (!c.range.overlaps(range) || (c.op->kind != BulkOp::Kind::toShared && !c.far)) continue;
        reportAsync(w, ip, lane, "async_read",
                    fmt::format("Bytes {} to {} of shared memory are read while the copy of {} still brings some of "
                                "them: nothing has waited for its mbarrier.",
                                range.from, range.to - 1, partyText(*c.issuer, c.by)),
                    *c.issuer, c.by);
        return;
    }
    if (block.sharedStates)
        for (std::uint32_t k = range.from; k < range.to; ++k)
            if (!(block.sharedStates[k] & DeviceMemory::stateInitialised)) {
                reportFault(w, ip, 1u << lane, "uninitialised_read",
                            fmt::format("An asynchronous read of bytes never written: offset {} of shared memory.", k),
                            false);
                break;
            }
    if (const auto word = firstUnfenced(w, range)) {
        const race::Record r = block.raceMarks.writers[*word];
        Fault f = faultAt(w, ip, lane);
        f.kind = "proxy_fence";
        f.other = faultParty(storingBlock(block, r), partyOf(r));
        f.other->line = w.worker->launch->code->sites[race::siteOf(r)].line;
        f.message = fmt::format("Offset {} of shared memory was stored to by {}, and is read by the asynchronous proxy "
                                "with no fence.proxy.async after the store.",
                                *word * 4, storeText(w, block, r));
        w.worker->launch->faults->add(std::move(f));
    }
}

void checkAsyncReadOfGlobal(Warp& w, const Inst* ip, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes) {
    const Region region = globalMemoryOf(w);
    const race::Marks& marks = region.marks;
    if (!w.worker->checks || !marks.writers || offset + bytes > marks.limit) return;
    const Knowledge& fenced = asyncOf(*w.block).fencedGlobal;
    for (std::uint64_t word = offset / 4; word * 4 < offset + bytes; ++word) {
        const race::Record r = marks.writers[word];
        if (!isStore(marks, r) || race::blockOf(r) != w.block->clocks.number()) continue;
        const AccessSite& site = w.worker->launch->code->sites[race::siteOf(r)];
        // What a bulk copy stored, the asynchronous proxy knows of.
        if (site.role == AccessRole::bulk || race::clockOf(r) < fenced.own.accesses[race::warpOf(r)]) continue;
        Fault f = faultAt(w, ip, lane);
        f.kind = "proxy_fence";
        f.other = faultParty(*w.block, partyOf(r));
        f.other->line = site.line;
        f.message = fmt::format("Global memory that {} stored to is read by the asynchronous proxy with no "
                                "fence.proxy.async for global memory after the store.",
                                storeText(w, *w.block, r));
        w.worker->launch->faults->add(std::move(f));
        return;
    }
}

namespace {

/// A fence of the warp for the block's shared memory.
void fenceShared(const Warp& w, Block& block) {
    std::vector<race::Record>& fenced = asyncOf(block).fenced;
    const race::Marks& marks = block.raceMarks;
    const std::size_t words = block.sharedBytes / 4;
    fenced.resize(words);
    for (std::size_t k = 0; k < words; ++k) {
        const race::Record r = marks.writers[k];
        if (isStore(marks, r) && fenced[k] != r && isOrdered(w, r)) fenced[k] = r;
    }
}

} // namespace

const Inst* proxyFence(Warp& w, const Inst* ip) {
    if (!w.block || !w.raceKey.mine || !w.block->raceMarks.writers) return ip + 1;
    AsyncWork& async = asyncOf(*w.block);
    if (ip->bits & fences::shared) {
        fenceShared(w, *w.block);
        // What the block has stored elsewhere, too.
        if (w.block->clocks.isInCluster())
            for (Block* b : w.block->cluster->blocks)
                if (b != w.block && isVisited(*b, *w.block)) fenceShared(w, *b);
    }
    // What is stored from now on is told from what was before.
    lanesMet(w);
    if (ip->bits & fences::global) {
        async.fencedGlobal.join(w.block->clocks.knowledgeNow(w.index));
        w.raceKey = w.block->clocks.key(w.index);
    }
    return ip + 1;
}

} // namespace kernelarium::emulator
