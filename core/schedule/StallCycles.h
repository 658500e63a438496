// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

#include <array>
#include <string_view>

namespace kernelarium::schedule {

/// What a cycle of one warp goes to.
enum class CycleUse {
    issue,            ///< one for each instruction
    fixedLatency,     ///< the rest of a stall: results of fixed latency, pipes, branches
    globalMemory,     ///< a scoreboard: what a load from there, or an atomic, gives
    localMemory,      ///< likewise
    sharedMemory,     ///< likewise
    copies,           ///< from global to shared memory, that are waited for
    constants,        ///< loads of constants
    specialFunctions, ///< and conversions
    exchange,         ///< shuffles and votes
    specialRegisters,
    otherResults,
    operands,      ///< a scoreboard: that an instruction has read its operands
    registerFetch, ///< operands that are not fetched in the same cycle
};
inline constexpr std::size_t cycleUses = std::size_t(CycleUse::registerFetch) + 1;
[[nodiscard]] std::string_view name(CycleUse use);    ///< "issue", "shared memory", ...
[[nodiscard]] std::string_view meaning(CycleUse use); ///< a sentence for people

/// By CycleUse; MODELLED, as StaticCost has them.
struct StallCycles {
    std::array<double, cycleUses> cycles{};
    [[nodiscard]] double of(CycleUse use) const { return cycles[std::size_t(use)]; }
    [[nodiscard]] double total() const;
};

/// Whose scoreboard is waited for: of a result, or of operands that are being read.
[[nodiscard]] CycleUse useOfWaiting(const sass::Instruction& producer, bool forResult);

} // namespace kernelarium::schedule
