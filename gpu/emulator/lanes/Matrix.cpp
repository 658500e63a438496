// SPDX-License-Identifier: GPL-3.0-or-later
//
// mma and wmma.mma: the fragments of the warp are gathered into matrices, multiplied, and spread again. How
// sums are rounded is in gpu/emulator/code/MatrixOp.h.
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/code/MatrixOp.h"
#include "gpu/emulator/lanes/FusedTiles.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr u32 mostElements = 4096; ///< of one matrix of any shape

/// read(bits of the register, element of it) for each element of the fragment.
template <class T, class Word, class F> void gather(Warp& w, const Fragment& f, T* tile, F read) {
    const u16* place = f.map.at.data();
    for (u32 r = 0; r < f.map.unique; ++r) {
        const Word* words = at<Word>(w, f.registers[r]);
        for (u32 lane = 0; lane < laneCount; ++lane)
            for (u32 i = 0; i < f.map.perRegister; ++i)
                tile[*place++] = read(words[lane], i);
    }
}

void gatherFloats(Warp& w, const Fragment& f, double* tile) {
    switch (f.element) {
    case Element::f16:
        return gather<double, u32>(w, f, tile, [](u32 x, u32 i) { return double(fromHalf(u16(x >> (16 * i)))); });
    case Element::bf16:
        return gather<double, u32>(w, f, tile, [](u32 x, u32 i) { return double(fromBfloat(u16(x >> (16 * i)))); });
    case Element::tf32:
        return gather<double, u32>(w, f, tile,
                                   [](u32 x, u32) { return double(std::bit_cast<float>(x & 0xffffe000u)); });
    case Element::e4m3:
        return gather<double, u32>(w, f, tile,
                                   [](u32 x, u32 i) { return double(fromE4m3(std::uint8_t(x >> (8 * i)))); });
    case Element::e5m2:
        return gather<double, u32>(w, f, tile,
                                   [](u32 x, u32 i) { return double(fromE5m2(std::uint8_t(x >> (8 * i)))); });
    case Element::f64: return gather<double, u64>(w, f, tile, [](u64 x, u32) { return std::bit_cast<double>(x); });
    default: return gather<double, u32>(w, f, tile, [](u32 x, u32) { return double(std::bit_cast<float>(x)); });
    }
}

void gatherIntegers(Warp& w, const Fragment& f, i32* tile) {
    switch (f.element) {
    case Element::s8: return gather<i32, u32>(w, f, tile, [](u32 x, u32 i) { return i32(std::int8_t(x >> (8 * i))); });
    case Element::u8: return gather<i32, u32>(w, f, tile, [](u32 x, u32 i) { return i32(std::uint8_t(x >> (8 * i))); });
    case Element::s4: return gather<i32, u32>(w, f, tile, [](u32 x, u32 i) { return i32(x << (28 - 4 * i)) >> 28; });
    case Element::u4: return gather<i32, u32>(w, f, tile, [](u32 x, u32 i) { return i32(x >> (4 * i) & 15); });
    case Element::b1: return gather<i32, u32>(w, f, tile, [](u32 x, u32 i) { return i32(x >> i & 1); });
    default: return gather<i32, u32>(w, f, tile, [](u32 x, u32) { return i32(x); });
    }
}

/// write(element) gives its bits, which fill the registers from the low end.
template <class Word, class T, class F> void scatter(Warp& w, const Fragment& f, const T* tile, F write) {
    const u16* place = f.map.at.data();
    const u32 bits = sizeof(Word) * 8 / f.map.perRegister;
    for (u32 r = 0; r < f.map.registers; ++r) {
        Word* words = at<Word>(w, f.registers[r]);
        for (u32 lane = 0; lane < laneCount; ++lane) {
            Word packed = 0;
            for (u32 i = 0; i < f.map.perRegister; ++i)
                packed |= Word(write(tile[*place++])) << (bits * i % (sizeof(Word) * 8));
            if (w.active >> lane & 1u) words[lane] = packed;
        }
    }
}

u32 floatBits(double x) {
    return x != x ? 0x7fffffffu : std::bit_cast<u32>(float(x));
}

u32 saturated(i64 x) {
    return u32(std::clamp(x, i64(std::numeric_limits<i32>::min()), i64(std::numeric_limits<i32>::max())));
}

const MatrixOp& opOf(const Warp& w, const Inst* ip) {
    return w.worker->launch->code->matrixOps[ip->aux];
}

/// sum(C row, A element, B row) adds the products of one k to a row of C.
template <class T, class A, class F> void accumulate(const MatrixShape& s, T* c, const A* a, const A* b, F add) {
    for (u32 m = 0; m < s.m; ++m)
        for (u32 k = 0; k < s.k; ++k) {
            const A left = a[m * s.k + k];
            const A* row = b + k * s.n;
            T* sums = c + m * s.n;
            for (u32 n = 0; n < s.n; ++n)
                sums[n] = add(sums[n], left, row[n]);
        }
}

