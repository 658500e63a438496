// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/inputs/InputPlan.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// The arguments of forward as a person writes them, one text for each, in call order:
///
///   float32[128,256]                  a tensor of standard normal numbers; any element type, [] for a scalar tensor
///   float32[128]~uniform(0,1)         drawn uniformly from [0, 1)
///   float32[128]~normal(5,0.1)        mean and standard deviation
///   float32[128]~constant(1)          every element 1
///   float32[128]~out                  a tensor that the call writes: fresh memory, whose elements nobody wrote yet
///   float32[128]~constant(0)~out      one that it updates: an argument like any other, and an output
///   int64[32]~integer(0,9)            whole numbers 0 to 9, which is what integer tensors are without it; bool 0 or 1
///   3   0.5   true   false   none     a number, a flag, None
///   "text"                            a string, without escapes
///   (float32[4,4], 2, (1, 1))         a list of such
///
/// Errors: "bad_input" with the text and where it stops making sense.
Result<InputPlan> parseArguments(const std::vector<std::string>& texts);

} // namespace kernelarium::verify
