// SPDX-License-Identifier: GPL-3.0-or-later
//
// cvt (PTX ISA, "Data Movement and Conversion Instructions: cvt"). Sources and destinations may stand in registers
// wider than their type. Frequent pairs have a loop of their own; the others go through a common 64-bit form.
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/Lanes.h"

#include <cfenv>
#include <limits>
#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;

// Inst::bits
constexpr unsigned flagFtz = 1, flagSaturate = 2, flagRelu = 4;

template <class D, class S> struct Extend {
    static D apply(S s) { return D(s); }
};

/// Round a floating value to an integral one by the instruction's mode.
template <Rounding R, class T> T integral(T x) {
    if constexpr (R == Rounding::rzi || R == Rounding::rz)
        return std::trunc(x);
    else if constexpr (R == Rounding::rmi || R == Rounding::rm)
        return std::floor(x);
    else if constexpr (R == Rounding::rpi || R == Rounding::rp)
        return std::ceil(x);
    else
        return std::nearbyint(x);
}
/// What an H200 makes of NaN: the highest bit alone in 64-bit results and in 32-bit ones of a double, else zero.
template <class I> constexpr I integerOfNan(bool ofDouble) {
    return sizeof(I) == 8 || (ofDouble && sizeof(I) == 4) ? I(u64(1) << (8 * sizeof(I) - 1)) : I(0);
}
/// Out of range gives the nearest end.
template <class I, class F> I clampToInteger(F x, bool ofDouble = std::is_same_v<F, double>) {
    constexpr F low = F(std::numeric_limits<I>::min());
    // The largest integer may not be a floating number: compare with the power of two above it.
    constexpr F above = F(u64(1) << (std::numeric_limits<I>::digits - 1)) * F(2);
    if (x != x) return integerOfNan<I>(ofDouble);
    const F inside = x >= low ? x : low;
    return inside < above ? I(inside) : std::numeric_limits<I>::max();
}
template <class I, class F, Rounding R, bool Ftz> struct ToInteger {
    static I apply(F x) { return clampToInteger<I, F>(integral<R>(flush<Ftz>(x))); }
};

template <class I, class F, Rounding R> Handler toInteger(bool ftz) {
    return ftz ? unary<ToInteger<I, F, R, true>, I, F> : unary<ToInteger<I, F, R, false>, I, F>;
}
template <class I, class F> Handler toIntegerRounded(const Key& k) {
    switch (k.rounding) {
    case Rounding::rmi: return toInteger<I, F, Rounding::rmi>(k.ftz);
    case Rounding::rpi: return toInteger<I, F, Rounding::rpi>(k.ftz);
    case Rounding::rni: return toInteger<I, F, Rounding::rni>(k.ftz);
    default: return toInteger<I, F, Rounding::rzi>(k.ftz);
    }
}

template <class T, Rounding R> struct ToIntegral {
    static T apply(T x) { return integral<R>(x); }
};

/// Of float32 to itself, which expf() does with what it scales.
template <bool Ftz> struct Saturate {
    static float apply(float x) { return saturated(flush<Ftz>(x)); }
};

/// Everything else: load as the widest form, convert, store. aux packs the types and register widths.
struct Wide {
    bool isFloat;
    double f;
    i64 i;
    bool isUnsigned64;
    u32 bits = 0; ///< of a float32
};

Wide loadLane(const std::byte* base, Type type, u32 stride, u32 lane) {
    u64 raw = 0;
    std::memcpy(&raw, base + std::size_t(lane) * stride, stride);
    switch (type) {
    case Type::u8:
    case Type::b8: return {false, 0, i64(std::uint8_t(raw)), false};
    case Type::s8: return {false, 0, std::int8_t(raw), false};
    case Type::u16:
    case Type::b16: return {false, 0, u16(raw), false};
    case Type::s16: return {false, 0, std::int16_t(raw), false};
    case Type::u32:
    case Type::b32: return {false, 0, i64(u32(raw)), false};
    case Type::s32: return {false, 0, std::int32_t(raw), false};
    case Type::u64:
    case Type::b64: return {false, 0, i64(raw), true};
    case Type::s64: return {false, 0, i64(raw), false};
    case Type::f16: return {true, fromHalf(u16(raw)), 0, false};
    case Type::bf16: return {true, fromBfloat(u16(raw)), 0, false};
    case Type::f64: return {true, std::bit_cast<double>(raw), 0, false};
    default: return {true, std::bit_cast<float>(u32(raw)), 0, false, u32(raw)};
    }
}

