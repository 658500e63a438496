// SPDX-License-Identifier: GPL-3.0-or-later
//
// wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"): D = A B + D of 64
// rows, 16 for each of four warps.
//
// How D is rounded here. `exact` is that of MatrixOp.h, all products of an instruction at a time. `fast`: products of
// f16, bf16, tf32, e4m3 and e5m2 elements are exact in float32 (but for those of bf16 and tf32 beyond its range); they
// are added to D one by one in order of k, each sum rounded to nearest even in float32. A float16 D is kept in float32
// within one instruction and rounded once at its end. With S = |d| + sum |a b|: |hardware - fast| <= (k + 4) 2^-22 S
// for a float32 D, and half an ulp of D more for a float16 D; for 8-bit floats hardware keeps 14 bits or so of a sum,
// and nothing is promised. Integers are exact and wrap around, or saturate with .satfinite.
#pragma once

#include "gpu/emulator/code/MatrixOp.h"
#include "gpu/emulator/code/Operand.h"

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// A matrix in shared memory as the instruction's 64-bit descriptor gives it (PTX ISA, "Matrix Descriptor Format");
/// offsets in bytes.
struct MatrixDescriptor {
    std::uint32_t start = 0;
    std::uint32_t leading = 0; ///< leading dimension byte offset
    std::uint32_t stride = 0;  ///< stride dimension byte offset
    std::uint32_t baseOffset = 0;
    std::uint32_t swizzle = 0; ///< as of TensorMap: 0 none, 1: 32, 2: 64, 3: 128 bytes

    static MatrixDescriptor of(std::uint64_t bits) {
        constexpr std::uint32_t modes[4] = {0, 3, 2, 1};
        const auto field = [&](unsigned at, std::uint64_t mask) { return std::uint32_t(bits >> at & mask); };
        return {field(0, 0x3fff) << 4, field(16, 0x3fff) << 4, field(32, 0x3fff) << 4, field(49, 7),
                modes[field(62, 3)]};
    }
};

struct WarpgroupOp {
    std::uint32_t n = 0, k = 0;
    Element a = Element::f16, b = Element::f16, d = Element::f32;
    std::vector<Opd> result;     ///< registers of D
    std::vector<Opd> aRegisters; ///< of A; empty where it lies in shared memory
    Opd aDescriptor, bDescriptor;
    Opd scale; ///< predicate: D is added; else it begins with zero
    bool scaleNegated = false;
    bool negateA = false, negateB = false;
    bool transposeA = false, transposeB = false; ///< the major dimension is m or n instead of k
    bool saturate = false;
    SumRule rule; ///< of floats
};

} // namespace kernelarium::emulator
