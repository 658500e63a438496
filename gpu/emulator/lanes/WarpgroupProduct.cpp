// SPDX-License-Identifier: GPL-3.0-or-later
//
// wgmma.mma_async: a warp's 16 rows of the product. How sums are rounded is in gpu/emulator/code/WarpgroupOp.h.
#include "gpu/emulator/async/Products.h"
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/lanes/FusedTiles.h"

#include <bit>
#include <limits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr u32 rows = 16, mostColumns = 256, mostDepth = 32;

template <class T> T bitsAt(const std::byte* p) {
    T value;
    std::memcpy(&value, p, sizeof(T));
    return value;
}

/// f(element k of a row of 32 bytes, as a T) for the element type.
template <class T, class F> void withElements(Element e, F f) {
    switch (e) {
    case Element::f16: return f([](const std::byte* row, u32 k) { return T(fromHalf(bitsAt<u16>(row + 2 * k))); });
    case Element::bf16: return f([](const std::byte* row, u32 k) { return T(fromBfloat(bitsAt<u16>(row + 2 * k))); });
    case Element::tf32:
        return f([](const std::byte* row, u32 k) {
            return T(std::bit_cast<float>(bitsAt<u32>(row + 4 * k) & 0xffffe000u));
        });
    case Element::e4m3: return f([](const std::byte* row, u32 k) { return T(fromE4m3(bitsAt<u8>(row + k))); });
    case Element::e5m2: return f([](const std::byte* row, u32 k) { return T(fromE5m2(bitsAt<u8>(row + k))); });
    case Element::s8: return f([](const std::byte* row, u32 k) { return T(std::int8_t(bitsAt<u8>(row + k))); });
    default: return f([](const std::byte* row, u32 k) { return T(bitsAt<u8>(row + k)); });
    }
}

/// A from registers to rows of bytes: register r holds row lane / 4 + 8 (r % 2), 4 bytes of k from
/// 4 (lane % 4) + 16 (r / 2).
void gatherRegisters(Warp& w, const WarpgroupOp& op, std::byte* a) {
    for (u32 r = 0; r < 4; ++r) {
        const u32* words = at<u32>(w, op.aRegisters[r]);
        for (u32 lane = 0; lane < laneCount; ++lane)
            std::memcpy(a + (lane / 4 + 8 * (r % 2)) * productRowBytes + lane % 4 * 4 + r / 2 * 16, words + lane, 4);
    }
}

/// f(register, lane, element of D) for each pair of neighbouring columns of a lane.
template <class F> void eachPair(const WarpgroupOp& op, F f) {
    for (u32 pair = 0; pair < op.n / 4; ++pair)
        for (u32 lane = 0; lane < laneCount; ++lane)
            f(pair, lane, (lane / 4 + 8 * (pair % 2)) * mostColumns + pair / 2 * 8 + lane % 4 * 2);
}

template <class T> void unpack(const WarpgroupOp& op, Element e, u32 count, const std::byte* raw, T* out, bool negate) {
    withElements<T>(e, [&](auto element) {
        for (u32 r = 0; r < count; ++r)
            for (u32 k = 0; k < op.k; ++k) {
                const T x = element(raw + r * productRowBytes, k);
                out[r * mostDepth + k] = negate ? T(-x) : x;
            }
    });
}

/// D += A B, in order of k for each element.
template <class Sum, class T> void accumulate(const WarpgroupOp& op, const T* a, const T* b, Sum* c) {
    // B with its columns side by side.
    alignas(64) T columns[mostDepth * mostColumns];
    for (u32 n = 0; n < op.n; ++n)
        for (u32 k = 0; k < op.k; ++k)
            columns[k * mostColumns + n] = b[n * mostDepth + k];
    for (u32 r = 0; r < rows; ++r)
        for (u32 k = 0; k < op.k; ++k) {
            const T left = a[r * mostDepth + k];
            const T* right = columns + k * mostColumns;
            Sum* sums = c + r * mostColumns;
#pragma GCC ivdep
            for (u32 n = 0; n < op.n; ++n)
                sums[n] += Sum(left) * Sum(right[n]);
        }
}

bool keepsD(Warp& w, const WarpgroupOp& op) {
    const u32 p = predicate(w, op.scale) ^ (op.scaleNegated ? ~0u : 0u);
    return (p & w.active) != 0;
}

/// The bits of element k of a row.
u32 elementBits(Element e, const std::byte* row, u32 k) {
    switch (bitsOf(e)) {
    case 8: return bitsAt<u8>(row + k);
    case 16: return bitsAt<u16>(row + 2 * k);
    default: return bitsAt<u32>(row + 4 * k);
    }
}

