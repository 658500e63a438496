// SPDX-License-Identifier: GPL-3.0-or-later
//
// Warp-level matrix instructions (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
//
// How D = A B + C is rounded here. Products of f16, bf16, tf32 and f8 elements are exact, and the low 13 bits of a tf32
// element are ignored. Hardware adds some products at a time (SumRule::step) and C or the sum so far: each is cut off
// some bits (SumRule::fraction) below the largest exponent among them, where a product has the sum of its factors'
// exponents; the cut numbers are added exactly, and a float32 sum is cut off again (SumRule::kept bits, towards zero),
// a float16 one rounded to nearest even. M. Fasi, N. Higham, M. Mikaitis, S. Pranesh, "Numerical behavior of NVIDIA
// tensor cores", PeerJ CS 7:e330, 2021, found that form; the figures for Hopper are those that tests/probes recorded on
// an H200.
//     exact (RunOptions::exactSums)  does that, bit for bit
//     fast                           C and then the products are added in order of k in double precision, and the sum
//                                    is rounded once, to nearest even, to D's type. With S = |c| + sum |a b|,
//                                    |hardware - fast| <= (k + 4) 2^-22 S for a float32 D, and half an ulp of D more
//                                    for a float16 D.
// Integers are exact and wrap around, or saturate with .satfinite. f64 is a chain of fused multiply-adds in
// order of k, as hardware's is. A NaN result is 0x7fffffff (f32) or 0x7fff (f16).
#pragma once

#include "gpu/emulator/code/Operand.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace kernelarium::emulator {

/// Element types of matrix instructions, by their PTX names.
enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s4, u4, b1, s32 };
[[nodiscard]] std::uint32_t bitsOf(Element e);
[[nodiscard]] bool isIntegral(Element e);

/// Where the elements of a fragment stand: for each register, lane and element in it, the row-major number in
/// the matrix. Index (register * 32 + lane) * elements + element.
struct FragmentMap {
    std::uint32_t registers = 0;
    std::uint32_t unique = 0;        ///< of these; further ones hold the same once more
    std::uint32_t perRegister = 1;   ///< elements in one
    std::uint32_t registerBytes = 4; ///< 4, or 8 for f64
    std::vector<std::uint16_t> at;
};

/// Which operand of a product: c stands for the result, too.
enum class MatrixPart : std::uint8_t { a, b, c };

/// How lanes hold matrices: `mma` as the PTX ISA documents; `volta` as for mma.m8n8k4 of f16, four matrices
/// at once; `wmma` as an H200 does it, whichever way the matrix lies in memory: the ISA leaves it open, and kernels
/// that address a fragment's elements rely on it all the same.
enum class FragmentOrder : std::uint8_t { mma, volta, wmma };

/// [m, k] times [k, n].
struct MatrixShape {
    std::uint32_t m = 0, n = 0, k = 0;
};

/// `byRows`: the layout that the instruction names; matters for volta.
FragmentMap fragmentMap(FragmentOrder order, MatrixPart part, Element e, const MatrixShape& shape, bool byRows);

/// How tensor cores add products of floats.
struct SumRule {
    std::uint32_t step = 16; ///< products at a time
    int fraction = 25;       ///< bits below the largest exponent that are kept of each
    int kept = 24;           ///< significant bits of a float32 sum
};

/// Of mma and wmma on factors of this type, and of wgmma.
[[nodiscard]] SumRule warpSumRule(Element factor, const MatrixShape& shape);
[[nodiscard]] SumRule warpgroupSumRule(Element factor);

/// An operand of a matrix instruction: which registers hold it, and how.
struct Fragment {
    Element element = Element::f32;
    FragmentMap map;
    std::vector<Opd> registers;
};

/// A multiplication.
struct MatrixOp {
    MatrixShape shape;
    std::uint32_t matrices = 1; ///< side by side in the fragments: 4 for volta
    Fragment a, b, c, d;
    bool saturate = false;
    bool andPopc = false; ///< b1: and instead of xor
    SumRule rule;         ///< of floats
};

/// Lanes of one load or store of a matrix, or of its rows.
struct MatrixAccess {
    Fragment fragment;
    MatrixShape shape;       ///< wmma: rows and columns are m and n
    bool byRows = true;      ///< wmma: as it lies in memory
    std::int64_t stride = 0; ///< wmma: elements between rows; with strideRegister unused
    bool hasStride = false;
    Opd strideRegister;
    bool packed = false;     ///< wmma: a register at a time, its elements being neighbours in memory
    bool transposed = false; ///< ldmatrix, stmatrix
};

/// The elements of a fragment in memory, from one start for the whole warp.
struct FragmentWalk {
    std::uint64_t start;
    std::uint64_t stride; ///< elements
    const MatrixAccess& access;

    /// Register `reg`, element `i` of it, by lane.
    void addresses(std::uint32_t reg, std::uint32_t i, std::uint64_t* at) const {
        const FragmentMap& map = access.fragment.map;
        const std::uint32_t bytes = bitsOf(access.fragment.element) / 8, columns = access.shape.n;
        for (std::uint32_t lane = 0; lane < laneCount; ++lane) {
            const std::uint32_t place = map.at[(reg * laneCount + lane) * map.perRegister + i];
            const std::uint64_t row = place / columns, column = place % columns;
            at[lane] = start + (access.byRows ? row * stride + column : column * stride + row) * bytes;
        }
    }
    /// Elements that one access takes at a time.
    [[nodiscard]] std::uint32_t step() const { return access.packed ? access.fragment.map.perRegister : 1; }
};

} // namespace kernelarium::emulator
