// SPDX-License-Identifier: GPL-3.0-or-later
//
// wgmma.mma_async: a warp's 16 rows of the product. How sums are rounded is in gpu/emulator/code/WarpgroupOp.h.
#include "gpu/emulator/async/Products.h"
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/lanes/FusedTiles.h"
#include "gpu/emulator/lanes/WideWords.h"

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

/// The numbers of a row of 32 bytes.
void widen(Element e, u32 depth, bool negate, const std::byte* raw, float* row) {
#if defined(__F16C__)
    if (e == Element::f16) {
        const __m256 sign = _mm256_set1_ps(negate ? -0.0f : 0.0f);
        for (u32 k = 0; k < 16; k += 8)
            _mm256_storeu_ps(
                row + k,
                _mm256_xor_ps(sign, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(raw + 2 * k)))));
        return;
    }
#endif
    withElements<float>(e, [&](auto element) {
        for (u32 k = 0; k < depth; ++k) {
            const float x = element(raw, k);
            row[k] = negate ? -x : x;
        }
    });
}

/// One number for each lane of each register of D, which holds 8 rows of every second column of 8.
using LaneSums = float[mostColumns / 2][laneCount];

/// The factors of a group of columns, as two registers of D want them: of each k the even columns, then the odd ones.
/// The warps of a warpgroup mostly have the same ones; the bytes tell.
class ColumnFactors {
public:
    const float* of(const WarpgroupOp& op, const std::byte* raw) {
        const std::size_t bytes = std::size_t(op.n) * productRowBytes;
        if (m_type == op.b && m_n == op.n && m_negated == op.negateB && std::memcmp(m_raw, raw, bytes) == 0)
            return m_factors;
        m_type = op.b;
        m_n = op.n;
        m_negated = op.negateB;
        std::memcpy(m_raw, raw, bytes);
        float row[mostDepth];
        for (u32 n = 0; n < op.n; ++n) {
            widen(op.b, op.k, op.negateB, raw + n * productRowBytes, row);
            float* const to = m_factors + n / 8 * 8 + n % 2 * 4 + n % 8 / 2;
            for (u32 k = 0; k < op.k; ++k)
                to[k * mostColumns] = row[k];
        }
        return m_factors;
    }

private:
    Element m_type{};
    u32 m_n = 0;
    bool m_negated = false;
    alignas(64) std::byte m_raw[mostColumns * productRowBytes];
    alignas(64) float m_factors[mostDepth * mostColumns];
};

/// A piece of the same four numbers over and over.
inline Wide64<float> fourTimes(const float* from) {
#if defined(__AVX512F__)
    return _mm512_maskz_broadcast_f32x4(0xffff, _mm_loadu_ps(from)); // GCC warns of the form without a mask
#elif defined(__AVX2__)
    const __m256 half = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(from));
    Wide64<float> v;
    std::memcpy(&v, &half, sizeof half);
    std::memcpy(reinterpret_cast<std::byte*>(&v) + sizeof half, &half, sizeof half);
    return v;
#else
    Wide64<float> v;
    for (u32 i = 0; i < wideCount<float>; ++i)
        v[i] = from[i % 4];
    return v;
#endif
}

/// Each row's factor for the four lanes that have it.
void spreadRows(const WarpgroupOp& op, const std::byte* raw, float* to) {
    float row[mostDepth];
    for (u32 r = 0; r < rows; ++r) {
        widen(op.a, op.k, op.negateA, raw + r * productRowBytes, row);
        for (u32 k = 0; k < op.k; ++k)
            std::fill_n(to + (k * rows + r) * 4, 4, row[k]);
    }
}

/// D += A B, in order of k for each element; `Halves` of 8 rows at once, as many sums as there are registers for.
template <u32 Halves> void accumulateLanes(u32 n, u32 depth, const float* a, const float* b, LaneSums& d) {
    using Piece = Wide64<float>;
    constexpr u32 lanes = wideCount<float>, pieces = laneCount / lanes; // of a register
    static_assert(pieces == 2);
    for (u32 first = 0; first < n / 2; first += 2 * Halves) {
        const float* right = b + first / 4 * 8;
        const float* left = a + first % 4 / 2 * laneCount;
        Piece sums[4 * Halves];
#pragma GCC unroll 8
        for (u32 s = 0; s < 4 * Halves; ++s)
            sums[s] = loadWide(d[first + s / 2] + s % 2 * lanes);
        for (u32 k = 0; k < depth; ++k, left += rows * 4, right += mostColumns) {
            const Piece even = fourTimes(right), odd = fourTimes(right + 4);
#pragma GCC unroll 2
            for (u32 half = 0; half < Halves; ++half) {
                const Piece low = loadWide(left + half * laneCount), high = loadWide(left + half * laneCount + lanes);
                sums[4 * half] += low * even;
                sums[4 * half + 1] += high * even;
                sums[4 * half + 2] += low * odd;
                sums[4 * half + 3] += high * odd;
            }
        }
#pragma GCC unroll 8
        for (u32 s = 0; s < 4 * Halves; ++s)
            storeWide(d[first + s / 2] + s % 2 * lanes, sums[s]);
    }
}

