// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"

namespace kernelarium::task::operators {

/// Evaluates another operator within this call, with its context: all results, or the one tensor.
[[nodiscard]] Results applyAll(const Call& call, std::string_view op, std::vector<Value> arguments);
[[nodiscard]] Tensor apply(const Call& call, std::string_view op, std::vector<Value> arguments);
/// A list of integers as an argument.
[[nodiscard]] Value listOf(const Shape& shape);

} // namespace kernelarium::task::operators
