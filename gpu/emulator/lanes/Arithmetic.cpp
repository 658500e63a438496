// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic").
// Signed operations compute in the unsigned type: overflow wraps.
#include "gpu/emulator/lanes/Lanes.h"

#include <limits>
#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>>>;
// 16-bit products would be computed in int and could overflow it.
template <class T> using Product = std::conditional_t<sizeof(T) == 2, std::uint32_t, Unsigned<T>>;

template <class T> struct Add {
    static T apply(T a, T b) { return T(Unsigned<T>(a) + Unsigned<T>(b)); }
};
template <class T> struct AddSaturate {
    static T apply(T a, T b) {
        const Wide<T> sum = Wide<T>(a) + Wide<T>(b);
        return T(sum > std::numeric_limits<T>::max()   ? std::numeric_limits<T>::max()
                 : sum < std::numeric_limits<T>::min() ? std::numeric_limits<T>::min()
                                                       : sum);
    }
};
template <class T> struct Sub {
    static T apply(T a, T b) { return T(Unsigned<T>(a) - Unsigned<T>(b)); }
};
template <class T> struct SubSaturate {
    static T apply(T a, T b) {
        const Wide<T> sum = Wide<T>(a) - Wide<T>(b);
        return T(sum > std::numeric_limits<T>::max()   ? std::numeric_limits<T>::max()
                 : sum < std::numeric_limits<T>::min() ? std::numeric_limits<T>::min()
                                                       : sum);
    }
};
template <class T> struct MulLo {
    static T apply(T a, T b) { return T(Product<T>(a) * Product<T>(b)); }
};
template <class T> struct MulHi {
    static T apply(T a, T b) { return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))); }
};
template <class T> struct MulWide {
    static Wide<T> apply(T a, T b) { return Wide<T>(a) * Wide<T>(b); }
};
template <class T> struct MadLo {
    static T apply(T a, T b, T c) { return T(Product<T>(a) * Product<T>(b) + Product<T>(c)); }
};
template <class T> struct MadHi {
    static T apply(T a, T b, T c) { return T(Unsigned<T>(MulHi<T>::apply(a, b)) + Unsigned<T>(c)); }
};
template <class T> struct MadWide {
    using W = std::make_unsigned_t<std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>>;
    static W apply(T a, T b, W c) { return W(W(Wide<T>(a) * Wide<T>(b)) + c); }
};
template <class T> struct Sad {
    static T apply(T a, T b, T c) {
        return T(Unsigned<T>(c) + (a > b ? Unsigned<T>(a) - Unsigned<T>(b) : Unsigned<T>(b) - Unsigned<T>(a)));
    }
};
/// a / b rounded to zero; b is neither 0 nor, with signs, -1. Processors divide vectors of floats and none of integers.
/// Of 32 bits float64 gives the very quotient: one that is no integer is 1/b away from the next, and its rounding error
/// is at most a/b * 2^-53, which is less than 2^-20 of that.
template <class T> inline T quotient(T a, T b) {
    if constexpr (sizeof(T) == 4)
        return T(double(a) / double(b));
    else
        return T(a / b);
}
/// What is not to be divided by, replaced; both branches of a choice are computed where lanes are.
template <class T> inline T divisor(T b) {
    return b == 0 || (std::is_signed_v<T> && b == T(-1)) ? T(1) : b;
}
// Division by zero gives all ones on the hardware; the most negative number by -1 wraps.
template <class T> struct Div {
    static T apply(T a, T b) {
        const T q = quotient(a, divisor(b));
        const T negated = T(Unsigned<T>(0) - Unsigned<T>(a));
        const T regular = std::is_signed_v<T> && b == T(-1) ? negated : q;
        return b == 0 ? T(~Unsigned<T>(0)) : regular;
    }
};
template <class T> struct Rem {
    static T apply(T a, T b) {
        const T by = divisor(b);
        const T rest = T(Product<T>(a) - Product<T>(Product<T>(quotient(a, by)) * Product<T>(by)));
        return b == 0 ? T(-1) : rest; // by 0: undefined by the PTX ISA; what an H200 gives
    }
};
template <class T> struct Abs {
    static T apply(T a) { return a < 0 ? T(Unsigned<T>(0) - Unsigned<T>(a)) : a; }
};
template <class T> struct Neg {
    static T apply(T a) { return T(Unsigned<T>(0) - Unsigned<T>(a)); }
};
template <class T> struct Min {
    static T apply(T a, T b) { return a < b ? a : b; }
};
template <class T> struct Max {
    static T apply(T a, T b) { return a > b ? a : b; }
};
template <class T> struct Mul24 {
    static T apply(T a, T b) {
        using W = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        const auto low = [](T v) {
            return std::is_signed_v<T> ? W(std::int32_t(std::uint32_t(v) << 8) >> 8) : W(std::uint32_t(v) & 0xffffffu);
        };
        return T(std::uint64_t(low(a) * low(b)));
    }
};
template <class T> struct Mad24 {
    static T apply(T a, T b, T c) { return T(Unsigned<T>(Mul24<T>::apply(a, b)) + Unsigned<T>(c)); }
};

