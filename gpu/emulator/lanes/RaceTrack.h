// SPDX-License-Identifier: GPL-3.0-or-later
//
// Race records of a warp's access (gpu/emulator/memory/RaceRecord.h), quickly: whole rows of records when all are
// settled, which they nearly always are. Whatever is not goes to gpu/emulator/checks/Races.h.
#pragma once

#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/lanes/Access.h"

namespace kernelarium::emulator::KL_ISA {

/// The records of n neighbouring words are settled for an access of the warp.
template <std::uint32_t N> inline bool rowSettled(const race::Record* row, const race::Key& k, race::Record old) {
    race::Record unsettled = 0;
    for (std::uint32_t j = 0; j < N; ++j)
        unsettled |= race::Record(!(race::isOld(row[j], k, old) | race::isOwn(row[j], k)));
    return unsettled == 0;
}

/// The same for a load: other lanes of the warp have not stored there since they last met. `lanes` gives the lane of
/// each word, where race::laneShift puts it; `several` is not 0 where others read it as well.
template <std::uint32_t N, class F>
inline bool rowReadable(const race::Record* row, const race::Key& k, race::Record old, F lanes,
                        race::Record several = 0) {
    race::Record unsettled = 0;
    for (std::uint32_t j = 0; j < N; ++j) {
        const race::Record r = row[j];
        const race::Record lane = r ^ lanes(j);
        const auto same =
            race::Record(((r & race::clockMask) != k.laneClock) | (((lane & race::laneMask) | several) == 0));
        unsettled |= race::Record(!(race::isOld(r, k, old) | (race::isOwn(r, k) & bool(same))));
    }
    return unsettled == 0;
}

/// What nobody has settled with but earlier launches: the key of those who must not see a store of this one.
constexpr race::Key stranger{0, 0, ~race::Record(0), ~race::Record(0)};

/// And nobody else has read them since.
template <std::uint32_t N> inline bool rowUnread(const race::Record* row, const race::Key& k, race::Record old) {
    race::Record unsettled = 0;
    for (std::uint32_t j = 0; j < N; ++j)
        unsettled |=
            race::Record(!(race::isOld(row[j], k, old) | (race::isOwn(row[j], k) & ((row[j] & race::several) == 0))));
    return unsettled == 0;
}

inline race::Record readerAfter(race::Record r, race::Record fresh, const race::Key& k, race::Record old) {
    const race::Record kept = race::isOwn(r, k) ? r : r | race::several;
    return race::isOld(r, k, old) ? fresh : kept;
}

/// The bits that say whose access it was and when; a row's records nearly always have them in common.
constexpr race::Record partyAndClock = race::partyMask | race::clockMask;

/// Whether n records are of one warp at one time: what the first one says of that is said by all of them then.
template <std::uint32_t N> inline bool oneParty(const race::Record* row) {
    const race::Record first = row[0];
    Wide64<race::Record> differs{};
    for (std::uint32_t j = 0; j < N; j += wideCount<race::Record>)
        differs |= loadWide(row + j) ^ first;
    return !anySet<race::Record>(differs & partyAndClock);
}

/// Whether each of n records has the bit.
template <std::uint32_t N> inline bool allHave(const race::Record* row, race::Record bit) {
    Wide64<race::Record> common = loadWide(row);
    for (std::uint32_t j = wideCount<race::Record>; j < N; j += wideCount<race::Record>)
        common &= loadWide(row + j);
    return !anySet<race::Record>(~common & bit);
}

/// Which lane's access of a contiguous row touches word j.
template <std::uint32_t Bytes> inline race::Record laneOfWord(std::uint32_t j) {
    return race::Record(Bytes >= 4 ? j / (Bytes / 4) : j * (4 / Bytes)) << race::laneShift;
}

/// The records of a row that all lanes of the warp have read, one behind the other.
template <std::uint32_t Bytes>
inline void noteReaders(race::Record* readers, const race::Key& k, race::Record old, race::Record mine) {
    constexpr std::uint32_t n = laneCount * Bytes / 4;
    if (oneParty<n>(readers) && !race::isOld(readers[0], k, old)) {
        if (race::isOwn(readers[0], k) || allHave<n>(readers, race::several)) return;
    }
#pragma GCC ivdep
    for (std::uint32_t j = 0; j < n; ++j)
        readers[j] = readerAfter(readers[j], mine | laneOfWord<Bytes>(j) | race::byteMask, k, old);
}

template <std::uint32_t Bytes>
[[gnu::noinline]] bool loadRow(const race::Record* writers, race::Record* readers, race::Record old,
                               const race::Key& key, const race::Key& writersKey, race::Record mine) {
    constexpr std::uint32_t n = laneCount * Bytes / 4;
    // Copies, which no store of a record can change: the loops are over vectors then.
    const race::Key k = key, w = writersKey;
    if (!(oneParty<n>(writers) && race::isOld(writers[0], w, old))) {
        if constexpr (Bytes >= 4) {
            if (!rowReadable<n>(writers, w, old, laneOfWord<Bytes>)) return false;
        } else {
            if (!rowSettled<n>(writers, w, old)) return false;
        }
    }
    noteReaders<Bytes>(readers, k, old, mine);
    return true;
}

template <std::uint32_t Bytes>
[[gnu::noinline]] bool storeRow(race::Record* writers, const race::Record* readers, race::Record old,
                                const race::Key& key, race::Record mine, const std::byte* before,
                                const std::byte* after) {
    constexpr std::uint32_t n = laneCount * Bytes / 4;
    const race::Key k = key;
    if (!(oneParty<n>(writers) && (race::isOld(writers[0], k, old) || race::isOwn(writers[0], k))) &&
        !rowSettled<n>(writers, k, old))
        return false;
    if (!(oneParty<n>(readers) && race::isOld(readers[0], k, old)) && !rowUnread<n>(readers, k, old)) return false;
    std::uint32_t was[n], is[n];
    std::memcpy(was, before, sizeof was);
    std::memcpy(is, after, sizeof is);
#pragma GCC ivdep
    for (std::uint32_t j = 0; j < n; ++j)
        writers[j] = mine | laneOfWord<Bytes>(j) | race::byteMask | (was[j] == is[j] ? race::silent : 0);
    return true;
}

/// A word of each of many lanes, side by side in the processor's vectors: loops over all 32, where a lane that takes no
/// part reads what the first one reads.
[[gnu::noinline]] inline bool loadWords(const race::Marks& marks, const std::uint64_t* at, std::uint32_t lanes,
                                        const race::Key& key, const race::Key& writersKey, race::Record mine) {
    const race::Key k = key, w = writersKey;
    const race::Record old = marks.old;
    const auto lead = std::uint32_t(__builtin_ctz(lanes));
    const std::uint64_t first = at[lead], last = marks.limit - 4;
    if (marks.limit < 4) return false;
    alignas(64) std::uint64_t word[laneCount];
    alignas(64) race::Record lane[laneCount], after[laneCount];
    std::uint64_t outside = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const std::uint64_t on = 0 - std::uint64_t((lanes >> i) & 1u);
        const std::uint64_t o = (at[i] & on) | (first & ~on);
        outside |= std::uint64_t(o > last);
        word[i] = o >> 2;
        lane[i] = ((race::Record(i) & on) | (race::Record(lead) & ~on)) << race::laneShift;
    }
    if (outside) return false;
    race::Record unsettled = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const race::Record r = marks.writers[word[i]];
        const auto same =
            race::Record(((r & race::clockMask) != w.laneClock) | (((r ^ lane[i]) & race::laneMask) == 0));
        unsettled |= race::Record(!(race::isOld(r, w, old) | (race::isOwn(r, w) & bool(same))));
    }
    if (unsettled) return false;
    for (std::uint32_t i = 0; i < laneCount; ++i)
        after[i] = readerAfter(marks.readers[word[i]], mine | lane[i] | race::byteMask, k, old);
    // Of those that read the same word the first one's record stays, as if each had come in turn.
    for (std::uint32_t i = laneCount; i-- > 0;) {
        marks.readers[word[i]] = after[i];
        asm volatile(""); // one by one: scattered by a vector they take several times as long
    }
    return true;
}