[[gnu::noinline]] void multiplyQuickly(Warp& w, const WarpgroupOp& op, const std::byte* rawA, const std::byte* rawB) {
    static thread_local ColumnFactors columns;
    alignas(64) float a[mostDepth * rows * 4];
    alignas(64) LaneSums d;
    const bool half = op.d == Element::f16, keeps = keepsD(w, op);
    const u32 registers = op.n / 2;
    if (!keeps)
        std::memset(d, 0, registers * sizeof d[0]);
    else if (!half)
        for (u32 r = 0; r < registers; ++r)
            std::memcpy(d[r], at<float>(w, op.result[r]), sizeof d[r]);
    else
        for (u32 r = 0; r < registers; r += 2) {
            const u32* const words = at<u32>(w, op.result[r / 2]);
            for (u32 i = 0; i < laneCount; ++i) {
                d[r][i] = fromHalf(u16(words[i]));
                d[r + 1][i] = fromHalf(u16(words[i] >> 16));
            }
        }
    spreadRows(op, rawA, a);
#if defined(__AVX512F__)
    constexpr u32 halves = 2;
#else
    constexpr u32 halves = 1;
#endif
    accumulateLanes<halves>(op.n, op.k, a, columns.of(op, rawB), d);
    for (u32 r = 0; r < registers; r += half ? 2 : 1) {
        u32* const words = at<u32>(w, op.result[half ? r / 2 : r]);
        for (u32 i = 0; i < laneCount; ++i) {
            const float x = d[r][i];
            words[i] = half     ? u32(toHalf(x)) | u32(toHalf(d[r + 1][i])) << 16
                       : x != x ? 0x7fffffffu
                                : std::bit_cast<u32>(x);
        }
    }
}

[[gnu::noinline]] void multiplyExactly(Warp& w, const WarpgroupOp& op, const std::byte* rawA, const std::byte* rawB) {
    alignas(64) float c[rows * mostColumns] = {};
    alignas(64) double exact[rows * mostColumns];
    const bool half = op.d == Element::f16;
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
    accumulateExactly(op, rawA, rawB, c, half ? exact : nullptr);
    eachPair(op, [&](u32 pair, u32 lane, u32 at0) {
        if (half) {
            at<u32>(w, op.result[pair])[lane] = u32(toHalf(exact[at0])) | u32(toHalf(exact[at0 + 1])) << 16;
        } else {
            for (u32 i = 0; i < 2; ++i) {
                const float x = c[at0 + i];
                at<u32>(w, op.result[2 * pair + i])[lane] = x != x ? 0x7fffffffu : std::bit_cast<u32>(x);
            }
        }
    });
}

const Inst* multiplyFloats(Warp& w, const Inst* ip) {
    const WarpgroupOp& op = w.worker->launch->code->warpgroupOps[ip->aux];
    alignas(64) std::byte rawA[rows * productRowBytes], rawB[mostColumns * productRowBytes];
    if (!beginProduct(w, ip, op, rawA, rawB)) return w.pause != Pause::none ? nullptr : ip + 1;
    spreadUnknown(w);
    if (!op.aRegisters.empty()) gatherRegisters(w, op, rawA);
    (w.worker->launch->options->exactSums ? multiplyExactly : multiplyQuickly)(w, op, rawA, rawB);
    return ip + 1;
}

const Inst* multiplyIntegers(Warp& w, const Inst* ip) {
    const WarpgroupOp& op = w.worker->launch->code->warpgroupOps[ip->aux];
    alignas(64) std::byte rawA[rows * productRowBytes], rawB[mostColumns * productRowBytes];
    if (!beginProduct(w, ip, op, rawA, rawB)) return w.pause != Pause::none ? nullptr : ip + 1;
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
