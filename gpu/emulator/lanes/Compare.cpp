// SPDX-License-Identifier: GPL-3.0-or-later
//
// Comparison and selection (PTX ISA, "Comparison and Selection Instructions").
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/Lanes.h"

#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <Cmp C, class T> bool holds(T a, T b) {
    [[maybe_unused]] const bool unordered = a != a || b != b;
    if constexpr (C == Cmp::eq)
        return a == b;
    else if constexpr (C == Cmp::ne)
        return std::is_floating_point_v<T> ? (a < b || a > b) : a != b;
    else if constexpr (C == Cmp::lt)
        return a < b;
    else if constexpr (C == Cmp::le)
        return a <= b;
    else if constexpr (C == Cmp::gt)
        return a > b;
    else if constexpr (C == Cmp::ge)
        return a >= b;
    else if constexpr (C == Cmp::equ)
        return a == b || unordered;
    else if constexpr (C == Cmp::neu)
        return !(a == b);
    else if constexpr (C == Cmp::ltu)
        return !(a >= b);
    else if constexpr (C == Cmp::leu)
        return !(a > b);
    else if constexpr (C == Cmp::gtu)
        return !(a <= b);
    else if constexpr (C == Cmp::geu)
        return !(a < b);
    else if constexpr (C == Cmp::num)
        return !unordered;
    else
        return unordered;
}

/// Loads an operand lane as the type compared. Halves are compared as floats.
template <class T> struct Plain {
    using Stored = T;
    static T load(T x) { return x; }
};
struct FloatFtz {
    using Stored = float;
    static float load(float x) { return flush<true>(x); }
};
struct HalfLane {
    using Stored = u16;
    static float load(u16 x) { return fromHalf(x); }
};
struct BfloatLane {
    using Stored = u16;
    static float load(u16 x) { return fromBfloat(x); }
};

template <class L, Cmp C> u32 compareMask(Warp& w, const Inst* ip) {
    const auto* a = at<typename L::Stored>(w, ip->a);
    const auto* b = at<typename L::Stored>(w, ip->b);
    return maskOf([=](u32 i) { return holds<C>(L::load(a[i]), L::load(b[i])); });
}

u32 combine(Logic logic, u32 mask, u32 other) {
    switch (logic) {
    case Logic::and_: return mask & other;
    case Logic::or_: return mask | other;
    case Logic::xor_: return mask ^ other;
    default: return mask;
    }
}

// setp d|e, a, b[, [!]c]. aux: Logic; bits: 1 there is an e, 2 c is negated.
template <class L, Cmp C> const Inst* setp(Warp& w, const Inst* ip) {
    const u32 mask = compareMask<L, C>(w, ip);
    if (ip->aux == 0 && ip->bits == 0) {
        setPredicate(w, ip->d, mask);
        return ip + 1;
    }
    const auto logic = Logic(ip->aux);
    u32 other = logic == Logic::none ? 0 : predicate(w, ip->c);
    if (ip->bits & 2) other = ~other;
    const u32 first = combine(logic, mask, other);
    const u32 second = combine(logic, ~mask, other);
    setPredicate(w, ip->d, first);
    if (ip->bits & 1) setPredicate(w, ip->e, second);
    return ip + 1;
}
// set d, a, b[, [!]c]: all ones or 1.0. aux and bits as setp, and 4: d has 16 bits; imm: the value for true.
template <class L, Cmp C> const Inst* set(Warp& w, const Inst* ip) {
    const auto logic = Logic(ip->aux);
    u32 other = logic == Logic::none ? 0 : predicate(w, ip->c);
    if (ip->bits & 2) other = ~other;
    const u32 mask = combine(logic, compareMask<L, C>(w, ip), other);
    const u32 yes = u32(ip->imm);
    if (ip->bits & 4) {
        u16* d = at<u16>(w, ip->d);
        each(w, d, [=](u32 i) { return u16((mask >> i) & 1u ? yes : 0u); });
        return ip + 1;
    }
    u32* d = at<u32>(w, ip->d);
    each(w, d, [=](u32 i) { return (mask >> i) & 1u ? yes : 0u; });
    return ip + 1;
}

/// Both halves of a register.
template <class L> struct Packed {
    using Half = L;
    using Stored = u32;
};
struct LowHalf {
    static u16 of(u32 x) { return u16(x); }
};
struct HighHalf {
    static u16 of(u32 x) { return u16(x >> 16); }
};
template <class L, class Side, Cmp C> u32 halfMask(Warp& w, const Inst* ip) {
    const u32* a = at<u32>(w, ip->a);
    const u32* b = at<u32>(w, ip->b);
    return maskOf([=](u32 i) { return holds<C>(L::load(Side::of(a[i])), L::load(Side::of(b[i]))); });
}

