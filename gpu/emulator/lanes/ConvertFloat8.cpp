// SPDX-License-Identifier: GPL-3.0-or-later
//
// cvt between pairs of 8-bit floats and float32 or float16 (PTX ISA, "Data Movement and Conversion
// Instructions: cvt").
#include "gpu/emulator/lanes/Float8.h"
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/Lanes.h"

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

constexpr unsigned reluBit = 4; ///< of Inst::bits, as in cvt elsewhere

template <bool Four> u8 narrow(float x, bool relu) {
    if (relu && x <= 0) x = 0; // of minus zero, too
    return Four ? toE4m3(x) : toE5m2(x);
}

/// a goes into the upper byte.
template <bool Four> const Inst* fromFloats(Warp& w, const Inst* ip) {
    const float *a = at<float>(w, ip->a), *b = at<float>(w, ip->b);
    u16* d = at<u16>(w, ip->d);
    const bool relu = (ip->bits & reluBit) != 0;
    eachActive(w, [&](u32 i) { d[i] = u16(narrow<Four>(a[i], relu) << 8 | narrow<Four>(b[i], relu)); });
    return ip + 1;
}

template <bool Four> const Inst* fromHalves(Warp& w, const Inst* ip) {
    const u32* a = at<u32>(w, ip->a);
    u16* d = at<u16>(w, ip->d);
    const bool relu = (ip->bits & reluBit) != 0;
    eachActive(w, [&](u32 i) {
        d[i] = u16(narrow<Four>(fromHalf(u16(a[i] >> 16)), relu) << 8 | narrow<Four>(fromHalf(u16(a[i])), relu));
    });
    return ip + 1;
}

template <bool Four> const Inst* toHalves(Warp& w, const Inst* ip) {
    const u16* a = at<u16>(w, ip->a);
    u32* d = at<u32>(w, ip->d);
    const bool relu = (ip->bits & reluBit) != 0;
    const auto wide = [=](u8 bits) -> u32 {
        const float x = Four ? fromE4m3(bits) : fromE5m2(bits);
        return toHalf(relu && x <= 0 ? 0.0f : x);
    };
    eachActive(w, [&](u32 i) { d[i] = wide(u8(a[i] >> 8)) << 16 | wide(u8(a[i])); });
    return ip + 1;
}

template <bool Four> Handler byOther(Type other, bool narrows, const Key& k) {
    // Only .satfinite exists for narrowing; the register of a pair has 16 bits.
    if (narrows && k.destinationBytes != 2) return nullptr;
    if (!narrows) return other == Type::f16x2 && k.sourceBytes == 2 ? toHalves<Four> : nullptr;
    return other == Type::f32 ? fromFloats<Four> : other == Type::f16x2 ? fromHalves<Four> : nullptr;
}

} // namespace

Handler float8Handler(const Key& k) {
    if (k.type == Type::e4m3x2) return byOther<true>(k.from, true, k);
    if (k.type == Type::e5m2x2) return byOther<false>(k.from, true, k);
    if (k.from == Type::e4m3x2) return byOther<true>(k.type, false, k);
    if (k.from == Type::e5m2x2) return byOther<false>(k.type, false, k);
    return nullptr;
}

} // namespace kernelarium::emulator::KL_ISA
