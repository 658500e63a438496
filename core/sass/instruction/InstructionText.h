// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

#include <string>

namespace kernelarium::sass {

/// ".E.64" and the like: what an operation's own fields say, as NVIDIA's listings write it where we know the field.
/// Fields that we do not know are not written; they never change which registers are read or written.
[[nodiscard]] std::string modifiers(const Instruction& instruction);

/// "@!P0 IMAD.WIDE R2, R0, 0x4, R6". An unknown operation is shown as its number: "?1a7".
[[nodiscard]] std::string text(const Instruction& instruction);

} // namespace kernelarium::sass
