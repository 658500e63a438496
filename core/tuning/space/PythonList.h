// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/TextProblem.h"
#include "core/tuning/space/Value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// The values of a list as Python writes it: [1, 2, 4], (1, 2), 1, 2, 4; range(8, 65, 8); list(...) of these;
/// [2 * i for i in range(9) if i % 2]; several joined with +. Elements are expressions (Expression.h, Python's rules).
/// Nothing else of Python is run or understood: what else there is becomes a problem that names it. At most mostValues.
[[nodiscard]] std::optional<std::vector<Value>> readPythonList(std::string_view text, TextProblems& problems);

} // namespace kernelarium::tuning
