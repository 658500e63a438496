// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/Races.h"

#include "gpu/emulator/checks/BegunReads.h"
#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/SyncTable.h"
#include "gpu/emulator/warp/Cluster.h"

#include <bit>
#include <cstring>

namespace kernelarium::emulator {

using race::Record;

bool isOrdered(const Warp& w, Record r) {
    const std::uint32_t block = race::blockOf(r), warp = race::warpOf(r), clock = race::clockOf(r);
    const BlockClocks& clocks = w.block->clocks;
    const SyncTable& syncs = *w.worker->launch->syncs;
    if (clocks.clusterRanOut()) return true;
    const bool own = block == clocks.number();
    if (!own && !clocks.isMate(block)) return syncs.covers(block, warp, clock, clocks.acquired(w.index));
    const bool product = w.worker->launch->code->sites[race::siteOf(r)].role == AccessRole::product;
    const bool seen = own ? warp == w.index || clocks.hasSeen(w.index, warp, clock, product)
                          : clocks.hasSeenMate(w.index, block, warp, clock, product);
    return seen || syncs.covers(block, warp, clock, clocks.returned(w.index));
}

bool isAfter(const Warp& w, Record r) {
    return isOrdered(w, r) || w.block->clocks.isAfter(w.index, race::blockOf(r), race::warpOf(r), race::clockOf(r));
}

namespace {

/// Calls f(record index, bytes of it) for each word that the access touches.
template <class F> void eachWord(std::uint64_t offset, std::uint32_t bytes, F f) {
    const std::uint64_t end = offset + bytes;
    for (std::uint64_t at = offset & ~std::uint64_t(3); at < end; at += 4) {
        Record mask = race::byteMask;
        if (at < offset) mask &= race::byteMask << (offset - at);
        if (at + 4 > end) mask &= race::byteMask >> (at + 4 - end);
        f(at >> 2, mask);
    }
}

AccessRole roleOf(const Warp& w, Record r) {
    return w.worker->launch->code->sites[race::siteOf(r)].role;
}

std::uint64_t variableAt(const Warp& w, const Region& region, std::uint64_t offset) {
    const std::uint64_t o = offset & ~std::uint64_t(3);
    const bool shared = region.kind == Region::Kind::shared;
    return shared ? SyncTable::shared(memoryOf(w).clocks.number(), o) : SyncTable::global(o);
}

/// Whether the place orders other accesses: somebody stored to it after a fence.
bool isSyncVariable(const Warp& w, const Region& region, std::uint64_t offset) {
    const std::uint64_t variable = variableAt(w, region, offset);
    return w.block->clocks.isVariable(variable) || w.worker->launch->syncs->isVariable(variable);
}

struct Access {
    Warp& w;
    const Inst* ip;
    const Region& region;
    Record mine;
    bool strong;

