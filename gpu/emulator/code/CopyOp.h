// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Operand.h"

#include <array>
#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// An asynchronous copy into shared memory that a warp has begun and not waited for.
struct PendingCopy {
    const Inst* ip = nullptr;
    std::uint32_t lanes = 0;
    std::uint32_t bytes = 0;                     ///< 4, 8 or 16
    std::array<std::uint64_t, laneCount> to{};   ///< shared addresses
    std::array<std::uint64_t, laneCount> from{}; ///< generic addresses
    std::array<std::uint32_t, laneCount> sourceBytes{};
};

/// The copies of one warp that are under way.
struct CopyQueue {
    std::vector<PendingCopy> copies;
    std::vector<std::size_t> groups; ///< for each committed group, how many copies it and those before it hold
};

/// Of a cp.async instruction.
struct CopyOp {
    Opd to, from;
    std::int64_t toOffset = 0, fromOffset = 0;
    bool toIsWide = false;
    bool toHasBase = true;
    std::uint32_t bytes = 0;
    bool hasSize = false; ///< source size in `size`
    Opd size;
    bool hasIgnore = false; ///< predicate in `size`: read nothing, store zeros
    bool ignoreNegated = false;
};

} // namespace kernelarium::emulator
