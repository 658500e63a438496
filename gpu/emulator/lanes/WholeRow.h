// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commonest accesses: all 32 lanes of a warp take part, at one place or one behind the other. They are known by
// their first address alone, so that nothing is written down and looked at lane by lane. Whatever is not in order with
// such an access is left to the way that is for all of them (Access.h), which finds it again and says so. Here all is
// inlined, and what is not is told the kind of memory: a Region whose address nobody takes costs nothing.
#pragma once

#include "gpu/emulator/lanes/RaceTrack.h"

#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

/// Addresses of all 32 lanes: `first` for each of them, or neighbours as many bytes apart as one accesses.
struct WholeRow {
    std::uint64_t first = 0;
    bool uniform = false;
};

/// False where some lane is not active, or the addresses lie otherwise.
template <bool Wide, std::uint32_t Bytes>
[[gnu::always_inline]] inline bool findRow(Warp& w, const Inst* ip, WholeRow& row) {
    KnownRow& known = w.rows[ip->row];
    if (w.active != ~0u || (ip->bits & (frameBase | addressing::strong))) {
        known.stride = KnownRow::neither;
        return false;
    }
    using Address = std::conditional_t<Wide, std::uint64_t, std::uint32_t>;
    const std::uint64_t offset = std::uint64_t(ip->imm);
    if (ip->bits & noBase) {
        row = {offset, true};
        return true;
    }
    if (!(ip->bits & addressing::knownRow) || (known.stride != 0 && known.stride != Bytes)) {
        const Address* r = KL_ISA::at<Address>(w, ip->a);
        const Address first = r[0];
        Wide64<Address> differs{}, strays{};
        for (std::uint32_t i = 0; i < laneCount; i += wideCount<Address>) {
            const Wide64<Address> x = loadWide(r + i) - first;
            differs |= x;
            strays |= x ^ loadWide(Steps<Address, Bytes>::of.data() + i);
        }
        known.first = first;
        known.stride = !anySet<Address>(differs) ? 0 : !anySet<Address>(strays) ? Bytes : KnownRow::neither;
        if (known.stride == KnownRow::neither) return false;
    }
    row = {std::uint64_t(Address(Address(known.first) + Address(offset))), known.stride == 0};
    return true;
}

/// The same, with each address: for what looks at lanes.
inline void spreadRow(std::uint64_t first, bool uniform, std::uint32_t bytes, Addresses& a) {
    for (std::uint32_t i = 0; i < laneCount; ++i)
        a.at[i] = first + (uniform ? 0 : std::uint64_t(i) * bytes);
    a.uniform = uniform;
    a.contiguous = !uniform;
}

/// The memory of a row of global or shared memory.
inline Region regionOf(const Warp& w, Region::Kind kind) {
    return kind == Region::Kind::shared ? sharedRegion(w) : globalRegion(w);
}

/// Makes of a generic address an offset of its region, and calls f(region, offset); false where it is in neither.
template <class F> [[gnu::always_inline]] inline bool inWindow(const Warp& w, std::uint64_t address, F f) {
    const std::uint64_t start = (address >> window::shift) << window::shift;
    if (start == DeviceMemory::base) return f(globalRegion(w), address - start);
    if (start == window::shared && w.block) return f(sharedRegion(w), address - start);
    return false;
}

/// `Write`: it will be written to. Any address will do: one that has no memory is passed over.
template <bool Write, std::uint32_t Bytes> [[gnu::always_inline]] inline void fetchAhead(const void* start) {
    for (std::uint32_t k = 0; k < Bytes; k += 64)
        __builtin_prefetch(static_cast<const char*>(start) + k, Write);
}

/// Of a row in global memory, what the next row will be looked at with: its bytes, their states and their records are
/// in four places, twelve lines that are on their way by the time the next warp comes there. Warps nearly always go
/// through an array one behind the other, and processors do not follow so many places by themselves.
template <bool Store, std::uint32_t Bytes>
[[gnu::always_inline]] inline void fetchNextRow(const Region& r, std::uint64_t o) {
    constexpr std::uint32_t length = Bytes * laneCount;
    if (!r.states || !r.marks.writers || r.kind != Region::Kind::global) return;
    const std::uint64_t next = o + length;
    fetchAhead<Store, length>(r.memory + next);
    fetchAhead<Store, length>(r.states + next);
    fetchAhead<Store, 2 * length>(r.marks.writers + (next >> 2));
    fetchAhead<!Store, 2 * length>(r.marks.readers + (next >> 2));
}

/// All lanes read the words whose records these are.
template <std::uint32_t Bytes>
[[gnu::always_inline]] inline bool loadOne(const race::Record* writers, race::Record* readers, race::Record old,
                                           const race::Key& k, const race::Key& writersKey, race::Record mine) {
    constexpr std::uint32_t n = Bytes / 4;
    constexpr race::Record several = 1; // none of them may have stored it alone
    if (!rowReadable<n>(
            writers, writersKey, old, [](std::uint32_t) { return race::Record(0); }, several))
        return false;
    for (std::uint32_t j = 0; j < n; ++j)
        readers[j] = readerAfter(readers[j], mine | race::byteMask, k, old);
    return true;
}

/// The long way, lane by lane.
template <std::uint32_t Bytes>
[[gnu::noinline]] void noteLanesOfRow(Warp& w, const Inst* ip, Region::Kind kind, std::uint64_t o, bool uniform) {
    Addresses a;
    spreadRow(o, uniform, Bytes, a);
    noteLoad<Bytes>(w, ip, regionOf(w, kind), a);
}

template <std::uint32_t Bytes>
[[gnu::always_inline]] inline void noteRowLoad(Warp& w, const Inst* ip, const Region& r, std::uint64_t o,
                                               bool uniform) {
    const race::Key* k = ip->bits & addressing::readOnly ? &stranger : &w.raceKey;
    const std::uint64_t length = uniform ? Bytes : Bytes * laneCount, word = o >> 2;
    if (o + length <= r.marks.limit) {
        race::Record *const writers = r.marks.writers + word, *const readers = r.marks.readers + word;
        if (!uniform) {
            if ((o & 3) == 0 && loadRow<Bytes>(writers, readers, r.marks.old, w.raceKey, *k, recordOf(w, ip))) return;
        } else if constexpr (Bytes >= 4) {
            if (loadOne<Bytes>(writers, readers, r.marks.old, w.raceKey, *k, recordOf(w, ip))) return;
        }
    }
    noteLanesOfRow<Bytes>(w, ip, r.kind, o, uniform);
}

template <std::uint32_t Bytes>
inline void noteRowStore(Warp& w, const Inst* ip, const Region& r, std::uint64_t o, const std::byte* before) {
    w.lanesApart = true;
    const std::uint64_t word = o >> 2;
    if ((o & 3) == 0 && o + Bytes * laneCount <= r.marks.limit &&
        storeRow<Bytes>(r.marks.writers + word, r.marks.readers + word, r.marks.old, w.raceKey, recordOf(w, ip), before,
                        r.memory + o))
        return;
    Addresses a;
    spreadRow(o, false, Bytes, a);
    noteStore<Bytes>(w, ip, r, a, before, r.memory + o);
}

} // namespace kernelarium::emulator::KL_ISA
