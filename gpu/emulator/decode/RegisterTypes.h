// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <string>
#include <vector>

namespace kernelarium::emulator {

/// The operands that an instruction writes: those of its first operand, where that is what it writes to.
[[nodiscard]] std::vector<const ptx::Operand*> writtenOperands(const ptx::Instruction& instruction);

/// A type for each register of a function. PTX often declares registers by their width alone; such a register has the
/// type of that width that an instruction which writes it names; where none does, that of one which reads it.
[[nodiscard]] std::vector<std::string> registerTypes(const ptx::Function& function);

} // namespace kernelarium::emulator
