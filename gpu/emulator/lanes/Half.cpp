// SPDX-License-Identifier: GPL-3.0-or-later
//
// binary16 and bfloat16, single and packed in pairs (PTX ISA, "Half Precision Floating Point Instructions").
// Computed in float32, which rounds like the format itself for one operation (24 >= 2*11+2 bits); fused
// multiply-add goes through double and rounds once.
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/Lanes.h"

#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

struct Binary16 {
    static float load(u16 bits) { return fromHalf(bits); }
    template <class T> static u16 store(T x) { return toHalf(x); }
};
struct Bfloat16 {
    static float load(u16 bits) { return fromBfloat(bits); }
    template <class T> static u16 store(T x) { return toBfloat(x); }
};

template <Op O> float compute(float a, float b) {
    if constexpr (O == Op::add)
        return a + b;
    else if constexpr (O == Op::sub)
        return a - b;
    else if constexpr (O == Op::mul)
        return a * b;
    else if constexpr (O == Op::min)
        return extremum<float, false, false>(a, b);
    else if constexpr (O == Op::max)
        return extremum<float, true, false>(a, b);
    else if constexpr (O == Op::abs)
        return std::fabs(a);
    else if constexpr (O == Op::neg)
        return -a;
    else if constexpr (O == Op::ex2)
        return std::exp2(a);
    else
        return std::tanh(a);
}

constexpr unsigned flushes = 8;

/// Of a subnormal number only the sign.
template <class Format> u16 stored(u16 bits, unsigned flags) {
    if constexpr (std::is_same_v<Format, Binary16>)
        if ((flags & flushes) && (bits & 0x7c00) == 0) return u16(bits & 0x8000);
    return bits;
}
template <class Format> float loaded(u16 bits, unsigned flags) {
    return Format::load(stored<Format>(bits, flags));
}

// ip->bits: 1 saturate, 2 relu, 4 NaN-propagating min/max, 8 subnormal float16 flushed to zero.
template <class Format, Op O> u16 one(u16 a, u16 b, unsigned flags) {
    const float x = loaded<Format>(a, flags), y = loaded<Format>(b, flags);
    if (flags == 0) return Format::store(compute<O>(x, y));
    float r = compute<O>(x, y);
    if ((flags & 4) && (x != x || y != y)) return 0x7fff;
    if (flags & 1) r = saturated(r);
    if (flags & 2) r = r > 0 ? r : 0;
    return stored<Format>(Format::store(r), flags);
}
template <class Format> u16 fused(u16 a, u16 b, u16 c, unsigned flags) {
    // The product is exact in double, and its sum with c is rounded once more only far below a half's last bit.
    double r = double(loaded<Format>(a, flags)) * double(loaded<Format>(b, flags)) + double(loaded<Format>(c, flags));
    if (flags & 1) r = saturated(r);
    if (flags & 2) r = r > 0 ? r : (r != r ? r : 0);
    return stored<Format>(Format::store(r), flags);
}

template <class Format, Op O> const Inst* single(Warp& w, const Inst* ip) {
    u16* d = at<u16>(w, ip->d);
    const u16* a = at<u16>(w, ip->a);
    const u16* b = at<u16>(w, ip->b);
    const unsigned flags = ip->bits;
    each(w, d, [=](u32 i) { return one<Format, O>(a[i], b[i], flags); });
    return ip + 1;
}
template <class Format, Op O> const Inst* packed(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const u32* a = at<u32>(w, ip->a);
    const u32* b = at<u32>(w, ip->b);
    const unsigned flags = ip->bits;
    each(w, d, [=](u32 i) {
        return u32(one<Format, O>(u16(a[i]), u16(b[i]), flags)) |
               u32(one<Format, O>(u16(a[i] >> 16), u16(b[i] >> 16), flags)) << 16;
    });
    return ip + 1;
}
template <class Format> const Inst* fusedSingle(Warp& w, const Inst* ip) {
    u16* d = at<u16>(w, ip->d);
    const u16* a = at<u16>(w, ip->a);
    const u16* b = at<u16>(w, ip->b);
    const u16* c = at<u16>(w, ip->c);
    const unsigned flags = ip->bits;
    each(w, d, [=](u32 i) { return fused<Format>(a[i], b[i], c[i], flags); });
    return ip + 1;
}
template <class Format> const Inst* fusedPacked(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const u32* a = at<u32>(w, ip->a);
    const u32* b = at<u32>(w, ip->b);
    const u32* c = at<u32>(w, ip->c);
    const unsigned flags = ip->bits;
    each(w, d, [=](u32 i) {
        return u32(fused<Format>(u16(a[i]), u16(b[i]), u16(c[i]), flags)) |
               u32(fused<Format>(u16(a[i] >> 16), u16(b[i] >> 16), u16(c[i] >> 16), flags)) << 16;
    });
    return ip + 1;
}

template <class Format> Handler pick(Op op, bool pair) {
    switch (op) {
    case Op::add: return pair ? packed<Format, Op::add> : single<Format, Op::add>;
    case Op::sub: return pair ? packed<Format, Op::sub> : single<Format, Op::sub>;
    case Op::mul: return pair ? packed<Format, Op::mul> : single<Format, Op::mul>;
    case Op::min: return pair ? packed<Format, Op::min> : single<Format, Op::min>;
    case Op::max: return pair ? packed<Format, Op::max> : single<Format, Op::max>;
    case Op::abs: return pair ? packed<Format, Op::abs> : single<Format, Op::abs>;
    case Op::neg: return pair ? packed<Format, Op::neg> : single<Format, Op::neg>;
    case Op::ex2: return pair ? packed<Format, Op::ex2> : single<Format, Op::ex2>;
    case Op::tanh: return pair ? packed<Format, Op::tanh> : single<Format, Op::tanh>;
    case Op::fma: return pair ? fusedPacked<Format> : fusedSingle<Format>;
    default: return nullptr;
    }
}

} // namespace

Handler halfHandler(const Key& k) {
    switch (k.type) {
    case Type::f16: return pick<Binary16>(k.op, false);
    case Type::f16x2: return pick<Binary16>(k.op, true);
    case Type::bf16: return pick<Bfloat16>(k.op, false);
    case Type::bf16x2: return pick<Bfloat16>(k.op, true);
    default: return nullptr;
    }
}

} // namespace kernelarium::emulator::KL_ISA
