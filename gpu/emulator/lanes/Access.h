// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/MemoryFaults.h"
#include "gpu/emulator/lanes/Lanes.h"
#include "gpu/emulator/lanes/WideWords.h"

namespace kernelarium::emulator::KL_ISA {

using addressing::frameBase;
using addressing::noBase;

/// Addresses of a warp's access, and their shape.
struct Addresses {
    alignas(64) std::uint64_t at[laneCount];
    bool uniform = false;    ///< every active lane the same
    bool contiguous = false; ///< all 32 lanes active, neighbours `bytes` apart
};

template <bool Wide> inline void readAddresses(Warp& w, const Inst* ip, Addresses& a) {
    const std::uint64_t offset = std::uint64_t(ip->imm);
    if (ip->bits & (noBase | frameBase)) {
        const std::uint64_t x = offset + (ip->bits & frameBase ? w.localBase : 0);
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] = x;
    } else if constexpr (Wide) {
        const std::uint64_t* r = KL_ISA::at<std::uint64_t>(w, ip->a);
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] = r[i] + offset;
    } else {
        const std::uint32_t* r = KL_ISA::at<std::uint32_t>(w, ip->a);
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] = std::uint64_t(std::uint32_t(r[i] + std::uint32_t(offset)));
    }
}

inline void classify(const Warp& w, Addresses& a, std::uint32_t bytes) {
    const auto lead = std::uint32_t(__builtin_ctz(w.active));
    const std::uint64_t first = a.at[lead];
    std::uint64_t differs = 0, strays = 0;
    if (w.active == ~0u) {
        for (std::uint32_t i = 0; i < laneCount; ++i) {
            const std::uint64_t x = a.at[i] - first;
            differs |= x;
            strays |= x ^ (std::uint64_t(i) * bytes);
        }
        a.contiguous = strays == 0;
    } else {
        const std::uint32_t mask = w.active;
        for (std::uint32_t i = 0; i < laneCount; ++i)
            differs |= (a.at[i] - first) & (0 - std::uint64_t((mask >> i) & 1u));
    }
    a.uniform = differs == 0;
}

[[gnu::always_inline]] inline Region globalRegion(const Warp& w) {
    const Worker& k = *w.worker;
    const std::uint8_t access = k.hostOwner ? DeviceMemory::stateHost : DeviceMemory::stateDevice;
    // Host code copies padding and the like: only bounds are checked there.
    const std::uint8_t readable = k.hostOwner ? access : std::uint8_t(access | DeviceMemory::stateInitialised);
    return {Region::Kind::global,
            k.memory,
            k.checks ? k.states : nullptr,
            k.memoryLimit,
            readable,
            access,
            w.raceKey.mine ? k.raceMarks : race::Marks{},
            k.written};
}
[[gnu::always_inline]] inline Region sharedRegion(const Warp& w) {
    return {Region::Kind::shared,
            w.block->shared,
            w.block->sharedStates,
            w.block->sharedBytes,
            DeviceMemory::stateInitialised,
            0,
            w.raceKey.mine ? w.block->raceMarks : race::Marks{}};
}
inline Region localRegion(const Warp& w) {
    return {Region::Kind::local,
            w.local,
            w.localStates,
            std::uint64_t(w.localStride) * laneCount,
            std::uint8_t(w.worker->hostOwner ? 0 : DeviceMemory::stateInitialised),
            0,
            {}};
}

/// Offsets of local memory become offsets of the warp's store; a lane past its own memory goes past the limit.
inline void spreadLocal(const Warp& w, Addresses& a, std::uint32_t bytes) {
    const std::uint64_t stride = w.localStride;
    for (std::uint32_t i = 0; i < laneCount; ++i)
        a.at[i] = a.at[i] + bytes <= stride && a.at[i] <= stride ? i * stride + a.at[i] : ~std::uint64_t(0);
    a.uniform = a.contiguous = false;
}

template <std::uint32_t Bytes> inline bool statesHold(const std::uint8_t* s, std::uint8_t need) {
    if constexpr (Bytes == 1)
        return (s[0] & need) == need;
    else if constexpr (Bytes == 2) {
        std::uint16_t v;
        std::memcpy(&v, s, 2);
        const auto pattern = std::uint16_t(0x0101u * need);
        return (v & pattern) == pattern;
    } else if constexpr (Bytes == 4) {
        std::uint32_t v;
        std::memcpy(&v, s, 4);
        const std::uint32_t pattern = 0x01010101u * need;
        return (v & pattern) == pattern;
    } else {
        bool all = true;
        for (std::uint32_t k = 0; k < Bytes; k += 8) {
            std::uint64_t v;
            std::memcpy(&v, s + k, 8);
            const std::uint64_t pattern = 0x0101010101010101ull * need;
            all &= (v & pattern) == pattern;
        }
        return all;
    }
}