/// The lanes' words one by one; whole words only.
template <std::uint32_t Bytes>
[[gnu::noinline]] bool loadScattered(const Warp& w, const race::Marks& marks, const std::uint64_t* at,
                                     std::uint32_t lanes, const race::Key& writersKey, race::Record mine) {
    constexpr int many = 12; // lanes, which all at once are quicker than one by one
    if constexpr (Bytes == 4)
        if (lanes == w.active && __builtin_popcount(lanes) >= many)
            return loadWords(marks, at, lanes, w.raceKey, writersKey, mine);
    const race::Key k = w.raceKey;
    bool settled = true;
    // One lane stands for all that read the same: none of them may have stored it alone.
    const race::Record several = lanes != w.active ? 1 : 0;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = race::Record(__builtin_ctz(m));
        const std::uint64_t o = at[lane];
        settled &= o + Bytes <= marks.limit;
        const race::Record* row = marks.writers + (o + Bytes <= marks.limit ? o >> 2 : 0);
        settled &= rowReadable<Bytes / 4>(
            row, writersKey, marks.old, [&](std::uint32_t) { return lane << race::laneShift; }, several);
    }
    if (!settled) return false;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(__builtin_ctz(m));
        const race::Record fresh = mine | race::Record(lane) << race::laneShift | race::byteMask;
        race::Record* row = marks.readers + (at[lane] >> 2);
        for (std::uint32_t j = 0; j < Bytes / 4; ++j)
            row[j] = readerAfter(row[j], fresh, k, marks.old);
    }
    return true;
}

