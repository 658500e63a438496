// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Expression.h"

#include <optional>

namespace kernelarium::proof {

/// 0, 1/2 or 1 where a function without a form in a field has just this value at 0 or at 1.
[[nodiscard]] std::optional<double> exactAt(algebra::Function function, double x);

} // namespace kernelarium::proof
