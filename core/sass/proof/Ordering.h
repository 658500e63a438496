// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

#include <string>

namespace kernelarium::sass {

/// What keeps two instructions of a block in their order.
enum class OrderRule { none, fence, readAfterWrite, writeAfterWrite, writeAfterRead, memory, convergence };

[[nodiscard]] std::string_view name(OrderRule rule);

/// Why `second`, which stands behind `first`, must not go in front of it; none: it may. Scoreboards and distances are
/// not looked at here: they are a matter of the whole schedule.
[[nodiscard]] OrderRule orderOf(const Instruction& first, const Instruction& second);

} // namespace kernelarium::sass