// dp4a / dp2a: a's and b's signedness in flag bits 0 and 1, dp2a's .hi in bit 2.
template <bool ASigned, bool BSigned> struct Dp4a {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (int k = 0; k < 4; ++k) {
            const int x = ASigned ? int(std::int8_t(a >> (8 * k))) : int(std::uint8_t(a >> (8 * k)));
            const int y = BSigned ? int(std::int8_t(b >> (8 * k))) : int(std::uint8_t(b >> (8 * k)));
            c += std::uint32_t(x * y);
        }
        return c;
    }
};

/// Two halves of a, and the lower or upper two bytes of b.
template <bool ASigned, bool BSigned, bool High> struct Dp2a {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (int k = 0; k < 2; ++k) {
            const int x = ASigned ? int(std::int16_t(a >> (16 * k))) : int(std::uint16_t(a >> (16 * k)));
            const int shift = 8 * k + (High ? 16 : 0);
            const int y = BSigned ? int(std::int8_t(b >> shift)) : int(std::uint8_t(b >> shift));
            c += std::uint32_t(x * y);
        }
        return c;
    }
};

template <bool ASigned, bool BSigned> Handler dp2a(bool high) {
    using W = std::uint32_t;
    return high ? ternary<Dp2a<ASigned, BSigned, true>, W, W, W, W>
                : ternary<Dp2a<ASigned, BSigned, false>, W, W, W, W>;
}

template <template <class> class F, class T> Handler two() {
    return binary<F<T>, T, T, T>;
}
template <template <class> class F, class T> Handler three() {
    return ternary<F<T>, T, T, T, T>;
}

template <template <class> class F> Handler twoAny(Type t) {
    switch (t) {
    case Type::u16:
    case Type::b16: return two<F, std::uint16_t>();
    case Type::s16: return two<F, std::int16_t>();
    case Type::u32:
    case Type::b32: return two<F, std::uint32_t>();
    case Type::s32: return two<F, std::int32_t>();
    case Type::u64:
    case Type::b64: return two<F, std::uint64_t>();
    case Type::s64: return two<F, std::int64_t>();
    default: return nullptr;
    }
}
/// The device goes on after a division by zero, or of the most negative number by -1; a CPU, on which host code runs,
/// does not.
template <template <class> class F, class T> const Inst* division(Warp& w, const Inst* ip) {
    if (w.worker->hostOwner && (w.active & 1u) && *at<T>(w, ip->b) == 0) return trapDivisionByZero(w, ip);
    if constexpr (std::is_signed_v<T> && sizeof(T) >= 4) // shorter ones are divided as int
        if (w.worker->hostOwner && (w.active & 1u) && *at<T>(w, ip->b) == T(-1) &&
            *at<T>(w, ip->a) == std::numeric_limits<T>::min())
            return trapDivisionOverflow(w, ip);
    return binary<F<T>, T, T, T>(w, ip);
}
template <template <class> class F> Handler divisionAny(Type t) {
    switch (t) {
    case Type::u16:
    case Type::b16: return division<F, std::uint16_t>;
    case Type::s16: return division<F, std::int16_t>;
    case Type::u32:
    case Type::b32: return division<F, std::uint32_t>;
    case Type::s32: return division<F, std::int32_t>;
    case Type::u64:
    case Type::b64: return division<F, std::uint64_t>;
    case Type::s64: return division<F, std::int64_t>;
    default: return nullptr;
    }
}

