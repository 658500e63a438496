// SPDX-License-Identifier: GPL-3.0-or-later
//
// st in every space (PTX ISA, "Data Movement and Conversion Instructions: st").
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/lanes/WholeRow.h"

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Space;
using ptx::Type;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline Opd source(const Warp& w, const Inst* ip, u32 k, u32 n) {
    return n == 1 ? ip->b : w.worker->launch->code->operandLists[ip->aux][k];
}

template <class T, class W, u32 N> void transfer(Warp& w, const Inst* ip, const Region& r, const Addresses& a) {
    for (u32 k = 0; k < N; ++k) {
        const W* s = at<W>(w, source(w, ip, k, N));
        std::byte* memory = r.memory + k * sizeof(T);
        if (a.contiguous && whole(w)) {
            std::byte* start = memory + a.at[0];
            for (u32 i = 0; i < laneCount; ++i) {
                const T value = T(s[i]);
                std::memcpy(start + u64(i) * N * sizeof(T), &value, sizeof(T));
            }
        } else {
            eachActive(w, [&](u32 i) {
                const T value = T(s[i]);
                std::memcpy(memory + a.at[i], &value, sizeof(T));
            });
        }
    }
    if (!r.states) return;
    constexpr u32 bytes = sizeof(T) * N;
    const std::uint8_t written = r.written;
    if (a.contiguous && whole(w)) {
        std::uint8_t* s = r.states + a.at[0];
        for (u32 i = 0; i < bytes * laneCount; ++i)
            s[i] |= written;
    } else {
        eachActive(w, [&](u32 i) {
            for (u32 k = 0; k < bytes; ++k)
                r.states[a.at[i] + k] |= written;
        });
    }
}

/// With races looked for: what was there before, and what each lane stores, are needed as well.
template <class T, class W, u32 N>
[[gnu::noinline]] void trackedTransfer(Warp& w, const Inst* ip, const Region& r, const Addresses& a) {
    constexpr u32 bytes = sizeof(T) * N;
    alignas(64) std::byte before[laneCount * bytes], stored[laneCount * bytes];
    if (a.contiguous) {
        std::memcpy(before, r.memory + a.at[0], sizeof before);
    } else {
        eachActive(w, [&](u32 i) { std::memcpy(before + i * bytes, r.memory + a.at[i], bytes); });
        for (u32 k = 0; k < N; ++k) {
            const W* s = at<W>(w, source(w, ip, k, N));
            for (u32 i = 0; i < laneCount; ++i) {
                const T value = T(s[i]);
                std::memcpy(stored + i * bytes + k * sizeof(T), &value, sizeof(T));
            }
        }
    }
    if (ip->bits & addressing::strong) publishStores(w, ip, r, a.at);
    transfer<T, W, N>(w, ip, r, a);
    noteStore<bytes>(w, ip, r, a, before, stored);
}

template <class T, class W, u32 N> void storeRegion(Warp& w, const Inst* ip, const Region& r, Addresses& a) {
    constexpr u32 bytes = sizeof(T) * N;
    if (inOrder<bytes>(w, r, a, r.states ? r.writable : 0)) [[likely]] {
        if (r.marks.writers)
            trackedTransfer<T, W, N>(w, ip, r, a);
        else
            transfer<T, W, N>(w, ip, r, a);
        if (w.unknown) [[unlikely]]
            markUnknown(w, r, a.at, bytes);
        return;
    }
    const u32 all = w.active;
    w.active = faultyLanes(w, ip, r, a.at, bytes, AccessKind::store);
    if (w.active) {
        a.contiguous = false;
        if (r.marks.writers)
            trackedTransfer<T, W, N>(w, ip, r, a);
        else
            transfer<T, W, N>(w, ip, r, a);
        if (w.unknown) markUnknown(w, r, a.at, bytes);
    }
    w.active = all;
}

template <class T, class W, u32 N>
[[gnu::always_inline]] inline void transferRow(Warp& w, const Inst* ip, const Region& r, u64 o) {
    for (u32 k = 0; k < N; ++k) {
        const W* s = at<W>(w, source(w, ip, k, N));
        std::byte* start = r.memory + o + k * sizeof(T);
#pragma GCC ivdep
        for (u32 i = 0; i < laneCount; ++i) {
            const T value = T(s[i]);
            std::memcpy(start + u64(i) * N * sizeof(T), &value, sizeof(T));
        }
    }
    if (!r.states) return;
    std::uint8_t* s = r.states + o;
    const std::uint8_t written = r.written;
    for (u32 i = 0; i < sizeof(T) * N * laneCount; ++i)
        s[i] |= written;
}

template <class T, class W, u32 N>
[[gnu::noinline]] void trackedRow(Warp& w, const Inst* ip, Region::Kind kind, u64 o) {
    constexpr u32 bytes = sizeof(T) * N;
    const Region r = regionOf(w, kind);
    fetchNextRow<true, bytes>(r, o);
    alignas(64) std::byte before[laneCount * bytes];
    std::memcpy(before, r.memory + o, sizeof before);
    transferRow<T, W, N>(w, ip, r, o);
    noteRowStore<bytes>(w, ip, r, o, before);
}

