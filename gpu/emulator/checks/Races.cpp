// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/Races.h"

#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/SyncTable.h"

#include <bit>
#include <cstring>

namespace kernelarium::emulator {

using race::Record;

namespace {

/// Whether something orders the access on record before what the warp does now.
bool isOrdered(const Warp& w, Record r) {
    const std::uint32_t block = race::blockOf(r), warp = race::warpOf(r), clock = race::clockOf(r);
    const BlockClocks& clocks = w.block->clocks;
    const bool same = block == clocks.number();
    if (same && (warp == w.index || clocks.hasSeen(w.index, warp, clock))) return true;
    return w.worker->launch->syncs->covers(block, warp, clock, clocks.acquired(w.index), same);
}

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

/// Whether the place orders other accesses: somebody stored to it after a fence.
bool isSyncVariable(const Warp& w, const Region& region, std::uint64_t offset) {
    const std::uint64_t o = offset & ~std::uint64_t(3);
    const bool shared = region.kind == Region::Kind::shared;
    return w.worker->launch->syncs->stampOf(shared ? SyncTable::shared(w.block->clocks.number(), o)
                                                   : SyncTable::global(o)) != 0;
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

Access accessOf(Warp& w, const Inst* ip, const Region& region, bool strong) {
    return {w, ip, region, recordOf(w, ip) | (strong ? race::strong : 0), strong};
}

void noteReader(const Access& a, Record& reader, Record fresh, Record mask) {
    if (race::isOld(reader, a.w.raceKey, a.region.marks.old))
        reader = fresh | mask;
    else if (race::isOwn(reader, a.w.raceKey))
        reader = (reader | mask) & ~(a.strong ? 0 : race::strong);
    else if (isOrdered(a.w, reader) || (!a.strong && (reader & race::strong)))
        reader = fresh | mask | (reader & race::several);
    else if ((reader & mask & race::byteMask) != 0)
        reader |= race::several | mask;
    // Else they are other bytes of the word, and there is room for one party only: the first one stays.
}

/// Readers since the last store; `same`: the store changes nothing.
void checkReaders(const Access& a, Record reader, Record mask, std::uint32_t lane, std::uint64_t offset,
                  std::uint32_t bytes, bool same) {
    if (race::isOld(reader, a.w.raceKey, a.region.marks.old) || (reader & mask & race::byteMask) == 0) return;
    if (a.strong && (reader & race::strong)) return;
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

void trackLoad(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    const Access a = accessOf(w, ip, region, (ip->bits & addressing::strong) != 0);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (offsets[lane] + bytes > region.marks.limit) continue;
        eachWord(offsets[lane], bytes, [&](std::uint64_t word, Record mask) {
            const Record writer = region.marks.writers[word];
            if (a.races(writer, mask))
                reportRace(w, ip, lane,
                           {region, offsets[lane], bytes, writer, false, true, (writer & race::silent) != 0});
            noteReader(a, region.marks.readers[word], a.mine | Record(lane) << race::laneShift, mask);
        });
    }
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
            checkReaders(a, region.marks.readers[word], mask, lane, o, bytes, same);
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
            if (a.races(writer, mask)) reportRace(w, ip, lane, {region, o, bytes, writer, true, true, false});
            checkReaders(a, region.marks.readers[word], mask, lane, o, bytes, false);
            writer = a.mine | Record(lane) << race::laneShift | mask;
        });
    }
}

void checkCopyTarget(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes) {
    const Access a = accessOf(w, ip, region, false);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t o = offsets[lane];
        if (o >= region.marks.limit || bytes > region.marks.limit - o) continue;
        eachWord(o, bytes, [&](std::uint64_t word, Record mask) {
            const Record writer = region.marks.writers[word];
            if (a.races(writer, mask)) reportRace(w, ip, lane, {region, o, bytes, writer, true, true, false});
            checkReaders(a, region.marks.readers[word], mask, lane, o, bytes, false);
        });
    }
}

void publishStores(Warp& w, const Inst* ip, const Region& region, const std::uint64_t* offsets) {
    BlockClocks& clocks = w.block->clocks;
    if (!clocks.isOn()) return;
    if (ip->bits & addressing::releases) clocks.fence(w.index, (ip->bits & addressing::blockScope) == 0);
    const BlockClocks::Release release = clocks.release(w.index);
    if (release.clock == 0) return;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const std::uint64_t o = offsets[std::countr_zero(m)] & ~std::uint64_t(3);
        const bool shared = region.kind == Region::Kind::shared;
        w.worker->launch->syncs->publish(shared ? SyncTable::shared(clocks.number(), o) : SyncTable::global(o),
                                         clocks.number(), release);
    }
    w.raceKey = clocks.key(w.index);
}

void acquireLoads(Warp& w, const Region& region, const std::uint64_t* offsets) {
    const SyncTable& syncs = *w.worker->launch->syncs;
    BlockClocks& clocks = w.block->clocks;
    if (syncs.isEmpty() || !clocks.isOn()) return;
    std::uint64_t stamp = 0;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const std::uint64_t o = offsets[std::countr_zero(m)] & ~std::uint64_t(3);
        const bool shared = region.kind == Region::Kind::shared;
        stamp = std::max(stamp, syncs.stampOf(shared ? SyncTable::shared(clocks.number(), o) : SyncTable::global(o)));
    }
    if (stamp) clocks.acquire(w.index, stamp);
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