// setp d|e, a, b[, [!]c] over pairs: d tells of the low halves, e of the high ones.
template <class L, Cmp C> const Inst* setpPair(Warp& w, const Inst* ip) {
    const auto logic = Logic(ip->aux);
    u32 other = logic == Logic::none ? 0 : predicate(w, ip->c);
    if (ip->bits & 2) other = ~other;
    const u32 low = combine(logic, halfMask<L, LowHalf, C>(w, ip), other);
    const u32 high = combine(logic, halfMask<L, HighHalf, C>(w, ip), other);
    setPredicate(w, ip->d, low);
    if (ip->bits & 1) setPredicate(w, ip->e, high);
    return ip + 1;
}
// set d, a, b[, [!]c] over pairs: imm is what a half becomes where it holds.
template <class L, Cmp C> const Inst* setPair(Warp& w, const Inst* ip) {
    const auto logic = Logic(ip->aux);
    u32 other = logic == Logic::none ? 0 : predicate(w, ip->c);
    if (ip->bits & 2) other = ~other;
    const u32 low = combine(logic, halfMask<L, LowHalf, C>(w, ip), other);
    const u32 high = combine(logic, halfMask<L, HighHalf, C>(w, ip), other);
    u32* d = at<u32>(w, ip->d);
    const u32 yes = u32(ip->imm) & 0xffff;
    each(w, d, [=](u32 i) { return ((low >> i) & 1u ? yes : 0u) | ((high >> i) & 1u ? yes << 16 : 0u); });
    return ip + 1;
}

template <class L, Cmp C> Handler oneOrPair(bool isSet) {
    if constexpr (requires { typename L::Half; })
        return isSet ? setPair<typename L::Half, C> : setpPair<typename L::Half, C>;
    else
        return isSet ? set<L, C> : setp<L, C>;
}

template <class L, bool Set> Handler byCondition(Cmp c) {
    switch (c) {
#define KL_CONDITION(name)                                                                                             \
    case Cmp::name: return oneOrPair<L, Cmp::name>(Set);
        KL_CONDITION(eq)
        KL_CONDITION(ne)
        KL_CONDITION(lt)
        KL_CONDITION(le)
        KL_CONDITION(gt)
        KL_CONDITION(ge)
        KL_CONDITION(equ)
        KL_CONDITION(neu)
        KL_CONDITION(ltu)
        KL_CONDITION(leu)
        KL_CONDITION(gtu)
        KL_CONDITION(geu)
        KL_CONDITION(num)
        KL_CONDITION(nan)
#undef KL_CONDITION
    }
    return nullptr;
}
template <class L> Handler condition(const Key& k) {
    return k.op == Op::set ? byCondition<L, true>(k.cmp) : byCondition<L, false>(k.cmp);
}

Handler compareOf(const Key& k) {
    switch (k.op == Op::set ? k.from : k.type) {
    case Type::u16:
    case Type::b16: return condition<Plain<u16>>(k);
    case Type::s16: return condition<Plain<std::int16_t>>(k);
    case Type::u32:
    case Type::b32: return condition<Plain<u32>>(k);
    case Type::s32: return condition<Plain<std::int32_t>>(k);
    case Type::u64:
    case Type::b64: return condition<Plain<u64>>(k);
    case Type::s64: return condition<Plain<std::int64_t>>(k);
    case Type::f32: return k.ftz ? condition<FloatFtz>(k) : condition<Plain<float>>(k);
    case Type::f64: return condition<Plain<double>>(k);
    case Type::f16: return condition<HalfLane>(k);
    case Type::bf16: return condition<BfloatLane>(k);
    case Type::f16x2: return k.ftz ? nullptr : condition<Packed<HalfLane>>(k);
    case Type::bf16x2: return condition<Packed<BfloatLane>>(k);
    default: return nullptr;
    }
}

template <class T> const Inst* selp(Warp& w, const Inst* ip) {
    T* d = at<T>(w, ip->d);
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const u32 mask = predicate(w, ip->c) ^ (ip->bits & 1 ? ~0u : 0u);
    each(w, d, [=](u32 i) { return (mask >> i) & 1u ? a[i] : b[i]; });
    return ip + 1;
}
template <class T, class S> const Inst* slct(Warp& w, const Inst* ip) {
    T* d = at<T>(w, ip->d);
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const S* c = at<S>(w, ip->c);
    each(w, d, [=](u32 i) { return c[i] >= S(0) ? a[i] : b[i]; });
    return ip + 1;
}
template <class T> Handler slctOf(const Key& k) {
    return k.from == Type::f32 ? slct<T, float> : slct<T, std::int32_t>;
}

// aux: Test.
template <class T> const Inst* testp(Warp& w, const Inst* ip) {
    const T* a = at<T>(w, ip->a);
    const auto test = Test(ip->aux);
    setPredicate(w, ip->d, maskOf([=](u32 i) {
                     switch (test) {
                     case Test::finite: return bool(std::isfinite(a[i]));
                     case Test::infinite: return bool(std::isinf(a[i]));
                     case Test::number: return !std::isnan(a[i]);
                     case Test::notanumber: return bool(std::isnan(a[i]));
                     case Test::normal: return std::isnormal(a[i]) || a[i] == 0; // zero counts as normal
                     case Test::subnormal: return std::fpclassify(a[i]) == FP_SUBNORMAL;
                     }
                     return false;
                 }));
    return ip + 1;
}

} // namespace

Handler compareHandler(const Key& k) {
    const std::uint32_t bytes = ptx::byteSize(k.type);
    switch (k.op) {
    case Op::setp:
    case Op::set: return compareOf(k);
    case Op::selp: return bytes == 2 ? selp<u16> : bytes == 4 ? selp<u32> : bytes == 8 ? selp<u64> : nullptr;
    case Op::slct: return bytes == 2 ? slctOf<u16>(k) : bytes == 4 ? slctOf<u32>(k) : slctOf<u64>(k);
    case Op::testp: return k.type == Type::f64 ? testp<double> : testp<float>;
    default: return nullptr;
    }
}

} // namespace kernelarium::emulator::KL_ISA
