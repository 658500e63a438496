// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kernelarium::kernelgen {

/// CUDA source with the indentation, line breaks and aligned comments that .clang-format gives it. `source` has one
/// statement a line at most, in any indentation; a statement may go on over several lines while parentheses are open.
/// Breaks are made behind commas and before what an opening parenthesis encloses, before &&, || and ? and behind =.
[[nodiscard]] std::string laidOut(const std::string& source);

} // namespace kernelarium::kernelgen
