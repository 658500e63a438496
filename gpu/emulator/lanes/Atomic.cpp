// SPDX-License-Identifier: GPL-3.0-or-later
//
// atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions"). Lanes go one after another in
// lane order, or the other way round where the run asks for that; blocks on other threads are seen through real atomic
// operations.
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/lanes/Access.h"
#include "gpu/emulator/lanes/FloatMath.h"

#include <bit>
#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Space;
using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct HalfPair {
    u32 bits;
};
struct BfloatPair {
    u32 bits;
};
struct HalfOne {
    u16 bits;
};
struct BfloatOne {
    u16 bits;
};

template <class T> T sum(T a, T b) {
    if constexpr (std::is_same_v<T, HalfOne>)
        return {toHalf(fromHalf(a.bits) + fromHalf(b.bits))};
    else if constexpr (std::is_same_v<T, BfloatOne>)
        return {toBfloat(fromBfloat(a.bits) + fromBfloat(b.bits))};
    else if constexpr (std::is_same_v<T, HalfPair>)
        return {u32(toHalf(fromHalf(u16(a.bits)) + fromHalf(u16(b.bits)))) |
                u32(toHalf(fromHalf(u16(a.bits >> 16)) + fromHalf(u16(b.bits >> 16)))) << 16};
    else if constexpr (std::is_same_v<T, BfloatPair>)
        return {u32(toBfloat(fromBfloat(u16(a.bits)) + fromBfloat(u16(b.bits)))) |
                u32(toBfloat(fromBfloat(u16(a.bits >> 16)) + fromBfloat(u16(b.bits >> 16)))) << 16};
    else if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else
        return a + b;
}

template <AtomOp O, class T> T update(T old, T value) {
    if constexpr (O == AtomOp::add)
        return sum(old, value);
    else if constexpr (O == AtomOp::exch)
        return value;
    else if constexpr (std::is_class_v<T>)
        return value;
    else if constexpr (O == AtomOp::min)
        return old < value ? old : value;
    else if constexpr (O == AtomOp::max)
        return old > value ? old : value;
    else if constexpr (std::is_floating_point_v<T>)
        return value;
    else if constexpr (O == AtomOp::inc)
        return old >= value ? T(0) : T(old + 1);
    else if constexpr (O == AtomOp::dec)
        return old == 0 || old > value ? value : T(old - 1);
    else if constexpr (O == AtomOp::and_)
        return old & value;
    else if constexpr (O == AtomOp::or_)
        return old | value;
    else
        return old ^ value;
}

template <class T> using Bits = std::conditional_t<sizeof(T) == 2, u16, std::conditional_t<sizeof(T) == 4, u32, u64>>;

