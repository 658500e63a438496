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

inline Opd source(const Warp& w, const Inst* ip, u32 k) {
    return ip->vector == 1 ? ip->b : w.worker->launch->code->operandLists[ip->aux][k];
}

template <class T, class W, u32 N> void transfer(Warp& w, const Inst* ip, const Region& r, const Addresses& a) {
    for (u32 k = 0; k < N; ++k) {
        const W* s = at<W>(w, source(w, ip, k));
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
            const W* s = at<W>(w, source(w, ip, k));
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

template <class T, class W, u32 N> inline void transferRow(Warp& w, const Inst* ip, const Region& r, u64 o) {
    for (u32 k = 0; k < N; ++k) {
        const W* s = at<W>(w, source(w, ip, k));
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

/// A store of all lanes, one behind the other from `o` on, that is in order; otherwise nothing is done.
template <class T, class W, u32 N> inline bool storeWholeRow(Warp& w, const Inst* ip, const Region& r, u64 o) {
    constexpr u32 bytes = sizeof(T) * N;
    if (!rowInOrder<bytes>(r, o, false, r.states ? r.writable : 0)) [[unlikely]]
        return false;
    if (r.marks.writers) {
        alignas(64) std::byte before[laneCount * bytes];
        std::memcpy(before, r.memory + o, sizeof before);
        transferRow<T, W, N>(w, ip, r, o);
        noteRowStore<bytes>(w, ip, r, o, before);
    } else {
        transferRow<T, W, N>(w, ip, r, o);
    }
    if (w.unknown) [[unlikely]] {
        Addresses a;
        spreadRow(o, false, bytes, a);
        markUnknown(w, r, a.at, bytes);
    }
    return true;
}

template <Space S, class T, class W, bool Wide, u32 N> const Inst* storeN(Warp& w, const Inst* ip) {
    constexpr u32 bytes = sizeof(T) * N;
    if constexpr (S != Space::local) {
        WholeRow row;
        if (findRow<Wide>(w, ip, bytes, row) && !row.uniform) {
            const auto store = [&](const Region& r, u64 o) { return storeWholeRow<T, W, N>(w, ip, r, o); };
            bool done;
            if constexpr (S == Space::shared)
                done = store(sharedRegion(w), row.first);
            else
                done = inWindow(w, row.first, store);
            if (done) return w.pause == Pause::stop ? nullptr : ip + 1;
        }
    }
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

template <Space S, class T, class W, bool Wide> const Inst* store(Warp& w, const Inst* ip) {
    switch (ip->vector) {
    case 1: return storeN<S, T, W, Wide, 1>(w, ip);
    case 2:
        if constexpr (sizeof(T) <= 8) return storeN<S, T, W, Wide, 2>(w, ip);
        break;
    case 4:
        if constexpr (sizeof(T) <= 4) return storeN<S, T, W, Wide, 4>(w, ip);
        break;
    default: break;
    }
    return trap(w, ip, "a vector store of this width is not supported");
}

template <Space S, class T> Handler byWidth(u32 width, bool wide) {
    switch (width) {
    case 2:
        if constexpr (sizeof(T) <= 2)
            return wide ? store<S, T, std::uint16_t, true> : store<S, T, std::uint16_t, false>;
        break;
    case 4:
        if constexpr (sizeof(T) <= 4) return wide ? store<S, T, u32, true> : store<S, T, u32, false>;
        break;
    case 8: return wide ? store<S, T, u64, true> : store<S, T, u64, false>;
    default: break;
    }
    return nullptr;
}

template <Space S> Handler byType(Type t, u32 width, bool wide) {
    switch (ptx::byteSize(t)) {
    case 1: return byWidth<S, std::uint8_t>(width, wide);
    case 2: return byWidth<S, std::uint16_t>(width, wide);
    case 4: return byWidth<S, u32>(width, wide);
    case 8: return byWidth<S, u64>(width, wide);
    default: return nullptr;
    }
}

} // namespace

Handler storeHandler(Space space, Type type, u32 width, bool wide) {
    switch (space) {
    case Space::shared: return byType<Space::shared>(type, width, wide);
    case Space::local: return byType<Space::local>(type, width, wide);
    default: return byType<Space::generic>(type, width, wide);
    }
}

} // namespace kernelarium::emulator::KL_ISA
