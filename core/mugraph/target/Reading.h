// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/target/Problem.h"
#include "core/mugraph/terms/Terms.h"

namespace kernelarium::mugraph {

/// The abstract expression of what a card computes. exp(a - max a) is read as exp(a): whether and by what maximum an
/// exponential is shifted is a matter of range and not of value. Whether that is so for a found graph is up to the
/// proof.
[[nodiscard]] TermId targetTerm(Terms& terms, const Problem& problem);

/// Walks through the formulas once, of a problem whose axes are known: fills its closure and functions, in which
/// literals have the numbers of their places, and gives the literals in the order in which they are met. Error
/// "unsupported".
[[nodiscard]] Result<std::vector<double>> readFormulas(Problem& problem);

} // namespace kernelarium::mugraph
