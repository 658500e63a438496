// SPDX-License-Identifier: GPL-3.0-or-later
//
// ld in every space (PTX ISA, "Data Movement and Conversion Instructions: ld").
#include "gpu/emulator/lanes/WholeRow.h"

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Space;
using ptx::Type;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Element k of the vector of n goes to its own register.
inline Opd destination(const Warp& w, const Inst* ip, u32 k, u32 n) {
    return n == 1 ? ip->d : w.worker->launch->code->operandLists[ip->aux][k];
}

/// T in memory, W in the register; integers are extended by T's sign.
template <class T, class W, u32 N> void transfer(Warp& w, const Inst* ip, const Region& r, const Addresses& a) {
    for (u32 k = 0; k < N; ++k) {
        const Opd target = destination(w, ip, k, N);
        if (target.value == ~0u) continue;
        W* d = at<W>(w, target);
        const std::byte* memory = r.memory + k * sizeof(T);
        if (a.uniform) {
            T value;
            std::memcpy(&value, memory + a.at[__builtin_ctz(w.active)], sizeof(T));
            each(w, d, [=](u32) { return W(value); });
        } else if (a.contiguous && whole(w)) {
            const std::byte* start = memory + a.at[0];
            for (u32 i = 0; i < laneCount; ++i) {
                T value;
                std::memcpy(&value, start + u64(i) * N * sizeof(T), sizeof(T));
                d[i] = W(value);
            }
        } else {
            eachActive(w, [&](u32 i) {
                T value;
                std::memcpy(&value, memory + a.at[i], sizeof(T));
                d[i] = W(value);
            });
        }
    }
}

/// What a lane gets that may not read: the poison, so that nothing right comes of it.
template <class W, u32 N> void poison(Warp& w, const Inst* ip, u32 lanes) {
    const u32 p = w.worker->launch->options->poison;
    for (u32 k = 0; k < N; ++k) {
        const Opd target = destination(w, ip, k, N);
        if (target.value == ~0u) continue;
        W* d = at<W>(w, target);
        for (u32 m = lanes; m; m &= m - 1)
            d[__builtin_ctz(m)] = W(sizeof(W) == 8 ? u64(p) << 32 | p : p);
    }
}

template <class T, class W, u32 N> void loadRegion(Warp& w, const Inst* ip, const Region& r, Addresses& a) {
    constexpr u32 bytes = sizeof(T) * N;
    if (inOrder<bytes>(w, r, a, r.states ? r.readable : 0)) [[likely]] {
        transfer<T, W, N>(w, ip, r, a);
        if (r.marks.writers) noteLoad<bytes>(w, ip, r, a);
        return;
    }
    const u32 all = w.active;
    w.active = faultyLanes(w, ip, r, a.at, bytes, AccessKind::load);
    poison<W, N>(w, ip, all & ~w.active);
    if (w.active) {
        a.contiguous = false;
        transfer<T, W, N>(w, ip, r, a);
        if (r.marks.writers) noteLoad<bytes>(w, ip, r, a);
    }
    w.active = all;
}

/// From all lanes' places: the same for each, or one behind the other.
template <class T, class W, u32 N>
[[gnu::always_inline]] inline void transferRow(Warp& w, const Inst* ip, const std::byte* memory, bool uniform) {
    for (u32 k = 0; k < N; ++k) {
        const Opd target = destination(w, ip, k, N);
        if (target.value == ~0u) continue;
        W* d = at<W>(w, target);
        const std::byte* start = memory + k * sizeof(T);
        if (uniform) {
            T value;
            std::memcpy(&value, start, sizeof(T));
            for (u32 i = 0; i < laneCount; ++i)
                d[i] = W(value);
        } else {
#pragma GCC ivdep
            for (u32 i = 0; i < laneCount; ++i) {
                T value;
                std::memcpy(&value, start + u64(i) * N * sizeof(T), sizeof(T));
                d[i] = W(value);
            }
        }
    }
}

/// A load of all lanes at `o` that is in order; otherwise nothing is done.
template <class T, class W, u32 N>
[[gnu::always_inline]] inline bool loadWholeRow(Warp& w, const Inst* ip, const Region& r, u64 o, bool uniform) {
    constexpr u32 bytes = sizeof(T) * N;
    if (!rowInOrder<bytes>(r, o, uniform, r.states ? r.readable : 0)) [[unlikely]]
        return false;
    if (!uniform) fetchNextRow<false, bytes>(r, o);
    transferRow<T, W, N>(w, ip, r.memory + o, uniform);
    if (r.marks.writers) noteRowLoad<bytes>(w, ip, r, o, uniform);
    return true;
}

