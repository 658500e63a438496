// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/GraphWalk.h"

namespace kernelarium::task {

/// Two per multiply-add of matrix products and convolutions: what PyTorch's FlopCounterMode counts. Recurrent
/// layers, matrix-vector products and dot products are not counted there.
[[nodiscard]] double torchFlopsOf(const Node& node, const NodeShape& shape);
/// Floating-point operations by our own count, products and convolutions included.
[[nodiscard]] double flopsOf(const Node& node, const NodeShape& shape);
/// Whether the operator gives another view of its operand and moves no bytes on a device.
[[nodiscard]] bool isView(const Node& node, const NodeShape& shape);

} // namespace kernelarium::task