double roundIntegral(double x, Rounding r) {
    switch (r) {
    case Rounding::rzi: return std::trunc(x);
    case Rounding::rmi: return std::floor(x);
    case Rounding::rpi: return std::ceil(x);
    default: return std::nearbyint(x);
    }
}

i64 toIntegerLane(const Wide& v, Type to, Type from, Rounding r, bool saturate) {
    if (v.isFloat) {
        const double x = roundIntegral(v.f, r == Rounding::none ? Rounding::rzi : r);
        const bool ofDouble = from == Type::f64;
        switch (to) {
        case Type::u8: return clampToInteger<std::uint8_t>(x, ofDouble);
        case Type::s8: return clampToInteger<std::int8_t>(x, ofDouble);
        case Type::u16: return clampToInteger<u16>(x, ofDouble);
        case Type::s16: return clampToInteger<std::int16_t>(x, ofDouble);
        case Type::u32: return clampToInteger<u32>(x, ofDouble);
        case Type::s32: return clampToInteger<std::int32_t>(x, ofDouble);
        case Type::u64: return i64(clampToInteger<u64>(x, ofDouble));
        default: return clampToInteger<i64>(x, ofDouble);
        }
    }
    if (!saturate) return v.i;
    const u32 width = 8 * ptx::byteSize(to);
    if (ptx::isSigned(to)) {
        const i64 high = width == 64 ? std::numeric_limits<i64>::max() : (i64(1) << (width - 1)) - 1;
        if (v.isUnsigned64 && v.i < 0) return high;
        return std::clamp(v.i, -high - 1, high);
    }
    if (v.i < 0 && !v.isUnsigned64) return 0;
    const u64 high = width == 64 ? ~u64(0) : (u64(1) << width) - 1;
    return i64(std::min(u64(v.i), high));
}

/// One rounding to float32 by mode, from any source.
float toFloat(const Wide& v, Rounding r) {
    const int mode = r == Rounding::rz   ? FE_TOWARDZERO
                     : r == Rounding::rm ? FE_DOWNWARD
                     : r == Rounding::rp ? FE_UPWARD
                                         : FE_TONEAREST;
    std::fesetround(mode);
    volatile double f = v.f;
    volatile i64 i = v.i;
    volatile float result;
    if (v.isFloat)
        result = float(f);
    else if (v.isUnsigned64)
        result = float(u64(i));
    else
        result = float(i);
    std::fesetround(FE_TONEAREST);
    return result;
}
double toDouble(const Wide& v, Rounding r) {
    if (v.isFloat) return v.f;
    std::fesetround(r == Rounding::rz   ? FE_TOWARDZERO
                    : r == Rounding::rm ? FE_DOWNWARD
                    : r == Rounding::rp ? FE_UPWARD
                                        : FE_TONEAREST);
    volatile i64 i = v.i;
    volatile double result;
    if (v.isUnsigned64)
        result = double(u64(i));
    else
        result = double(i);
    std::fesetround(FE_TONEAREST);
    return result;
}

/// Drops mantissa bits towards zero, for the .rz conversions to the short formats.
u16 towardsZero(float x, bool half) {
    const u16 nearest = half ? toHalf(x) : toBfloat(x);
    const float back = half ? fromHalf(nearest) : fromBfloat(nearest);
    return std::fabs(back) > std::fabs(x) && x == x ? u16(nearest - 1) : nearest;
}