void gatherBits(Warp& w, const Fragment& f, u32* tile) {
    const u32 bits = bitsOf(f.element), mask = bits < 32 ? (1u << bits) - 1 : ~0u;
    gather<u32, u32>(w, f, tile, [=](u32 x, u32 i) { return x >> (bits * i % 32) & mask; });
}

/// As the hardware adds.
[[gnu::noinline]] void multiplyExactly(Warp& w, const MatrixOp& op) {
    constexpr u32 mostColumns = 32;
    const MatrixShape& s = op.shape;
    alignas(64) u32 a[mostElements], b[mostElements];
    alignas(64) double start[mostElements], sums[mostElements];
    gatherBits(w, op.a, a);
    gatherBits(w, op.b, b);
    gatherFloats(w, op.c, start);
    const bool half = op.d.element == Element::f16;
    for (u32 q = 0; q < op.matrices; ++q) {
        FusedTiles<32, mostColumns, 32> tiles;
        alignas(64) float c[32 * mostColumns] = {};
        alignas(64) double exact[32 * mostColumns];
        const u32* const left = a + q * s.m * s.k;
        const u32* const right = b + q * s.k * s.n;
        tiles.takeA(op.a.element, s.m, s.k, false, [&](u32 m, u32 k) { return left[m * s.k + k]; });
        tiles.takeB(op.b.element, s.n, s.k, false, [&](u32 n, u32 k) { return right[k * s.n + n]; });
        for (u32 m = 0; m < s.m; ++m)
            for (u32 n = 0; n < s.n; ++n)
                c[m * mostColumns + n] = float(start[(q * s.m + m) * s.n + n]);
        tiles.add(op.rule, c, exact);
        for (u32 m = 0; m < s.m; ++m)
            for (u32 n = 0; n < s.n; ++n)
                sums[(q * s.m + m) * s.n + n] = half ? exact[m * mostColumns + n] : double(c[m * mostColumns + n]);
    }
    if (half)
        scatter<u32>(w, op.d, sums, [](double x) { return toHalf(x); });
    else
        scatter<u32>(w, op.d, sums, floatBits);
}

const Inst* multiplyFloats(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    const MatrixOp& op = opOf(w, ip);
    if (w.worker->launch->options->exactSums) {
        multiplyExactly(w, op);
        return ip + 1;
    }
    alignas(64) double a[mostElements], b[mostElements], c[mostElements];
    gatherFloats(w, op.a, a);
    gatherFloats(w, op.b, b);
    gatherFloats(w, op.c, c);
    const MatrixShape& s = op.shape;
    for (u32 q = 0; q < op.matrices; ++q)
        accumulate(s, c + q * s.m * s.n, a + q * s.m * s.k, b + q * s.k * s.n,
                   [](double sum, double x, double y) { return sum + x * y; });
    if (op.d.element == Element::f16)
        scatter<u32>(w, op.d, c, [](double x) { return toHalf(x); });
    else
        scatter<u32>(w, op.d, c, floatBits);
    return ip + 1;
}

const Inst* multiplyDoubles(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    const MatrixOp& op = opOf(w, ip);
    alignas(64) double a[mostElements], b[mostElements], c[mostElements];
    gatherFloats(w, op.a, a);
    gatherFloats(w, op.b, b);
    gatherFloats(w, op.c, c);
    accumulate(op.shape, c, a, b, [](double sum, double x, double y) { return std::fma(x, y, sum); });
    scatter<u64>(w, op.d, c, [](double x) { return std::bit_cast<u64>(x); });
    return ip + 1;
}

const Inst* multiplyIntegers(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    const MatrixOp& op = opOf(w, ip);
    alignas(64) i32 a[mostElements], b[mostElements], start[mostElements];
    alignas(64) i64 c[mostElements];
    gatherIntegers(w, op.a, a);
    gatherIntegers(w, op.b, b);
    gatherIntegers(w, op.c, start);
    std::copy_n(start, op.shape.m * op.shape.n, c);
    if (op.a.element != Element::b1)
        accumulate(op.shape, c, a, b, [](i64 sum, i32 x, i32 y) { return sum + x * y; });
    else if (op.andPopc)
        accumulate(op.shape, c, a, b, [](i64 sum, i32 x, i32 y) { return sum + (x & y); });
    else
        accumulate(op.shape, c, a, b, [](i64 sum, i32 x, i32 y) { return sum + (x ^ y); });
    if (op.saturate)
        scatter<u32>(w, op.d, c, saturated);
    else
        scatter<u32>(w, op.d, c, [](i64 x) { return u32(x); });
    return ip + 1;
}

} // namespace

Handler matrixHandler(const MatrixOp& op) {
    if (isIntegral(op.a.element)) return multiplyIntegers;
    return op.a.element == Element::f64 ? multiplyDoubles : multiplyFloats;
}

} // namespace kernelarium::emulator::KL_ISA
