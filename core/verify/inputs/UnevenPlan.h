// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/InputPlan.h"

#include <vector>

namespace kernelarium::verify {

/// Makes inputs that are drawn from a range of numbers grow towards their ends, up to some five times, and be of one
/// sign each, in turn; leaves parameters as they are. Whether there was anything to change.
bool makeUneven(std::vector<TensorPlan>& plans);

} // namespace kernelarium::verify
