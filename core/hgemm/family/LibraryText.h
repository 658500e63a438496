// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"

#include <string>

namespace kernelarium::hgemm {

/// A file like kernelFile()'s that has the product computed by cuBLASLt, sums and scales in float32, 32 MB of
/// workspace: by the fastest of the algorithms that its heuristic offers, found by timing at the first call of a shape.
/// It takes every shape.
[[nodiscard]] std::string libraryFile(Layout layout);

/// A condition in C++ on kernelFile()'s A and B: whether the configuration takes their shape, as refusal() says.
[[nodiscard]] std::string takesText(const Configuration& configuration);

} // namespace kernelarium::hgemm