template <template <class> class F> Handler threeAny(Type t) {
    switch (t) {
    case Type::u16: return three<F, std::uint16_t>();
    case Type::s16: return three<F, std::int16_t>();
    case Type::u32: return three<F, std::uint32_t>();
    case Type::s32: return three<F, std::int32_t>();
    case Type::u64: return three<F, std::uint64_t>();
    case Type::s64: return three<F, std::int64_t>();
    default: return nullptr;
    }
}
template <template <class> class F> Handler oneSigned(Type t) {
    switch (t) {
    case Type::s16: return unary<F<std::int16_t>, std::int16_t, std::int16_t>;
    case Type::s32: return unary<F<std::int32_t>, std::int32_t, std::int32_t>;
    case Type::s64: return unary<F<std::int64_t>, std::int64_t, std::int64_t>;
    default: return nullptr;
    }
}

template <class T> const Inst* mulWideOf(Warp& w, const Inst* ip) {
    using W = std::conditional_t<sizeof(T) == 2, Wide<T>,
                                 std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
    return binary<MulWide<T>, W, T, T>(w, ip);
}
template <class T> const Inst* madWideOf(Warp& w, const Inst* ip) {
    using W = typename MadWide<T>::W;
    return ternary<MadWide<T>, W, T, T, W>(w, ip);
}

/// add, sub and mad with the condition code register. Flag bit 0: reads it, bit 1: writes it. As in hardware, a
/// subtraction keeps the opposite of its borrow there, which shows where a chain mixes the two.
template <class T, class F> const Inst* carry(Warp& w, const Inst* ip, F f) {
    T* d = at<T>(w, ip->d);
    std::uint32_t out = w.carry;
    eachActive(w, [&](std::uint32_t i) {
        const bool in = (ip->bits & 1) && ((w.carry >> i) & 1u);
        bool overflow = false;
        d[i] = f(i, in, overflow);
        if (ip->bits & 2) out = (out & ~(1u << i)) | (std::uint32_t(overflow) << i);
    });
    w.carry = out;
    return ip + 1;
}
template <class T> const Inst* addCarryOf(Warp& w, const Inst* ip) {
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    return carry<T>(w, ip, [=](std::uint32_t i, bool in, bool& out) {
        T sum;
        const bool first = __builtin_add_overflow(a[i], b[i], &sum);
        out = __builtin_add_overflow(sum, T(in), &sum) || first;
        return sum;
    });
}
template <class T> const Inst* subCarryOf(Warp& w, const Inst* ip) {
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const bool reads = ip->bits & 1;
    return carry<T>(w, ip, [=](std::uint32_t i, bool in, bool& out) {
        T difference;
        const bool first = __builtin_sub_overflow(a[i], b[i], &difference);
        const bool borrow = __builtin_sub_overflow(difference, T(reads && !in), &difference) || first;
        out = !borrow;
        return difference;
    });
}
template <class T, bool High> const Inst* madCarryOf(Warp& w, const Inst* ip) {
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const T* c = at<T>(w, ip->c);
    using U = Unsigned<T>;
    return carry<T>(w, ip, [=](std::uint32_t i, bool in, bool& out) {
        const U product = High ? U(MulHi<T>::apply(a[i], b[i])) : U(MulLo<T>::apply(a[i], b[i]));
        U sum;
        const bool first = __builtin_add_overflow(product, U(c[i]), &sum);
        out = __builtin_add_overflow(sum, U(in), &sum) || first;
        return T(sum);
    });
}

