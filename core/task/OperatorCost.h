// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/GraphWalk.h"

#include <string_view>

namespace kernelarium::task {

/// Two per multiply-add of matrix products and convolutions: what PyTorch's FlopCounterMode counts. Recurrent
/// layers, matrix-vector products and dot products are not counted there.
[[nodiscard]] double torchFlopsOf(const Node& node, const NodeShape& shape);
/// Floating-point operations by our own count, products and convolutions included.
[[nodiscard]] double flopsOf(const Node& node, const NodeShape& shape);
/// Operations for each element of a pointwise operator's result, by its plain name ("relu", "mul"): 1 of a function
/// such as exp, 0 of what is not counted.
[[nodiscard]] double flopsPerElement(std::string_view op);
/// Whether the operator gives another view of its operand and moves no bytes on a device.
[[nodiscard]] bool isView(const Node& node, const NodeShape& shape);

} // namespace kernelarium::task