u64 floatLane(const Wide& v, Type to, Rounding r, unsigned flags) {
    const bool integralMode = r == Rounding::rzi || r == Rounding::rni || r == Rounding::rmi || r == Rounding::rpi;
    Wide w = v;
    if (w.isFloat && integralMode) w.f = roundIntegral(w.f, r);
    if (w.isFloat && (flags & flagSaturate)) w.f = saturated(w.f);
    if (w.isFloat && (flags & flagRelu)) w.f = w.f > 0 ? w.f : (w.f != w.f ? w.f : 0.0);
    if (to == Type::f64) return std::bit_cast<u64>(toDouble(w, r));
    if (to == Type::f16 || to == Type::bf16) {
        const bool half = to == Type::f16;
        if (r == Rounding::rz) return towardsZero(float(w.isFloat ? w.f : double(w.i)), half);
        // An integer may need more than float's bits: double holds every 32-bit one.
        const double x = w.isFloat ? w.f : w.isUnsigned64 ? double(u64(w.i)) : double(w.i);
        return half ? toHalf(x) : toBfloat(x);
    }
    if (to == Type::tf32 && w.isFloat && w.f != w.f) return v.bits & ~0x1fffu; // as hardware: no quiet bit is set
    float f = toFloat(w, r);
    if (flags & flagFtz) f = flush<true>(f);
    if (flags & flagSaturate) f = saturated(f);
    if (to == Type::tf32) {
        auto bits = std::bit_cast<u32>(f);
        if ((bits & 0x7f800000u) != 0x7f800000u) bits += 0x1000u; // ties away
        return bits & ~0x1fffu;
    }
    return std::bit_cast<u32>(f);
}

// aux: to, from (8 bits each), register bytes of d and a (4 bits each), rounding (4 bits)
const Inst* general(Warp& w, const Inst* ip) {
    const auto to = Type(ip->aux & 0xff), from = Type(ip->aux >> 8 & 0xff);
    const u32 dBytes = ip->aux >> 16 & 0xf, aBytes = ip->aux >> 20 & 0xf;
    const auto r = Rounding(ip->aux >> 24 & 0xf);
    std::byte* d = w.base[ip->d.segment()] + ip->d.offset();
    const std::byte* a = w.base[ip->a.segment()] + ip->a.offset();
    const bool toFloating = ptx::isFloat(to);
    eachActive(w, [&](u32 lane) {
        Wide v = loadLane(a, from, aBytes, lane);
        if (v.isFloat && from == Type::f32 && (ip->bits & flagFtz)) v.f = flush<true>(float(v.f));
        u64 out;
        if (toFloating) {
            out = floatLane(v, to, r, ip->bits);
        } else {
            const i64 value = toIntegerLane(v, to, from, r, ip->bits & flagSaturate);
            const u32 width = 8 * ptx::byteSize(to);
            // Narrow results are extended by the destination type's sign.
            out = u64(value);
            if (width < 64)
                out = ptx::isSigned(to) ? u64(i64(out << (64 - width)) >> (64 - width)) : out & ((u64(1) << width) - 1);
        }
        std::memcpy(d + std::size_t(lane) * dBytes, &out, dBytes);
    });
    return ip + 1;
}

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
template <bool Half> const Inst* pairOf(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const float* a = at<float>(w, ip->a);
    const float* b = at<float>(w, ip->b);
    const unsigned flags = ip->bits;
    const bool towards = Rounding(ip->aux >> 24 & 0xf) == Rounding::rz;
    const auto one = [=](float x) -> u32 {
        if (flags & flagSaturate) x = saturated(x);
        if (flags & flagRelu) x = x > 0 ? x : (x != x ? x : 0.0f);
        if (towards) return towardsZero(x, Half);
        return Half ? toHalf(x) : toBfloat(x);
    };
    each(w, d, [=](u32 i) { return one(a[i]) << 16 | one(b[i]); });
    return ip + 1;
}

struct HalfToFloat {
    static float apply(u16 x) { return fromHalf(x); }
};
struct FloatToHalf {
    static u16 apply(float x) { return toHalf(x); }
};
struct BfloatToFloat {
    static float apply(u16 x) { return fromBfloat(x); }
};
struct FloatToBfloat {
    static u16 apply(float x) { return toBfloat(x); }
};