    [[nodiscard]] bool isSettled(Record r) const {
        return race::isOld(r, w.raceKey, region.marks.old) || race::isOwn(r, w.raceKey);
    }
    /// Whether it conflicts with the record on these bytes.
    [[nodiscard]] bool races(Record r, Record mask) const {
        if (isSettled(r) || (r & mask & race::byteMask) == 0) return false;
        if (strong && (r & race::strong)) return false;
        return !isOrdered(w, r);
    }
    /// Both are volatile or the like, and one of two updates can be lost. With locks in the code they may be ordered
    /// by one that has no fences.
    [[nodiscard]] bool losesUpdate(Record r, Record mask, std::uint64_t offset) const {
        if (isSettled(r) || (r & mask & race::byteMask) == 0 || !strong || !(r & race::strong)) return false;
        if (roleOf(w, mine) != AccessRole::update || roleOf(w, r) != AccessRole::update) return false;
        return !w.worker->launch->code->mayLock && !isOrdered(w, r) && !isSyncVariable(w, region, offset);
    }
};

/// The plain store under a strong one.
Record beneath(const Region& region, std::uint64_t word) {
    const bool kept = region.marks.weak && (region.marks.writers[word] & race::strong);
    return kept ? region.marks.weak[word] : 0;
}

/// Before a strong store becomes the place's writer.
void keepBeneath(const Access& a, std::uint64_t word) {
    const Record writer = a.region.marks.writers[word];
    if (!a.region.marks.weak || (writer & race::strong && !race::isOld(writer, a.w.raceKey, a.region.marks.old)))
        return;
    const Record kept = writer & race::strong ? 0 : writer;
    if (a.region.marks.weak[word] != kept) a.region.marks.weak[word] = kept;
}

/// Whether a lane reads what another one of its warp stored, with nothing that brought them together since. Two
/// atomics do not race, nor do those who wait for one another through a place that somebody fenced.
bool isLanesRace(const Access& a, Record r, Record mask, std::uint32_t lane, std::uint64_t offset) {
    if ((r & mask & race::byteMask) == 0 || !race::isOtherLanes(r, a.w.raceKey, lane) || (r & race::silent))
        return false;
    if (!a.strong || !(r & race::strong)) return true;
    if (roleOf(a.w, a.mine) == AccessRole::atomic || roleOf(a.w, r) == AccessRole::atomic) return false;
    return !isSyncVariable(a.w, a.region, offset);
}

/// A strong access sees another thread's strong store, which nothing orders before it. That is how threads wait for
/// one another, and is no race. But it does not tell that this thread's other stores are to be seen as well, unless a
/// fence stands between them.
void noteSeenStore(const Access& a, Record r, Record mask, std::uint32_t lane, std::uint64_t offset,
                   std::uint32_t bytes) {
    if (!a.strong || !(r & race::strong) || (r & mask & race::byteMask) == 0 || a.isSettled(r) || isOrdered(a.w, r))
        return;
    const std::uint64_t place = variableAt(a.w, a.region, offset);
    const bool atomics = roleOf(a.w, a.mine) == AccessRole::atomic || roleOf(a.w, r) == AccessRole::atomic;
    if (!atomics) {
        const bool fenced = isSyncVariable(a.w, a.region, offset);
        a.w.worker->looseOrder |= !fenced;
        const bool sameBlock = race::blockOf(r) == a.w.block->clocks.number();
        const bool handed = a.w.block->seenStores.any([&](const SeenStores::Seen& s) {
            if (s.place == place || race::blockOf(s.store) != race::blockOf(r)) return false;
            const bool sameWarp = race::warpOf(s.store) == race::warpOf(r);
            if (!fenced) return sameWarp || !sameBlock;
            // Several flags may follow one fence, but a thread's data and its flag may not.
            return sameWarp && race::laneOf(s.store) == race::laneOf(r) && race::clockOf(s.store) == race::clockOf(r);
        });
        if (handed)
            reportRace(a.w, a.ip, lane,
                       {a.region, offset, bytes, r, false, true, false, 0, verify::RaceEffect::unfenced});
    }
    a.w.block->seenStores.add(r, place);
}

Access accessOf(Warp& w, const Inst* ip, const Region& region, bool strong) {
    return {w, ip, region, recordOf(w, ip) | (strong ? race::strong : 0), strong};
}

void noteReader(const Access& a, std::uint64_t word, Record fresh, Record mask) {
    Record& reader = a.region.marks.readers[word];
    if (race::isOld(reader, a.w.raceKey, a.region.marks.old))
        reader = fresh | mask;
    else if (race::isOwn(reader, a.w.raceKey))
        reader = (reader | mask) & ~(a.strong ? 0 : race::strong);
    else if (isOrdered(a.w, reader) || (!a.strong && (reader & race::strong)))
        reader = fresh | mask | (reader & race::several);
    else if ((reader & mask & race::byteMask) != 0) {
        reader |= race::several | mask;
        if (Record* others = a.region.marks.others)
            if (a.isSettled(others[word]) || isOrdered(a.w, others[word])) others[word] = fresh | mask;
    }
    // Else they are other bytes of the word, and there is room for one party only: the first one stays.
}

/// Readers since the last store; `same`: the store changes nothing.
void checkReaders(const Access& a, std::uint64_t word, Record mask, std::uint32_t lane, std::uint64_t offset,
                  std::uint32_t bytes, bool same) {
    const Record reader = a.region.marks.readers[word];
    if (const Record other = a.region.marks.others ? a.region.marks.others[word] : 0; other && a.races(other, mask))
        reportRace(a.w, a.ip, lane, {a.region, offset, bytes, other, true, false, same});
    if (race::isOld(reader, a.w.raceKey, a.region.marks.old) || (reader & mask & race::byteMask) == 0) return;
    if (a.strong && (reader & race::strong)) {
        const bool atomic = roleOf(a.w, a.mine) == AccessRole::atomic;
        if (!atomic && !a.w.worker->looseOrder && !race::isOwn(reader, a.w.raceKey) && !isOrdered(a.w, reader))
            a.w.worker->looseOrder = !isSyncVariable(a.w, a.region, offset);
        return;
    }
    if (!race::isOwn(reader, a.w.raceKey)) {
        if (!isOrdered(a.w, reader)) reportRace(a.w, a.ip, lane, {a.region, offset, bytes, reader, true, false, same});
        return;
    }
    // Somebody else read after this warp; who is not on record.
    const bool certain = a.w.block->clocks.isPlain() && a.w.worker->launch->syncs->isEmpty();
    if ((reader & race::several) && certain)
        reportRace(a.w, a.ip, lane, {a.region, offset, bytes, 0, true, false, same, race::siteOf(reader)});
}

} // namespace

namespace {

/// A read of these words; it leaves its record where `ended`.
void noteLoad(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes,
              bool ended) {
    const Access a = accessOf(w, ip, region, (ip->bits & addressing::strong) != 0);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (offsets[lane] + bytes > region.marks.limit) continue;
        eachWord(offsets[lane], bytes, [&](std::uint64_t word, Record mask) {
            const Record writer = region.marks.writers[word];
            if (a.races(writer, mask))
                reportRace(w, ip, lane,
                           {region, offsets[lane], bytes, writer, false, true, (writer & race::silent) != 0});
            if (bytes >= 4 && isLanesRace(a, writer, mask, lane, offsets[lane]))
                reportRace(w, ip, lane,
                           {region, offsets[lane], bytes, writer, false, true, false, 0, verify::RaceEffect::lanes});
            noteSeenStore(a, writer, mask, lane, offsets[lane], bytes);
            if (ended) noteReader(a, word, a.mine | Record(lane) << race::laneShift, mask);
        });
    }
}

} // namespace

