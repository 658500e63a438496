// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/MatrixOp.h"

#include <algorithm>

namespace kernelarium::emulator {

std::uint32_t bitsOf(Element e) {
    switch (e) {
    case Element::b1: return 1;
    case Element::s4:
    case Element::u4: return 4;
    case Element::s8:
    case Element::u8:
    case Element::e4m3:
    case Element::e5m2: return 8;
    case Element::f16:
    case Element::bf16: return 16;
    case Element::f64: return 64;
    default: return 32;
    }
}

bool isIntegral(Element e) {
    return e == Element::s8 || e == Element::u8 || e == Element::s4 || e == Element::u4 || e == Element::b1 ||
           e == Element::s32;
}

SumRule warpSumRule(Element factor, const MatrixShape& shape) {
    // wmma on tf32 is done in two halves.
    const std::uint32_t tf32Step = shape.n == 16 ? 4 : 8;
    return {factor == Element::tf32 ? tf32Step : 16u, 25, 24};
}

SumRule warpgroupSumRule(Element factor) {
    if (bitsOf(factor) == 8) return {32, 13, 14};
    return {factor == Element::tf32 ? 8u : 16u, 25, 24};
}

namespace {

struct ElementPlace {
    std::uint32_t row, column;
};

/// PTX ISA, "Matrix Fragments for mma.m16n8k..." and "mma.m8n8k...": one rule for all of them. A lane belongs
/// to group lane / 4; a register holds neighbours along k; further registers go down eight rows, then on
/// along k.
ElementPlace mmaPlace(MatrixPart part, const MatrixShape& s, std::uint32_t elements, std::uint32_t reg,
                      std::uint32_t lane, std::uint32_t i) {
    const std::uint32_t group = lane / 4, member = lane % 4, halves = s.m / 8;
    switch (part) {
    case MatrixPart::a: return {group + 8 * (reg % halves), member * elements + i + 4 * elements * (reg / halves)};
    case MatrixPart::b: return {member * elements + i + 4 * elements * reg, group};
    case MatrixPart::c: break;
    }
    const std::uint32_t element = reg * elements + i;
    return {group + 8 * (element / 2), member * 2 + element % 2};
}

/// "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": each quad pair has matrices of its own.
ElementPlace voltaPlace(MatrixPart part, Element e, bool byRows, std::uint32_t element, std::uint32_t lane) {
    const std::uint32_t upper = lane < 16 ? 0 : 4, member = lane % 4;
    switch (part) {
    case MatrixPart::a: return byRows ? ElementPlace{member + upper, element} : ElementPlace{element + upper, member};
    case MatrixPart::b: return byRows ? ElementPlace{member, element + upper} : ElementPlace{element, member + upper};
    case MatrixPart::c: break;
    }
    if (e == Element::f16) return {member + upper, element};
    return {(lane & 1) + (element & 2) + upper, (element & 4) + (lane & 2) + (element & 1)};
}

/// As an H200 answered for every type and shape of nvcuda::wmma: the tiles of mma, each register's elements neighbours
/// along k. Down the longer side two tiles at a time, then along k, then on; the other side is one or two tiles wide,
/// those along k first. The accumulator goes down before it goes on. Of 8 x 32 all is the transpose of 32 x 8.
ElementPlace wmmaPlace(MatrixPart part, const MatrixShape& s, std::uint32_t elements, std::uint32_t reg,
                       std::uint32_t lane, std::uint32_t i) {
    if (s.m < s.n) {
        const MatrixPart other = part == MatrixPart::a   ? MatrixPart::b
                                 : part == MatrixPart::b ? MatrixPart::a
                                                         : MatrixPart::c;
        const ElementPlace p = wmmaPlace(other, {s.n, s.m, s.k}, elements, reg, lane, i);
        return {p.column, p.row};
    }
    const std::uint32_t group = lane / 4, member = lane % 4;
    if (part == MatrixPart::c) {
        const std::uint32_t element = reg * elements + i, tile = element / 2, down = s.m / 8;
        return {group + 8 * (tile % down), member * 2 + element % 2 + 8 * (tile / down)};
    }
    const std::uint32_t along = s.k / (4 * elements), k = member * elements + i;
    if (part == MatrixPart::b) return {k + 4 * elements * (reg % along), group + 8 * (reg / along)};
    const std::uint32_t down = std::min(2u, s.m / 8), outer = reg / (down * along);
    return {group + 8 * (reg % down) + 8 * down * outer, k + 4 * elements * (reg / down % along)};
}

/// Registers of a fragment as the ISA's tables give them: A and B of f16 wmma hold each element twice.
std::uint32_t registerCount(FragmentOrder order, MatrixPart part, Element e, std::uint32_t rows,
                            std::uint32_t columns) {
    const std::uint32_t bits = rows * columns * bitsOf(e);
    const std::uint32_t width = e == Element::f64 ? 64 : 32;
    if (order == FragmentOrder::volta) return part == MatrixPart::c ? (e == Element::f16 ? 4 : 8) : 2;
    const bool twice = order == FragmentOrder::wmma && part != MatrixPart::c && e == Element::f16;
    if (twice) return 8;
    return std::max(1u, bits / 32 / width);
}

} // namespace

FragmentMap fragmentMap(FragmentOrder order, MatrixPart part, Element e, const MatrixShape& s, bool byRows) {
    const std::uint32_t rows = part == MatrixPart::b ? s.k : s.m, columns = part == MatrixPart::a ? s.k : s.n;
    FragmentMap map;
    map.registerBytes = e == Element::f64 ? 8 : 4;
    map.perRegister = map.registerBytes * 8 / bitsOf(e);
    map.registers = registerCount(order, part, e, rows, columns);
    map.unique = std::min(map.registers, std::max(1u, rows * columns / (laneCount * map.perRegister)));
    if (order == FragmentOrder::volta) map.unique = map.registers;
    for (std::uint32_t reg = 0; reg < map.registers; ++reg)
        for (std::uint32_t lane = 0; lane < laneCount; ++lane)
            for (std::uint32_t i = 0; i < map.perRegister; ++i) {
                const std::uint32_t element = reg * map.perRegister + i;
                std::uint32_t base = 0;
                ElementPlace p{};
                if (order == FragmentOrder::mma) {
                    p = mmaPlace(part, s, map.perRegister, reg, lane, i);
                } else if (order == FragmentOrder::volta) {
                    p = voltaPlace(part, e, byRows, element, lane);
                    base = lane / 4 % 4 * rows * columns;
                } else {
                    p = wmmaPlace(part, s, map.perRegister, reg % map.unique, lane, i);
                }
                map.at.push_back(std::uint16_t(base + p.row * columns + p.column));
            }
    return map;
}

} // namespace kernelarium::emulator