/// Pairs with a loop of their own; registers exactly as wide as the types.
Handler direct(const Key& k) {
    const Type d = k.type, s = k.from;
    const bool nearest = k.rounding == Rounding::none || k.rounding == Rounding::rn;
    if (!k.saturate && !k.relu) {
        if (ptx::byteSize(d) == 8 && s == Type::s32 && !ptx::isFloat(d))
            return unary<Extend<i64, std::int32_t>, i64, std::int32_t>;
        if (ptx::byteSize(d) == 8 && s == Type::u32 && !ptx::isFloat(d)) return unary<Extend<u64, u32>, u64, u32>;
        if (ptx::byteSize(d) == 4 && ptx::byteSize(s) == 8 && !ptx::isFloat(s) && !ptx::isFloat(d))
            return unary<Extend<u32, u64>, u32, u64>;
        if (d == Type::f32 && s == Type::s32 && nearest) return unary<Extend<float, std::int32_t>, float, std::int32_t>;
        if (d == Type::f32 && s == Type::u32 && nearest) return unary<Extend<float, u32>, float, u32>;
        if (d == Type::f32 && s == Type::s64 && nearest) return unary<Extend<float, i64>, float, i64>;
        if (d == Type::f64 && s == Type::s32) return unary<Extend<double, std::int32_t>, double, std::int32_t>;
        if (d == Type::f64 && s == Type::f32 && !k.ftz) return unary<Extend<double, float>, double, float>;
        if (d == Type::f32 && s == Type::f64 && nearest && !k.ftz) return unary<Extend<float, double>, float, double>;
        if (d == Type::f32 && s == Type::f16) return unary<HalfToFloat, float, u16>;
        if (d == Type::f16 && s == Type::f32 && nearest && !k.ftz) return unary<FloatToHalf, u16, float>;
        if (d == Type::f32 && s == Type::bf16) return unary<BfloatToFloat, float, u16>;
        if (d == Type::bf16 && s == Type::f32 && nearest && !k.ftz) return unary<FloatToBfloat, u16, float>;
        if (d == Type::f32 && s == Type::f32 && !k.ftz) switch (k.rounding) {
            case Rounding::rzi: return unary<ToIntegral<float, Rounding::rzi>, float, float>;
            case Rounding::rni: return unary<ToIntegral<float, Rounding::rni>, float, float>;
            case Rounding::rmi: return unary<ToIntegral<float, Rounding::rmi>, float, float>;
            case Rounding::rpi: return unary<ToIntegral<float, Rounding::rpi>, float, float>;
            default: return nullptr;
            }
    }
    if (d == Type::f32 && s == Type::f32 && k.saturate && !k.relu && nearest)
        return k.ftz ? unary<Saturate<true>, float, float> : unary<Saturate<false>, float, float>;
    if (s == Type::f32 && d == Type::s32) return toIntegerRounded<std::int32_t, float>(k);
    if (s == Type::f32 && d == Type::u32) return toIntegerRounded<u32, float>(k);
    if (s == Type::f32 && d == Type::s64) return toIntegerRounded<i64, float>(k);
    if (s == Type::f64 && d == Type::s32) return toIntegerRounded<std::int32_t, double>(k);
    return nullptr;
}

bool known(Type t) {
    return t != Type::none && t != Type::pred && t != Type::b128 && t != Type::f16x2 && t != Type::bf16x2 &&
           t != Type::e4m3x2 && t != Type::e5m2x2 && t != Type::u16x2 && t != Type::s16x2;
}

} // namespace

Handler convertHandler(const Key& k) {
    if (k.type == Type::f16x2 && k.from == Type::f32) return pairOf<true>;
    if (k.type == Type::bf16x2 && k.from == Type::f32) return pairOf<false>;
    if (Handler h = float8Handler(k)) return h;
    if (!known(k.type) || !known(k.from) || k.from == Type::tf32) return nullptr;
    const bool exact = k.destinationBytes == ptx::byteSize(k.type) && k.sourceBytes == ptx::byteSize(k.from);
    if (exact)
        if (Handler h = direct(k)) return h;
    return general;
}

} // namespace kernelarium::emulator::KL_ISA