template <std::uint32_t Bytes>
[[gnu::noinline]] bool storeScattered(const Warp& w, const Region& r, const std::uint64_t* at, race::Record mine,
                                      const std::byte* before) {
    const race::Key k = w.raceKey;
    const race::Marks& marks = r.marks;
    bool settled = true;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const std::uint64_t o = at[__builtin_ctz(m)];
        const std::uint64_t word = o + Bytes <= marks.limit ? o >> 2 : 0;
        settled &= o + Bytes <= marks.limit;
        settled &= rowSettled<Bytes / 4>(marks.writers + word, k, marks.old) &
                   rowUnread<Bytes / 4>(marks.readers + word, k, marks.old);
    }
    if (!settled) return false;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(__builtin_ctz(m));
        const bool same = std::memcmp(before + lane * Bytes, r.memory + at[lane], Bytes) == 0;
        race::Record* row = marks.writers + (at[lane] >> 2);
        for (std::uint32_t j = 0; j < Bytes / 4; ++j)
            row[j] = mine | race::Record(lane) << race::laneShift | race::byteMask | (same ? race::silent : 0);
    }
    return true;
}

template <std::uint32_t Bytes> inline void noteLoad(Warp& w, const Inst* ip, const Region& r, const Addresses& a) {
    if (ip->bits & addressing::strong) {
        trackLoad(w, ip, r, a.at, Bytes);
        acquireLoads(w, r, a.at);
        return checkBeneath(w, ip, r, a.at, Bytes);
    }
    const bool readOnly = (ip->bits & addressing::readOnly) != 0;
    const race::Key& k = readOnly ? stranger : w.raceKey;
    const auto lead = std::uint32_t(__builtin_ctz(w.active));
    const std::uint64_t o = a.at[lead];
    if (a.contiguous && (o & 3) == 0 && o + Bytes * laneCount <= r.marks.limit) {
        if (loadRow<Bytes>(r.marks.writers + (o >> 2), r.marks.readers + (o >> 2), r.marks.old, w.raceKey, k,
                           recordOf(w, ip)))
            return;
    } else if constexpr (Bytes >= 4) {
        if (loadScattered<Bytes>(w, r.marks, a.at, a.uniform ? w.active & -w.active : w.active, k, recordOf(w, ip)))
            return;
    }
    if (readOnly) reportOwnStores(w, ip, r, a.at, Bytes);
    trackLoad(w, ip, r, a.at, Bytes);
}

/// Lanes that stored to one place: the last one's record stands there.
template <std::uint32_t Bytes>
[[gnu::noinline]] void findCollisions(Warp& w, const Inst* ip, const Region& r, const Addresses& a,
                                      const std::byte* stored) {
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(__builtin_ctz(m));
        const std::uint64_t o = a.at[lane];
        if (o + Bytes > r.marks.limit || std::memcmp(stored + lane * Bytes, r.memory + o, Bytes) == 0) continue;
        const race::Record last = r.marks.writers[o >> 2];
        if (race::isOwn(last, w.raceKey)) return reportCollision(w, ip, r, o, race::laneOf(last), lane, Bytes);
    }
}

/// `before` is what the lanes' places held, `stored` what the lanes stored, both Bytes for each lane.
template <std::uint32_t Bytes>
inline void noteStore(Warp& w, const Inst* ip, const Region& r, const Addresses& a, const std::byte* before,
                      const std::byte* stored) {
    const auto lead = std::uint32_t(__builtin_ctz(w.active));
    const std::uint64_t o = a.at[lead];
    const bool plain = (ip->bits & addressing::strong) == 0;
    w.lanesApart = true;
    if (plain && a.contiguous && (o & 3) == 0 && o + Bytes * laneCount <= r.marks.limit) {
        if (storeRow<Bytes>(r.marks.writers + (o >> 2), r.marks.readers + (o >> 2), r.marks.old, w.raceKey,
                            recordOf(w, ip), before, r.memory + o))
            return;
        return trackStore(w, ip, r, a.at, Bytes, before);
    }
    bool done = false;
    if constexpr (Bytes >= 4) done = plain && storeScattered<Bytes>(w, r, a.at, recordOf(w, ip), before);
    if (!done) trackStore(w, ip, r, a.at, Bytes, before);
    if (!a.contiguous) findCollisions<Bytes>(w, ip, r, a, stored);
    // What all of them stored each of them may read: the record names one only.
    if (a.uniform && (w.active & (w.active - 1))) meetLanes(w);
}

} // namespace kernelarium::emulator::KL_ISA