template <AtomOp O, class T> T apply(std::byte* where, T value, T swap) {
    auto* word = reinterpret_cast<Bits<T>*>(where);
    if constexpr (O == AtomOp::cas) {
        auto expected = std::bit_cast<Bits<T>>(value);
        __atomic_compare_exchange_n(word, &expected, std::bit_cast<Bits<T>>(swap), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        return std::bit_cast<T>(expected);
    } else {
        Bits<T> old = __atomic_load_n(word, __ATOMIC_RELAXED);
        while (true) {
            const auto fresh = std::bit_cast<Bits<T>>(update<O, T>(std::bit_cast<T>(old), value));
            if (__atomic_compare_exchange_n(word, &old, fresh, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) break;
        }
        return std::bit_cast<T>(old);
    }
}

template <AtomOp O, class T, bool Result> void atomicRegion(Warp& w, const Inst* ip, const Region& r, Addresses& a) {
    const u32 all = w.active;
    if (!inOrder<sizeof(T)>(w, r, a, r.states ? std::uint8_t(r.readable | r.writable) : 0))
        w.active = faultyLanes(w, ip, r, a.at, sizeof(T), AccessKind::update);
    const T* value = at<T>(w, ip->b);
    const T* swap = O == AtomOp::cas ? at<T>(w, ip->c) : value;
    T* d = Result ? at<T>(w, ip->d) : nullptr;
    const bool tracked = r.marks.writers && w.active;
    if (tracked) publishStores(w, ip, r, a.at);
    const auto one = [&](u32 i) {
        const T old = apply<O, T>(r.memory + a.at[i], value[i], swap[i]);
        if constexpr (Result) d[i] = old;
        if (r.states)
            for (u32 k = 0; k < sizeof(T); ++k)
                r.states[a.at[i] + k] |= atomicallyWritten(r);
    };
    if (w.worker->contraryLanes) [[unlikely]] {
        for (u32 m = w.active; m;) {
            const u32 i = 31 - u32(std::countl_zero(m));
            m &= ~(1u << i);
            one(i);
        }
    } else {
        eachActive(w, one);
    }
    // Without a result lanes only accumulate, which has no order but for rounding.
    if constexpr (Result || O == AtomOp::exch) w.worker->lanesTookTurns |= (w.active & (w.active - 1)) != 0;
    if (w.unknown) [[unlikely]]
        markUnknown(w, r, a.at, sizeof(T));
    if (tracked) {
        w.lanesApart = true;
        acquireLoads(w, r, a.at);
        trackAtomic(w, ip, r, a.at, sizeof(T));
    }
    w.active = all;
}

template <Space S, AtomOp O, class T, bool Result, bool Wide> const Inst* atomic(Warp& w, const Inst* ip) {
    Addresses a;
    readAddresses<Wide>(w, ip, a);
    if constexpr (S == Space::shared) {
        atomicRegion<O, T, Result>(w, ip, sharedRegion(w), a);
    } else {
        byWindow(w, ip, a, sizeof(T), true,
                 [&](const Region& r, Addresses& part) { atomicRegion<O, T, Result>(w, ip, r, part); });
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S, AtomOp O, class T> Handler form(bool result, bool wide) {
    if (wide) return result ? atomic<S, O, T, true, true> : atomic<S, O, T, false, true>;
    // Only shared memory has 32-bit addresses.
    if constexpr (S == Space::shared) return result ? atomic<S, O, T, true, false> : atomic<S, O, T, false, false>;
    return nullptr;
}

template <Space S, class T> Handler floatOps(AtomOp op, bool result, bool wide) {
    switch (op) {
    case AtomOp::add: return form<S, AtomOp::add, T>(result, wide);
    case AtomOp::exch: return form<S, AtomOp::exch, T>(result, wide);
    default: return nullptr;
    }
}
template <Space S, class T> Handler integerOps(AtomOp op, bool result, bool wide) {
    switch (op) {
    case AtomOp::add: return form<S, AtomOp::add, T>(result, wide);
    case AtomOp::min: return form<S, AtomOp::min, T>(result, wide);
    case AtomOp::max: return form<S, AtomOp::max, T>(result, wide);
    case AtomOp::exch: return form<S, AtomOp::exch, T>(result, wide);
    case AtomOp::cas: return form<S, AtomOp::cas, T>(result, wide);
    default: break;
    }
    if constexpr (std::is_unsigned_v<T>) switch (op) {
        case AtomOp::inc: return form<S, AtomOp::inc, T>(result, wide);
        case AtomOp::dec: return form<S, AtomOp::dec, T>(result, wide);
        case AtomOp::and_: return form<S, AtomOp::and_, T>(result, wide);
        case AtomOp::or_: return form<S, AtomOp::or_, T>(result, wide);
        case AtomOp::xor_: return form<S, AtomOp::xor_, T>(result, wide);
        default: break;
        }
    return nullptr;
}

template <Space S> Handler byType(Type t, AtomOp op, bool result, bool wide) {
    switch (t) {
    case Type::u32:
    case Type::b32: return integerOps<S, u32>(op, result, wide);
    case Type::s32: return integerOps<S, std::int32_t>(op, result, wide);
    case Type::u64:
    case Type::b64: return integerOps<S, u64>(op, result, wide);
    case Type::s64: return integerOps<S, std::int64_t>(op, result, wide);
    case Type::f32: return floatOps<S, float>(op, result, wide);
    case Type::f64: return floatOps<S, double>(op, result, wide);
    case Type::f16x2: return op == AtomOp::add ? form<S, AtomOp::add, HalfPair>(result, wide) : nullptr;
    case Type::bf16x2: return op == AtomOp::add ? form<S, AtomOp::add, BfloatPair>(result, wide) : nullptr;
    case Type::f16: return op == AtomOp::add ? form<S, AtomOp::add, HalfOne>(result, wide) : nullptr;
    case Type::bf16: return op == AtomOp::add ? form<S, AtomOp::add, BfloatOne>(result, wide) : nullptr;
    case Type::b16: return op == AtomOp::cas ? form<S, AtomOp::cas, u16>(result, wide) : nullptr;
    default: return nullptr;
    }
}

} // namespace

Handler atomicHandler(Space space, Type type, AtomOp op, bool wantsResult, bool wide) {
    return space == Space::shared ? byType<Space::shared>(type, op, wantsResult, wide)
                                  : byType<Space::generic>(type, op, wantsResult, wide);
}

} // namespace kernelarium::emulator::KL_ISA
