// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>
#include <vector>

namespace kernelarium::text {

/// What of ptxas changes the code that it makes, and no file: "--max-registers=N" (ptxas's -maxrregcount), "-O0" to
/// "-O3", "--allow-expensive-optimizations=true|false", "--register-usage-level=0" to "10", "--dont-merge-basicblocks",
/// "--def-load-cache=ca|cg|cs|lu|cv" and "--def-store-cache=wb|cg|cs|wt". The words as ptxas takes them; nvcc hands
/// them on behind -Xptxas. Error "bad_input", which names the word.
Result<std::vector<std::string>> assemblerWords(const std::vector<std::string>& words);

} // namespace kernelarium::text
