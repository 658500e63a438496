// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Code.h"

#include <vector>

namespace kernelarium::emulator {

/// Which loads and stores of a basic block take their addresses from a register of which an earlier one of the block
/// has found out how its lanes lie. That one leaves it in Warp::rows (Inst::row says where), the later ones are marked
/// with addressing::knownRow. An earlier one is executed by all lanes that come to the later ones: it has no guard, and
/// nothing in between writes the register or calls a function.
class KnownRows {
public:
    void startBlock() { m_bases.clear(); }
    /// Any instruction, in order; `access` is what it was decoded to where its handler looks for whole rows, else null.
    void note(const ptx::Instruction& instruction, Inst* access);

private:
    void forget(const ptx::Operand& operand);
    /// Where what is known of a register stands in Warp::rows; 0 where nothing is.
    struct Base {
        int reg;
        std::uint8_t row;
    };
    std::vector<Base> m_bases;
};

} // namespace kernelarium::emulator