[[gnu::noinline]] void markRowUnknown(Warp& w, Region::Kind kind, u64 o, u32 bytes) {
    Addresses a;
    spreadRow(o, false, bytes, a);
    markUnknown(w, regionOf(w, kind), a.at, bytes);
}

/// A store of all lanes, one behind the other from `o` on, that is in order; otherwise nothing is done.
template <class T, class W, u32 N>
[[gnu::always_inline]] inline bool storeWholeRow(Warp& w, const Inst* ip, const Region& r, u64 o) {
    constexpr u32 bytes = sizeof(T) * N;
    if (!rowInOrder<bytes>(r, o, false, r.states ? r.writable : 0)) [[unlikely]]
        return false;
    if (r.marks.writers)
        trackedRow<T, W, N>(w, ip, r.kind, o);
    else
        transferRow<T, W, N>(w, ip, r, o);
    if (w.unknown) [[unlikely]]
        markRowUnknown(w, r.kind, o, bytes);
    return true;
}

/// A store of whatever lanes to wherever they write; apart from that of a whole row, which needs no room on the stack.
template <Space S, class T, class W, bool Wide, u32 N> [[gnu::noinline]] const Inst* storeAny(Warp& w, const Inst* ip) {
    constexpr u32 bytes = sizeof(T) * N;
    Addresses a;
    readAddresses<Wide>(w, ip, a);
    if constexpr (S == Space::shared) {
        classify(w, a, bytes);
        storeRegion<T, W, N>(w, ip, sharedRegion(w), a);
    } else if constexpr (S == Space::local) {
        spreadLocal(w, a, bytes);
        storeRegion<T, W, N>(w, ip, localRegion(w), a);
    } else {
        classify(w, a, bytes);
        byWindow(w, ip, a, bytes, true,
                 [&](const Region& r, Addresses& part) { storeRegion<T, W, N>(w, ip, r, part); });
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S, class T, class W, bool Wide, u32 N> const Inst* store(Warp& w, const Inst* ip) {
    constexpr u32 bytes = sizeof(T) * N;
    if constexpr (S != Space::local) {
        WholeRow row;
        if (findRow<Wide, bytes>(w, ip, row) && !row.uniform) {
            const auto one = [&](const Region& r, u64 o) __attribute__((always_inline)) {
                return storeWholeRow<T, W, N>(w, ip, r, o);
            };
            bool done;
            if constexpr (S == Space::shared)
                done = one(sharedRegion(w), row.first);
            else
                done = inWindow(w, row.first, one);
            if (done) return w.pause == Pause::stop ? nullptr : ip + 1;
        }
    }
    return storeAny<S, T, W, Wide, N>(w, ip);
}

const Inst* tooLong(Warp& w, const Inst* ip) {
    return trap(w, ip, "a vector store of this width is not supported");
}

template <Space S, class T, class W, bool Wide> Handler byLength(u32 vector) {
    switch (vector) {
    case 1: return store<S, T, W, Wide, 1>;
    case 2:
        if constexpr (sizeof(T) <= 8) return store<S, T, W, Wide, 2>;
        break;
    case 4:
        if constexpr (sizeof(T) <= 4) return store<S, T, W, Wide, 4>;
        break;
    default: break;
    }
    return tooLong;
}

template <Space S, class T, class W> Handler byAddress(bool wide, u32 vector) {
    return wide ? byLength<S, T, W, true>(vector) : byLength<S, T, W, false>(vector);
}

template <Space S, class T> Handler byWidth(u32 width, bool wide, u32 vector) {
    switch (width) {
    case 2:
        if constexpr (sizeof(T) <= 2) return byAddress<S, T, std::uint16_t>(wide, vector);
        break;
    case 4:
        if constexpr (sizeof(T) <= 4) return byAddress<S, T, u32>(wide, vector);
        break;
    case 8: return byAddress<S, T, u64>(wide, vector);
    default: break;
    }
    return nullptr;
}

template <Space S> Handler byType(Type t, u32 width, bool wide, u32 vector) {
    switch (ptx::byteSize(t)) {
    case 1: return byWidth<S, std::uint8_t>(width, wide, vector);
    case 2: return byWidth<S, std::uint16_t>(width, wide, vector);
    case 4: return byWidth<S, u32>(width, wide, vector);
    case 8: return byWidth<S, u64>(width, wide, vector);
    default: return nullptr;
    }
}

} // namespace

Handler storeHandler(Space space, Type type, u32 width, bool wide, u32 vector) {
    switch (space) {
    case Space::shared: return byType<Space::shared>(type, width, wide, vector);
    case Space::local: return byType<Space::local>(type, width, wide, vector);
    default: return byType<Space::generic>(type, width, wide, vector);
    }
}

} // namespace kernelarium::emulator::KL_ISA
