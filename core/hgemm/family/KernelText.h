// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"

#include <string>

namespace kernelarium::hgemm {

/// The kernel `hgemm` of a configuration, without a host function: what NVRTC compiles in a fraction of a second, no
/// header needed. Parameters: of mma (a, b, c, rows, columns, k); of wgmma (maps of left, right, C; c, floats for
/// splits, rows, columns, k, items), as launchOf() has them.
[[nodiscard]] std::string kernelText(const Configuration& configuration);

/// The same as a kernel file in the archive's form: `forward(A, B)`, with B as [k, n] or [n, k] by the layout, and a
/// module. It computes its launch as launchOf() does, for any shape that it does not refuse.
[[nodiscard]] std::string kernelFile(const Configuration& configuration);

} // namespace kernelarium::hgemm
