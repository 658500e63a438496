// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <string>

namespace kernelarium::tools {

/// A card's graph at one size as Python: a function forward(t0, t1, ...) of the card's tensors that calls PyTorch's
/// operators by name and gives what the task gives. Every value is dropped after its last use. Names and texts of a
/// card are quoted or replaced, so that nothing else is ever executed. Errors: "bad_card" (a size that cannot be worked
/// out, an operator that is none of PyTorch's).
Result<std::string> torchSource(const task::Card& card, const task::Symbols& symbols);

} // namespace kernelarium::tools
