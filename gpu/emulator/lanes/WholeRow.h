// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commonest accesses: all 32 lanes of a warp take part, at one place or one behind the other. They are known by
// their first address alone, so that nothing is written down and looked at lane by lane. Whatever is not in order with
// such an access is left to the way that is for all of them (Access.h), which finds it again and says so.
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
template <bool Wide> inline bool findRow(Warp& w, const Inst* ip, std::uint32_t bytes, WholeRow& row) {
    if (w.active != ~0u || (ip->bits & (frameBase | addressing::strong))) return false;
    using Address = std::conditional_t<Wide, std::uint64_t, std::uint32_t>;
    const std::uint64_t offset = std::uint64_t(ip->imm);
    if (ip->bits & noBase) {
        row = {offset, true};
        return true;
    }
    const Address* r = KL_ISA::at<Address>(w, ip->a);
    const Address first = r[0];
    Address differs = 0, strays = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const Address x = r[i] - first;
        differs |= x;
        strays |= x ^ Address(i * bytes);
    }
    if (differs != 0 && strays != 0) return false;
    row = {std::uint64_t(Address(first + Address(offset))), differs == 0};
    return true;
}

/// The same, with each address: for what looks at lanes.
inline void spreadRow(std::uint64_t first, bool uniform, std::uint32_t bytes, Addresses& a) {
    for (std::uint32_t i = 0; i < laneCount; ++i)
        a.at[i] = first + (uniform ? 0 : std::uint64_t(i) * bytes);
    a.uniform = uniform;
    a.contiguous = !uniform;
}

/// Makes of a generic address an offset of its region, and calls f(region, offset); false where it is in neither.
template <class F> inline bool inWindow(const Warp& w, std::uint64_t address, F f) {
    const std::uint64_t start = (address >> window::shift) << window::shift;
    if (start == DeviceMemory::base) return f(globalRegion(w), address - start);
    if (start == window::shared && w.block) return f(sharedRegion(w), address - start);
    return false;
}

/// All lanes read the words at `word`.
template <std::uint32_t Bytes>
inline bool loadOne(const race::Marks& marks, std::uint64_t word, const race::Key& k, const race::Key& writersKey,
                    race::Record mine) {
    constexpr std::uint32_t n = Bytes / 4;
    constexpr race::Record several = 1; // none of them may have stored it alone
    if (!rowReadable<n>(
            marks.writers + word, writersKey, marks.old, [](std::uint32_t) { return race::Record(0); }, several))
        return false;
    for (std::uint32_t j = 0; j < n; ++j)
        marks.readers[word + j] = readerAfter(marks.readers[word + j], mine | race::byteMask, k, marks.old);
    return true;
}

template <std::uint32_t Bytes>
inline void noteRowLoad(Warp& w, const Inst* ip, const Region& r, std::uint64_t o, bool uniform) {
    const race::Key& k = ip->bits & addressing::readOnly ? stranger : w.raceKey;
    const std::uint64_t length = uniform ? Bytes : Bytes * laneCount;
    if (o + length <= r.marks.limit) {
        if (!uniform) {
            if ((o & 3) == 0 && loadRow<Bytes>(r.marks, o >> 2, w.raceKey, k, recordOf(w, ip))) return;
        } else if constexpr (Bytes >= 4) {
            if (loadOne<Bytes>(r.marks, o >> 2, w.raceKey, k, recordOf(w, ip))) return;
        }
    }
    Addresses a;
    spreadRow(o, uniform, Bytes, a);
    noteLoad<Bytes>(w, ip, r, a);
}

template <std::uint32_t Bytes>
inline void noteRowStore(Warp& w, const Inst* ip, const Region& r, std::uint64_t o, const std::byte* before) {
    w.lanesApart = true;
    if ((o & 3) == 0 && o + Bytes * laneCount <= r.marks.limit &&
        storeRow<Bytes>(r.marks, o >> 2, w.raceKey, recordOf(w, ip), before, r.memory + o))
        return;
    Addresses a;
    spreadRow(o, false, Bytes, a);
    noteStore<Bytes>(w, ip, r, a, before, r.memory + o);
}

} // namespace kernelarium::emulator::KL_ISA