Handler carryHandler(const Key& k) {
    const bool wide = k.type == Type::u64 || k.type == Type::s64 || k.type == Type::b64;
    switch (k.op) {
    case Op::addCarry: return wide ? addCarryOf<std::uint64_t> : addCarryOf<std::uint32_t>;
    case Op::subCarry: return wide ? subCarryOf<std::uint64_t> : subCarryOf<std::uint32_t>;
    case Op::madLoCarry: return wide ? madCarryOf<std::uint64_t, false> : madCarryOf<std::uint32_t, false>;
    case Op::madHiCarry:
        if (k.type == Type::s32) return madCarryOf<std::int32_t, true>;
        if (k.type == Type::s64) return madCarryOf<std::int64_t, true>;
        return wide ? madCarryOf<std::uint64_t, true> : madCarryOf<std::uint32_t, true>;
    default: return nullptr;
    }
}

Handler wideHandler(const Key& k) {
    const bool mad = k.op == Op::madWide;
    switch (k.type) {
    case Type::u16: return mad ? madWideOf<std::uint16_t> : mulWideOf<std::uint16_t>;
    case Type::s16: return mad ? madWideOf<std::int16_t> : mulWideOf<std::int16_t>;
    case Type::u32: return mad ? madWideOf<std::uint32_t> : mulWideOf<std::uint32_t>;
    case Type::s32: return mad ? madWideOf<std::int32_t> : mulWideOf<std::int32_t>;
    default: return nullptr;
    }
}

} // namespace

Handler arithmeticHandler(const Key& k) {
    switch (k.op) {
    case Op::add:
        if (k.saturate) return k.type == Type::s32 ? two<AddSaturate, std::int32_t>() : nullptr;
        return twoAny<Add>(k.type);
    case Op::sub:
        if (k.saturate) return k.type == Type::s32 ? two<SubSaturate, std::int32_t>() : nullptr;
        return twoAny<Sub>(k.type);
    case Op::mulLo: return twoAny<MulLo>(k.type);
    case Op::mulHi: return twoAny<MulHi>(k.type);
    case Op::mulWide:
    case Op::madWide: return wideHandler(k);
    case Op::madLo: return threeAny<MadLo>(k.type);
    case Op::madHi: return k.saturate ? nullptr : threeAny<MadHi>(k.type);
    case Op::sad: return threeAny<Sad>(k.type);
    case Op::div: return divisionAny<Div>(k.type);
    case Op::rem: return divisionAny<Rem>(k.type);
    case Op::abs: return oneSigned<Abs>(k.type);
    case Op::neg: return oneSigned<Neg>(k.type);
    case Op::min: return twoAny<Min>(k.type);
    case Op::max: return twoAny<Max>(k.type);
    case Op::mul24: return k.type == Type::s32 ? two<Mul24, std::int32_t>() : two<Mul24, std::uint32_t>();
    case Op::mad24: return k.type == Type::s32 ? three<Mad24, std::int32_t>() : three<Mad24, std::uint32_t>();
    case Op::dp2a:
        if (ptx::isSigned(k.type))
            return ptx::isSigned(k.from) ? dp2a<true, true>(k.upperHalf) : dp2a<true, false>(k.upperHalf);
        return ptx::isSigned(k.from) ? dp2a<false, true>(k.upperHalf) : dp2a<false, false>(k.upperHalf);
    case Op::dp4a: {
        using U = std::uint32_t;
        const bool b = k.from == Type::s32;
        if (k.type == Type::s32)
            return b ? ternary<Dp4a<true, true>, U, U, U, U> : ternary<Dp4a<true, false>, U, U, U, U>;
        return b ? ternary<Dp4a<false, true>, U, U, U, U> : ternary<Dp4a<false, false>, U, U, U, U>;
    }
    case Op::addCarry:
    case Op::subCarry:
    case Op::madLoCarry:
    case Op::madHiCarry: return carryHandler(k);
    default: return nullptr;
    }
}

} // namespace kernelarium::emulator::KL_ISA