/// As the hardware adds; the sums before they are rounded to float32 go to `exact`.
[[gnu::noinline]] void accumulateExactly(const WarpgroupOp& op, const std::byte* rawA, const std::byte* rawB, float* c,
                                         double* exact) {
    FusedTiles<rows, mostColumns, mostDepth> tiles;
    tiles.takeA(op.a, rows, op.k, op.negateA,
                [&](u32 r, u32 k) { return elementBits(op.a, rawA + r * productRowBytes, k); });
    tiles.takeB(op.b, op.n, op.k, op.negateB,
                [&](u32 n, u32 k) { return elementBits(op.b, rawB + n * productRowBytes, k); });
    tiles.add(op.rule, c, exact);
}

[[gnu::noinline]] void accumulateQuickly(const WarpgroupOp& op, const std::byte* rawA, const std::byte* rawB,
                                         float* c) {
    alignas(64) float a[rows * mostDepth], b[mostColumns * mostDepth];
    unpack(op, op.a, rows, rawA, a, op.negateA);
    unpack(op, op.b, op.n, rawB, b, op.negateB);
    accumulate(op, a, b, c);
}

const Inst* multiplyFloats(Warp& w, const Inst* ip) {
    const WarpgroupOp& op = w.worker->launch->code->warpgroupOps[ip->aux];
    alignas(64) std::byte rawA[rows * productRowBytes], rawB[mostColumns * productRowBytes];
    if (!beginProduct(w, ip, op, rawA, rawB)) return w.pause == Pause::stop ? nullptr : ip + 1;
    spreadUnknown(w);
    if (!op.aRegisters.empty()) gatherRegisters(w, op, rawA);
    alignas(64) float c[rows * mostColumns] = {};
    const bool half = op.d == Element::f16, exactly = w.worker->launch->options->exactSums;
    if (keepsD(w, op))
        eachPair(op, [&](u32 pair, u32 lane, u32 at0) {
            if (half) {
                const u32 word = at<u32>(w, op.result[pair])[lane];
                c[at0] = fromHalf(u16(word));
                c[at0 + 1] = fromHalf(u16(word >> 16));
            } else {
                c[at0] = at<float>(w, op.result[2 * pair])[lane];
                c[at0 + 1] = at<float>(w, op.result[2 * pair + 1])[lane];
            }
        });
    alignas(64) double exact[rows * mostColumns];
    if (exactly)
        accumulateExactly(op, rawA, rawB, c, half ? exact : nullptr);
    else
        accumulateQuickly(op, rawA, rawB, c);
    const auto halfAt = [&](u32 place) { return u32(exactly ? toHalf(exact[place]) : toHalf(c[place])); };
    eachPair(op, [&](u32 pair, u32 lane, u32 at0) {
        if (half) {
            at<u32>(w, op.result[pair])[lane] = halfAt(at0) | halfAt(at0 + 1) << 16;
        } else {
            for (u32 i = 0; i < 2; ++i) {
                const float x = c[at0 + i];
                at<u32>(w, op.result[2 * pair + i])[lane] = x != x ? 0x7fffffffu : std::bit_cast<u32>(x);
            }
        }
    });
    return ip + 1;
}

const Inst* multiplyIntegers(Warp& w, const Inst* ip) {
    const WarpgroupOp& op = w.worker->launch->code->warpgroupOps[ip->aux];
    alignas(64) std::byte rawA[rows * productRowBytes], rawB[mostColumns * productRowBytes];
    if (!beginProduct(w, ip, op, rawA, rawB)) return w.pause == Pause::stop ? nullptr : ip + 1;
    spreadUnknown(w);
    if (!op.aRegisters.empty()) gatherRegisters(w, op, rawA);
    alignas(64) i32 a[rows * mostDepth], b[mostColumns * mostDepth], c[rows * mostColumns] = {};
    unpack(op, op.a, rows, rawA, a, false);
    unpack(op, op.b, op.n, rawB, b, false);
    accumulate(op, a, b, c); // 32 products of 8 bits fit
    const bool keeps = keepsD(w, op);
    eachPair(op, [&](u32 pair, u32 lane, u32 at0) {
        for (u32 i = 0; i < 2; ++i) {
            i32& d = at<i32>(w, op.result[2 * pair + i])[lane];
            const i64 sum = i64(c[at0 + i]) + (keeps ? d : 0);
            if (op.saturate)
                d = i32(std::min<i64>(std::max<i64>(sum, std::numeric_limits<i32>::min()),
                                      std::numeric_limits<i32>::max()));
            else
                d = i32(u32(sum));
        }
    });
    return ip + 1;
}

} // namespace

Handler warpgroupHandler(const WarpgroupOp& op) {
    return isIntegral(op.a) ? multiplyIntegers : multiplyFloats;
}

} // namespace kernelarium::emulator::KL_ISA