/// A load of whatever lanes from wherever they read; apart from that of a whole row, which needs no room on the stack.
template <Space S, class T, class W, bool Wide, u32 N> [[gnu::noinline]] const Inst* loadAny(Warp& w, const Inst* ip) {
    constexpr u32 bytes = sizeof(T) * N;
    Addresses a;
    readAddresses<Wide>(w, ip, a);
    if constexpr (S == Space::shared) {
        classify(w, a, bytes);
        loadRegion<T, W, N>(w, ip, sharedRegion(w), a);
    } else if constexpr (S == Space::local) {
        spreadLocal(w, a, bytes);
        loadRegion<T, W, N>(w, ip, localRegion(w), a);
    } else {
        // Perhaps it waits for what another warp or block will store: after some of these they get their turn.
        constexpr std::int64_t asManyInstructions = 1 << 14;
        if (ip->bits & addressing::strong) {
            w.fuel -= asManyInstructions;
            w.reserve -= asManyInstructions;
        }
        classify(w, a, bytes);
        byWindow(w, ip, a, bytes, false,
                 [&](const Region& r, Addresses& part) { loadRegion<T, W, N>(w, ip, r, part); });
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S, class T, class W, bool Wide, u32 N> const Inst* load(Warp& w, const Inst* ip) {
    constexpr u32 bytes = sizeof(T) * N;
    if constexpr (S != Space::local) {
        WholeRow row;
        if (findRow<Wide, bytes>(w, ip, row)) {
            const auto one = [&](const Region& r, u64 o) __attribute__((always_inline)) {
                return loadWholeRow<T, W, N>(w, ip, r, o, row.uniform);
            };
            bool done;
            if constexpr (S == Space::shared)
                done = one(sharedRegion(w), row.first);
            else
                done = inWindow(w, row.first, one);
            if (done) return w.pause == Pause::stop ? nullptr : ip + 1;
        }
    }
    return loadAny<S, T, W, Wide, N>(w, ip);
}

const Inst* tooLong(Warp& w, const Inst* ip) {
    return trap(w, ip, "a vector load of this width is not supported");
}

/// Kernel parameters: the same for every lane. Wide: the address may come from a register.
template <class T, class W> const Inst* loadParameter(Warp& w, const Inst* ip) {
    const Worker& worker = *w.worker;
    const auto place = u64(ip->imm);
    if ((ip->bits & noBase) && ip->vector == 1 && ip->d.value != ~0u && place < worker.parameterBytes &&
        sizeof(T) <= worker.parameterBytes - place) [[likely]] {
        T value;
        std::memcpy(&value, worker.parameters + place, sizeof(T));
        each(w, at<W>(w, ip->d), [=](u32) { return W(value); });
        return ip + 1;
    }
    for (u32 k = 0; k < ip->vector; ++k) {
        const Opd target = destination(w, ip, k, ip->vector);
        if (target.value == ~0u) continue;
        W* d = at<W>(w, target);
        const u64 inner = k * sizeof(T);
        bool outside = false;
        const auto fetch = [&](u64 offset) {
            T value{};
            if (offset > worker.parameterBytes || sizeof(T) > worker.parameterBytes - offset)
                outside = true;
            else
                std::memcpy(&value, worker.parameters + offset, sizeof(T));
            return W(value);
        };
        if (ip->bits & noBase) {
            const W value = fetch(u64(ip->imm) + inner);
            each(w, d, [=](u32) { return value; });
        } else {
            const u64* address = at<u64>(w, ip->a);
            eachActive(w, [&](u32 i) {
                d[i] = fetch(((address[i] + u64(ip->imm)) & ((u64(1) << window::shift) - 1)) + inner);
            });
        }
        if (outside) reportFault(w, ip, w.active, "out_of_bounds", "A read past the kernel's parameters.", true);
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S, class T, class W, bool Wide> Handler byLength(u32 vector) {
    switch (vector) {
    case 1: return load<S, T, W, Wide, 1>;
    case 2:
        if constexpr (sizeof(T) <= 8) return load<S, T, W, Wide, 2>;
        break;
    case 4:
        if constexpr (sizeof(T) <= 4) return load<S, T, W, Wide, 4>;
        break;
    default: break;
    }
    return tooLong;
}

/// How an address is given, and how many elements are at it.
struct Shape {
    bool wide;
    u32 vector;
};

template <Space S, class T, class W> Handler byAddress(Shape shape) {
    if constexpr (S == Space::param)
        return loadParameter<T, W>;
    else
        return shape.wide ? byLength<S, T, W, true>(shape.vector) : byLength<S, T, W, false>(shape.vector);
}

template <Space S> Handler byType(Type t, u32 width, Shape shape) {
    switch (t) {
    case Type::u8:
    case Type::b8:
    case Type::pred:
        return width == 2   ? byAddress<S, std::uint8_t, std::uint16_t>(shape)
               : width == 4 ? byAddress<S, std::uint8_t, u32>(shape)
                            : byAddress<S, std::uint8_t, u64>(shape);
    case Type::s8:
        return width == 2   ? byAddress<S, std::int8_t, std::uint16_t>(shape)
               : width == 4 ? byAddress<S, std::int8_t, u32>(shape)
                            : byAddress<S, std::int8_t, u64>(shape);
    case Type::u16:
    case Type::b16:
    case Type::f16:
    case Type::bf16:
        return width == 2   ? byAddress<S, std::uint16_t, std::uint16_t>(shape)
               : width == 4 ? byAddress<S, std::uint16_t, u32>(shape)
                            : byAddress<S, std::uint16_t, u64>(shape);
    case Type::s16:
        return width == 2   ? byAddress<S, std::int16_t, std::uint16_t>(shape)
               : width == 4 ? byAddress<S, std::int16_t, u32>(shape)
                            : byAddress<S, std::int16_t, u64>(shape);
    case Type::u32:
    case Type::b32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2:
        return width == 4 ? byAddress<S, u32, u32>(shape) : width == 8 ? byAddress<S, u32, u64>(shape) : nullptr;
    case Type::s32:
        return width == 4   ? byAddress<S, std::int32_t, u32>(shape)
               : width == 8 ? byAddress<S, std::int32_t, u64>(shape)
                            : nullptr;
    case Type::u64:
    case Type::b64:
    case Type::s64:
    case Type::f64: return width == 8 ? byAddress<S, u64, u64>(shape) : nullptr;
    default: return nullptr;
    }
}

} // namespace

Handler loadHandler(Space space, Type type, u32 width, bool wide, u32 vector) {
    const Shape shape{wide, vector};
    switch (space) {
    case Space::shared: return byType<Space::shared>(type, width, shape);
    case Space::local: return byType<Space::local>(type, width, shape);
    case Space::param: return byType<Space::param>(type, width, shape);
    default: return byType<Space::generic>(type, width, shape);
    }
}

} // namespace kernelarium::emulator::KL_ISA