void trackLoad(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    noteLoad(w, ip, region, offsets, bytes, true);
}

void checkLoad(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    noteLoad(w, ip, region, offsets, bytes, false);
}

void endLoad(Warp& w, Warp& reader, const Inst* ip, std::uint32_t lane, const Region& region, std::uint64_t from,
             std::uint32_t bytes, const Record* then) {
    if (from + bytes > region.marks.limit) return;
    const Access a = accessOf(w, ip, region, false);
    eachWord(from, bytes, [&](std::uint64_t word, Record mask) {
        const Record writer = region.marks.writers[word];
        if (writer != *then++ && (writer & mask & race::byteMask) != 0 && !race::isOwn(writer, reader.raceKey))
            reportRace(reader, ip, lane, {region, from, bytes, writer, false, true, (writer & race::silent) != 0});
        noteReader(a, word, a.mine | Record(lane) << race::laneShift, mask);
    });
}

void trackStore(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes,
                const std::byte* before) {
    const Access a = accessOf(w, ip, region, (ip->bits & addressing::strong) != 0);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t o = offsets[lane];
        if (o + bytes > region.marks.limit) continue;
        const bool same = std::memcmp(before + lane * bytes, region.memory + o, bytes) == 0;
        const Record fresh = a.mine | Record(lane) << race::laneShift | (same ? race::silent : 0);
        eachWord(o, bytes, [&](std::uint64_t word, Record mask) {
            Record& writer = region.marks.writers[word];
            if (a.races(writer, mask) || (!same && a.losesUpdate(writer, mask, o)))
                reportRace(w, ip, lane, {region, o, bytes, writer, true, true, same});
            const Record weak = beneath(region, word);
            if (a.races(weak, mask)) reportRace(w, ip, lane, {region, o, bytes, weak, true, true, same});
            checkReaders(a, word, mask, lane, o, bytes, same);
            if (a.strong) keepBeneath(a, word);
            writer = fresh | mask;
        });
    }
}

void trackAtomic(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    const Access a = accessOf(w, ip, region, true);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t o = offsets[lane];
        if (o + bytes > region.marks.limit) continue;
        eachWord(o, bytes, [&](std::uint64_t word, Record mask) {
            Record& writer = region.marks.writers[word];
            const Record weak = beneath(region, word);
            if (a.races(writer, mask)) reportRace(w, ip, lane, {region, o, bytes, writer, true, true, false});
            if (a.races(weak, mask)) reportRace(w, ip, lane, {region, o, bytes, weak, true, true, false});
            const Record last = weak ? weak : writer;
            if (bytes >= 4 && isLanesRace(a, last, mask, lane, o))
                reportRace(w, ip, lane, {region, o, bytes, last, true, true, false, 0, verify::RaceEffect::lanes});
            noteSeenStore(a, writer, mask, lane, o, bytes);
            checkReaders(a, word, mask, lane, o, bytes, false);
            keepBeneath(a, word);
            writer = a.mine | Record(lane) << race::laneShift | mask;
        });
    }
}

