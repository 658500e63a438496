// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BulkCopies.h"

#include "gpu/emulator/async/AsyncChecks.h"
#include "gpu/emulator/async/BulkReduction.h"
#include "gpu/emulator/async/SharedBarrier.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/checks/SyncTable.h"
#include "gpu/emulator/warp/Cluster.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// To nearest, as an H200 does it on the way.
void roundToTf32(std::byte* words, u32 bytes) {
    for (u32 k = 0; k + 4 <= bytes; k += 4) {
        u32 x = 0;
        std::memcpy(&x, words + k, 4);
        x = (x & 0x7fffffffu) > 0x7f800000u ? 0x7fffe000u : (x + 0x1000u) & 0xffffe000u;
        std::memcpy(words + k, &x, 4);
    }
}

/// Somebody stored to the source, which is the block's, since the copy began.
void checkSource(Block& block, const BulkCopy& c) {
    const race::Record* writers = block.raceMarks.writers;
    for (u32 k = 0; writers && k < c.sourceRecords.size(); ++k) {
        const race::Record now = writers[c.source.from / 4 + k];
        if (now == c.sourceRecords[k]) continue;
        const Block& storing = storingBlock(block, now);
        Warp& w = *storing.warps[race::warpOf(now)];
        const AsyncParty by{nullptr, race::warpOf(now), race::laneOf(now)};
        Fault f = faultAt(w, nullptr, by.lane);
        f.kind = "async_overwrite";
        f.line = w.worker->launch->code->sites[race::siteOf(now)].line;
        f.other = faultParty(block, c.by);
        f.message = fmt::format("{} at line {} stores to offset {} of shared memory, which the copy of {} has not been "
                                "waited for to read ({}).",
                                partyText(storing, by), f.line, c.source.from + 4 * k, partyText(block, c.by),
                                c.far ? "the mbarrier that it tells" : "cp.async.bulk.wait_group.read");
        w.worker->launch->faults->add(std::move(f));
        return;
    }
}

/// What was under way into shared memory is there.
void performInto(Block& block, const BulkCopy& c) {
    checkSource(*c.issuer, c);
    Warp& issuer = *c.issuer->warps[c.by.warp];
    const std::byte* memory = issuer.worker->memory;
    std::size_t taken = 0;
    for (const BulkCopy::Piece& p : c.pieces) {
        std::byte* to = block.shared + p.shared;
        if (c.far) {
            if (c.op->reduction == BulkOp::Reduction::none)
                std::memcpy(to, c.taken.data() + taken, p.bytes);
            else
                reduceInto(to, c.taken.data() + taken, p.bytes, c.op->reduction, c.type);
            taken += p.bytes;
        } else if (p.other == BulkCopy::Piece::filled) {
            for (u32 k = 0; k < p.bytes; ++k)
                to[k] = std::byte(c.fill >> (p.shared + k) % 4 * 8);
        } else {
            std::memcpy(to, memory + (p.other - DeviceMemory::base), p.bytes);
            if (c.roundsToTf32) roundToTf32(to, p.bytes);
        }
        if (block.sharedStates)
            for (u32 k = 0; k < p.bytes; ++k)
                block.sharedStates[p.shared + k] |= DeviceMemory::stateInitialised;
        if (!block.raceMarks.writers) continue;
        for (u32 word = p.shared / 4; word * 4 < p.shared + p.bytes && word * 4 < block.raceMarks.limit; ++word) {
            race::Record& writer = block.raceMarks.writers[word];
            // A reduction does not end the plain store below it.
            if ((c.record & race::strong) && !(writer & race::strong)) block.raceMarks.weak[word] = writer;
            writer = c.record;
            block.raceMarks.readers[word] = 0;
            block.raceMarks.others[word] = 0;
        }
    }
    // The asynchronous proxy wrote them: nobody needs a fence to read them by it.
    std::vector<race::Record>& fenced = asyncOf(block).fenced;
    if (c.record && block.raceMarks.writers) {
        fenced.resize(std::max<std::size_t>(fenced.size(), block.sharedBytes / 4));
        for (u32 word = c.range.from / 4; word * 4 < c.range.to && word < fenced.size(); ++word)
            fenced[word] = block.raceMarks.writers[word] == c.record ? c.record : fenced[word];
        if (c.release.clock) c.issuer->clocks.publish(SyncTable::shared(block.clocks.number(), c.barrier), c.release);
    }
    completeBytes(block, c.barrier, c.bytes, *c.issuer, c.by);
}

/// The source of a copy out of shared memory is read.
void take(Block& block, BulkCopy& c) {
    if (c.hasRead) return;
    c.hasRead = true;
    checkSource(block, c);
    for (const BulkCopy::Piece& p : c.pieces)
        c.taken.insert(c.taken.end(), block.shared + p.shared, block.shared + p.shared + p.bytes);
}

