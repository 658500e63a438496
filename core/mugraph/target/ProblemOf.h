// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/target/Problem.h"
#include "core/task/Card.h"

namespace kernelarium::mugraph {

/// What a card asks for at one size, as the search sees it. Errors: as algebra::lower; "unsupported" says what no
/// µGraph has an operator for: windows and other maps of indices, scans, recurrences, a tensor that has one axis twice,
/// several outputs, maxima but for a softmax's shift, 1 - x and other differences and quotients with a literal but 1/x.
[[nodiscard]] Result<Problem> problemOf(const task::Card& card, const task::Symbols& symbols);

} // namespace kernelarium::mugraph
