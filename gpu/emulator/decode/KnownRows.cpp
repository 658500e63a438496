// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/KnownRows.h"

#include <algorithm>

namespace kernelarium::emulator {

void KnownRows::forget(const ptx::Operand& operand) {
    if (operand.reg >= 0) std::erase_if(m_bases, [&](const Base& b) { return b.reg == operand.reg; });
    for (const ptx::Operand& item : operand.items)
        forget(item);
}

void KnownRows::note(const ptx::Instruction& i, Inst* access) {
    if (i.opcode == "call") return startBlock();
    const bool loads = i.opcode == "ld";
    if (access && i.operands.size() >= 2) {
        const ptx::Operand& address = i.operands[loads ? 1 : 0];
        const auto known =
            std::find_if(m_bases.begin(), m_bases.end(), [&](const Base& b) { return b.reg == address.reg; });
        if (address.reg >= 0 && known != m_bases.end()) {
            access->row = known->row;
            access->bits |= addressing::knownRow;
        } else if (address.reg >= 0 && i.predicate < 0 && m_bases.size() + 1 < knownRowCount) {
            // A place that no register of the block has any more, or had: one after the other.
            std::uint8_t row = 1;
            while (std::any_of(m_bases.begin(), m_bases.end(), [&](const Base& b) { return b.row == row; }))
                ++row;
            access->row = row;
            m_bases.push_back({address.reg, row});
        }
        if (loads) forget(i.operands[0]);
        return;
    }
    // Which of its operands it writes is not asked: one that it names at all is forgotten.
    for (const ptx::Operand& operand : i.operands)
        forget(operand);
}

} // namespace kernelarium::emulator