/// And what was read is stored; for races, by the thread that waits for it.
void put(Warp& w, u32 lane, const BulkCopy& c) {
    const Region r = globalMemoryOf(w);
    const u32 all = w.active;
    w.active = 1u << lane;
    const std::byte* from = c.taken.data();
    std::vector<std::byte> before;
    for (const BulkCopy::Piece& p : c.pieces) {
        if (p.other != BulkCopy::Piece::filled) {
            const u64 offset = p.other - DeviceMemory::base;
            std::byte* to = r.memory + offset;
            if (c.op->reduction == BulkOp::Reduction::none) {
                // trackStore takes what was there by lane.
                before.assign(std::size_t(laneCount) * p.bytes, std::byte{});
                std::memcpy(before.data() + std::size_t(lane) * p.bytes, to, p.bytes);
                std::memcpy(to, from, p.bytes);
            } else {
                reduceGlobal(to, from, p.bytes, c.op->reduction, c.type);
            }
            if (r.states)
                for (u32 k = 0; k < p.bytes; ++k)
                    r.states[offset + k] |= r.written;
            if (r.marks.writers) {
                u64 at[laneCount] = {};
                at[lane] = offset;
                if (c.op->reduction == BulkOp::Reduction::none)
                    trackStore(w, c.by.ip, r, at, p.bytes, before.data());
                else
                    trackAtomic(w, c.by.ip, r, at, p.bytes);
            }
        }
        from += p.bytes;
    }
    w.active = all;
}

bool isOf(const BulkCopy& c, const Warp& w, u32 lane) {
    return c.op->kind == BulkOp::Kind::toGlobal && c.by.warp == w.index && c.by.lane == lane;
}

} // namespace

const Inst* waitBulk(Warp& w, const Inst* ip) {
    if (!w.block || !w.block->async) return ip + 1;
    AsyncWork& async = *w.block->async;
    const bool readOnly = (ip->bits & 1) != 0;
    for (u32 m = w.active; m; m &= m - 1) {
        const auto lane = u32(std::countr_zero(m));
        const auto groups = async.bulkGroups.find(w.index * laneCount + lane);
        if (groups == async.bulkGroups.end()) continue;
        const u64 done = groups->second > u64(ip->imm) ? groups->second - u64(ip->imm) : 0;
        for (auto c = async.copies.begin(); c != async.copies.end();) {
            if (!isOf(*c, w, lane) || c->group >= done) {
                ++c;
                continue;
            }
            take(*w.block, *c);
            if (readOnly) {
                ++c;
                continue;
            }
            put(w, lane, *c);
            c = async.copies.erase(c);
        }
    }
    return ip + 1;
}

bool performOldest(Block& block) {
    if (!block.async) return false;
    std::deque<BulkCopy>& copies = block.async->copies;
    for (auto c = copies.begin(); c != copies.end(); ++c) {
        if (!c->op->tells) continue;
        const BulkCopy one = std::move(*c);
        copies.erase(c);
        performInto(block, one);
        return true;
    }
    return false;
}

namespace {

void reportUnwaited(const BulkCopy& c, const char* message) {
    Warp& w = *c.issuer->warps[c.by.warp];
    if (!w.worker->checks || !w.worker->reported.insert(c.by.ip).second) return;
    Fault f = faultAt(w, c.by.ip, c.by.lane);
    f.kind = "unwaited_copy";
    f.message = message;
    w.worker->launch->faults->add(std::move(f));
}

constexpr const char* unreadMessage = "The block ended without having waited until this bulk copy had read its shared "
                                      "memory (cp.async.bulk.wait_group, or the mbarrier that it tells).";

} // namespace

void endAsyncWork(Block& block) {
    // Of a copy into a neighbour's memory that nobody needed so far, nobody can have waited for the end.
    for (Block* b : block.cluster ? block.cluster->blocks : std::vector<Block*>{}) {
        if (b == &block || !b->async) continue;
        for (const BulkCopy& c : b->async->copies)
            if (c.issuer == &block && c.source.to) reportUnwaited(c, unreadMessage);
    }
    if (!block.async) return;
    AsyncWork& async = *block.async;
    for (BulkCopy& c : async.copies) {
        const bool leaves = c.op->kind == BulkOp::Kind::toGlobal;
        if (!leaves)
            reportUnwaited(c, "The block ended while this bulk copy into its shared memory was under way: nobody "
                              "waited for its mbarrier.");
        else if (!c.hasRead)
            reportUnwaited(c, unreadMessage);
        if (!leaves) continue;
        take(block, c);
        put(*c.issuer->warps[c.by.warp], c.by.lane, c);
    }
    async.copies.clear();
}

} // namespace kernelarium::emulator