void checkBeneath(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    if (!region.marks.weak) return;
    const Access a = accessOf(w, ip, region, true);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (offsets[lane] + bytes > region.marks.limit) continue;
        eachWord(offsets[lane], bytes, [&](std::uint64_t word, Record mask) {
            const Record weak = beneath(region, word);
            if (a.races(weak, mask)) reportRace(w, ip, lane, {region, offsets[lane], bytes, weak, false, true, false});
        });
    }
}

void reportOwnStores(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    if (w.worker->reported.contains(ip)) return;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (offsets[lane] + bytes > region.marks.limit) continue;
        bool stored = false;
        eachWord(offsets[lane], bytes, [&](std::uint64_t word, Record mask) {
            const Record writer = region.marks.writers[word];
            stored |= writer >= region.marks.old && (writer & mask & race::byteMask) && !(writer & race::silent);
        });
        if (!stored) continue;
        w.worker->reported.insert(ip);
        return reportFault(w, ip, 1u << lane, "read_only_path",
                           "A read through the read-only data path (__ldg, ld.global.nc) of what this launch has "
                           "stored: that path need not see it.",
                           false);
    }
}

void lanesMet(Warp& w) {
    w.lanesApart = false;
    if (!w.raceKey.mine) return;
    w.block->clocks.meetLanes(w.index);
    w.raceKey = w.block->clocks.key(w.index);
}

void checkCopyTarget(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes,
                     bool atomic) {
    const Access a = accessOf(w, ip, region, atomic);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t o = offsets[lane];
        if (o >= region.marks.limit || bytes > region.marks.limit - o) continue;
        eachWord(o, bytes, [&](std::uint64_t word, Record mask) {
            const Record writer = region.marks.writers[word];
            if (a.races(writer, mask)) reportRace(w, ip, lane, {region, o, bytes, writer, true, true, false});
            checkReaders(a, word, mask, lane, o, bytes, false);
        });
    }
}

void publishStores(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets) {
    BlockClocks& clocks = w.block->clocks;
    if (!clocks.isOn()) return;
    if (ip->bits & addressing::releases) clocks.fence(w.index, (ip->bits & addressing::blockScope) == 0);
    const BlockClocks::Release release = clocks.release(w.index);
    if (release.clock == 0) return;
    if (const Block* there = w.block->elsewhere; there && clocks.isInCluster())
        w.block->cluster->clocks.visitReleases(there->rank, ClusterClocks::visitor(w.block->rank, w.index),
                                               release.clock);
    std::uint64_t last = ~std::uint64_t(0);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const std::uint64_t variable = variableAt(w, region, offsets[std::countr_zero(m)]);
        if (variable == last) continue;
        last = variable;
        clocks.publish(variable, release);
        SyncTable& syncs = *w.worker->launch->syncs;
        if (region.kind != Region::Kind::shared)
            syncs.publish(variable, clocks.party(), clocks.number(), release);
        else if (clocks.isInCluster())
            syncs.note(clocks.number(), release);
    }
    w.raceKey = clocks.key(w.index);
}

void acquireLoads(Warp& w, const Region& region, const std::uint64_t* offsets, bool phase) {
    const SyncTable& syncs = *w.worker->launch->syncs;
    BlockClocks& clocks = w.block->clocks;
    if (!clocks.isOn() || (!clocks.hasVariables() && syncs.isEmpty())) return;
    SyncTable::FarSeen far;
    std::uint64_t last = ~std::uint64_t(0);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const std::uint64_t variable = variableAt(w, region, offsets[std::countr_zero(m)]);
        if (variable == last) continue;
        last = variable;
        clocks.acquire(w.index, variable, phase);
        if (region.kind == Region::Kind::shared) continue;
        const SyncTable::FarSeen seen = syncs.seenBy(clocks.party(), variable);
        far = {std::max(far.stamp, seen.stamp), std::max(far.returned, seen.returned)};
    }
    if (far.stamp) clocks.acquireFar(w.index, far.stamp, far.returned);
}

void raceFence(Warp& w, bool wide) {
    if (w.raceKey.mine) w.block->clocks.fence(w.index, wide);
}

void reportCollision(Warp& w, const Inst* ip, const Region& region, std::uint64_t offset, std::uint32_t lane,
                     std::uint32_t other, std::uint32_t bytes) {
    const Record r = recordOf(w, ip) | Record(other) << race::laneShift | race::byteMask;
    reportRace(w, ip, lane, {region, offset, bytes, r, true, true, false});
}

} // namespace kernelarium::emulator
