// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/Loops.h"
#include "core/sass/moves/Rescheduler.h"
#include "core/schedule/StallCycles.h"

#include <array>
#include <vector>

namespace kernelarium::schedule {

/// What a schedule costs one warp that is alone: MODELLED, cycles. Each block is gone through once for every turn of
/// the loops around it (ten turns each), in order, as core/sass/explain/WarpModel.h has it: an instruction goes when
/// the stall in front of it is over and its scoreboards are free. An instruction that has to fetch three registers
/// takes a cycle more, unless the operand cache has one of them, which is what a `.reuse` flag is worth. From sm_86 on,
/// where a scheduler issues a float32 instruction every cycle, any three registers count: a register file gives two a
/// cycle there (MEASURED.md: schedules of products on an H200). On sm_80, where it takes two cycles, only three of one
/// bank (even and odd registers: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
/// 2018).
class StaticCost {
public:
    /// The code as it stands.
    StaticCost(const std::vector<sass::Instruction>& code, const std::vector<sass::Block>& blocks,
               int computeCapability);

    struct Figures {
        double cycles = 0;    ///< stalls and waits
        double conflicts = 0; ///< cycles that fetching registers takes
        int stalls = 0;       ///< the plain sum of all stalls
        [[nodiscard]] double cost() const { return cycles + conflicts; }
    };
    /// Of the code as it was given.
    [[nodiscard]] Figures original() const;
    /// What these cycles go to. `code`: as it was given.
    [[nodiscard]] StallCycles uses(const std::vector<sass::Instruction>& code) const;
    /// Of another schedule of that code.
    [[nodiscard]] Figures of(const sass::Rescheduler& schedule) const;

    /// The share of the cost that a block has, as the code was given.
    [[nodiscard]] double shareOf(std::size_t block) const { return m_shares[block]; }

private:
    struct Read {
        int latency = 0, readLatency = 0; ///< of what its scoreboards tell of
        unsigned waits = 0;               ///< of a DEPBAR
        bool runs = true;
        std::array<int, 3> registers{}; ///< single general registers by port
    };
    template <class At, class ControlOf, class Note>
    [[nodiscard]] Figures sum(const At& at, const ControlOf& controlOf, std::vector<double>* shares, Note& note) const;

    std::vector<Read> m_reads;
    std::vector<sass::Control> m_controls;
    std::vector<sass::Block> m_blocks;
    std::vector<sass::Loop> m_loops;
    std::vector<double> m_turns;  ///< of each block
    std::vector<int> m_innermost; ///< loop of each block; -1: none
    std::vector<double> m_shares;
    bool m_banksMatter; ///< three registers take a cycle more only where one bank has them all
};

/// What the cycles of code as it stands go to: StaticCost::uses.
[[nodiscard]] StallCycles stallCyclesOf(const std::vector<sass::Word>& words, int computeCapability);

} // namespace kernelarium::schedule