/// The states of so many bytes as one number.
template <std::uint32_t Bytes>
using StateWord = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <std::uint32_t Bytes> inline bool rangeHolds(const std::uint8_t* s, std::uint8_t need) {
    if constexpr (Bytes % 64 == 0) {
        Wide64<std::uint8_t> all = loadWide(s);
        for (std::uint32_t k = 64; k < Bytes; k += 64)
            all &= loadWide(s + k);
        return !anySet<std::uint8_t>(~all & need);
    } else {
        std::uint8_t missing = 0;
        for (std::uint32_t k = 0; k < Bytes; ++k)
            missing |= std::uint8_t(~s[k] & need);
        return missing == 0;
    }
}

/// Whether an access of all lanes from `o` on is in order: of each its own bytes, or of all the same.
template <std::uint32_t Bytes>
[[gnu::always_inline]] inline bool rowInOrder(const Region& r, std::uint64_t o, bool uniform, std::uint8_t need) {
    constexpr std::uint64_t alignment = (Bytes < 16 ? Bytes : 16) - 1;
    const std::uint64_t length = uniform ? Bytes : std::uint64_t(Bytes) * laneCount;
    if (o >= r.limit || length > r.limit - o || (o & alignment)) return false;
    if (!r.states || need == 0) return true;
    return uniform ? statesHold<Bytes>(r.states + o, need) : rangeHolds<Bytes * laneCount>(r.states + o, need);
}

/// Whether the access of every active lane is in order; quick, and silent.
template <std::uint32_t Bytes>
inline bool inOrder(const Warp& w, const Region& r, const Addresses& a, std::uint8_t need) {
    const auto lead = std::uint32_t(__builtin_ctz(w.active));
    constexpr std::uint64_t alignment = (Bytes < 16 ? Bytes : 16) - 1;
    if (a.uniform || a.contiguous) return rowInOrder<Bytes>(r, a.at[lead], a.uniform, need);
    if (r.limit < Bytes) return false;
    const std::uint64_t last = r.limit - Bytes;
    const std::uint32_t mask = w.active;
    std::uint64_t bad = 0; // without a branch, so that lanes are looked at side by side
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const std::uint64_t x = a.at[i], wrong = (x & alignment) | std::uint64_t(x > last);
        bad |= wrong & (0 - std::uint64_t((mask >> i) & 1u));
    }
    if (bad) return false;
    if (!r.states || need == 0) return true;
    if constexpr (Bytes <= 8) {
        using Word = StateWord<Bytes>;
        constexpr auto each = Word(0x0101010101010101ull);
        Word common = Word(~Word(0));
        const auto take = [&](std::uint64_t o) {
            Word v;
            std::memcpy(&v, r.states + o, Bytes);
            common = Word(common & v);
        };
        if (mask == ~0u)
            for (std::uint32_t i = 0; i < laneCount; ++i)
                take(a.at[i]);
        else
            for (std::uint32_t m = mask; m; m &= m - 1)
                take(a.at[__builtin_ctz(m)]);
        return Word(~common & Word(each * need)) == 0;
    } else {
        bool all = true;
        eachActive(w, [&](std::uint32_t i) { all &= statesHold<Bytes>(r.states + a.at[i], need); });
        return all;
    }
}

/// Splits generic addresses by window and calls f(region, addresses) for each one with its lanes active.
/// Lanes in no window are reported and left out.
template <class F> inline void byWindow(Warp& w, const Inst* ip, Addresses& a, std::uint32_t bytes, bool isStore, F f) {
    const auto lead = std::uint32_t(__builtin_ctz(w.active));
    const std::uint64_t kind = a.at[lead] >> window::shift;
    std::uint64_t mixed = 0;
    const std::uint32_t mask = w.active;
    for (std::uint32_t i = 0; i < laneCount; ++i)
        mixed |= (mask >> i) & 1u ? (a.at[i] >> window::shift) ^ kind : 0;
    if (mixed) {
        const std::uint32_t all = w.active;
        std::uint32_t rest = all;
        while (rest) {
            const std::uint64_t k = a.at[__builtin_ctz(rest)] >> window::shift;
            std::uint32_t same = 0;
            for (std::uint32_t i = 0; i < laneCount; ++i)
                same |= std::uint32_t((a.at[i] >> window::shift) == k) << i;
            Addresses part = a;
            w.active = same & rest;
            byWindow(w, ip, part, bytes, isStore, f);
            rest &= ~same;
        }
        w.active = all;
        return;
    }
    const std::uint64_t start = kind << window::shift;
    if (start == DeviceMemory::base) {
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] -= start;
        f(globalRegion(w), a);
    } else if (start == window::shared && w.block) {
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] -= start;
        f(sharedRegion(w), a);
    } else if (start == window::local) {
        for (std::uint32_t i = 0; i < laneCount; ++i)
            a.at[i] -= start;
        spreadLocal(w, a, bytes);
        f(localRegion(w), a);
    } else {
        reportBadAddresses(w, ip, w.active, a.at, bytes, isStore);
    }
}

} // namespace kernelarium::emulator::KL_ISA
