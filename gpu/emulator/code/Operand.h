// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::emulator {

struct Warp;
struct Inst;

/// Executes one instruction for the active lanes and gives the next one, or null to suspend the warp.
using Handler = const Inst* (*)(Warp& warp, const Inst* ip);

constexpr std::uint32_t laneCount = 32;
/// Inst::imm of shfl, vote and the like that name no members; else the value of the Opd that does.
constexpr std::int64_t noMembers = -1;

/// Where 32 lanes of an operand stand: a byte offset from one of the warp's bases. Predicates are one 32-bit
/// mask.
struct Opd {
    enum Segment : std::uint32_t { frame = 0, constant = 1, special = 2 };
    std::uint32_t value = 0;
    Opd() = default;
    Opd(Segment segment, std::uint32_t offset)
        : value(std::uint32_t(segment) << 30 | offset) {}
    [[nodiscard]] std::uint32_t segment() const { return value >> 30; }
    [[nodiscard]] std::uint32_t offset() const { return value & 0x3fffffffu; }
};

} // namespace kernelarium::emulator
