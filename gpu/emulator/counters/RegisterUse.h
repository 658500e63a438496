// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kernelarium::emulator {

/// Whether an instruction's first operand is what it writes.
[[nodiscard]] inline bool writesFirstOperand(const ptx::Instruction& i) {
    static constexpr std::array<std::string_view, 18> none{
        "st",     "red",   "bra",  "brx",      "ret", "exit",     "call",      "bar",       "barrier",
        "membar", "fence", "trap", "stmatrix", "cp",  "prefetch", "prefetchu", "nanosleep", "mbarrier"};
    if (i.opcode == "wmma") return !i.has("store");
    if ((i.opcode == "bar" || i.opcode == "barrier") && i.has("red")) return true;
    return !i.operands.empty() && std::find(none.begin(), none.end(), i.opcode) == none.end();
}

/// Calls f with each register that an operand names, address registers too.
template <class F> void eachNamedRegister(const ptx::Operand& o, F f) {
    if (o.reg >= 0) f(o.reg);
    for (const ptx::Operand& item : o.items)
        eachNamedRegister(item, f);
}

/// Calls f with each register that the instruction writes.
template <class F> void eachWrittenRegister(const ptx::Instruction& i, F f) {
    if (writesFirstOperand(i)) eachNamedRegister(i.operands[0], f);
}

/// Calls f with each register that it reads, its predicate among them.
template <class F> void eachReadRegister(const ptx::Instruction& i, F f) {
    if (i.predicate >= 0) f(i.predicate);
    for (std::size_t k = writesFirstOperand(i) ? 1 : 0; k < i.operands.size(); ++k)
        eachNamedRegister(i.operands[k], f);
}

} // namespace kernelarium::emulator
