// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/profile/ClangTidy.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::worker {

/// What clang-tidy says of a kernel's text.
struct TidyAnswer {
    std::vector<profile::TidyFinding> findings; ///< in the text itself, by line
    /// Places of the text that clang itself could not read. Its advice on the rest stands; it is not a compiler of
    /// ours.
    std::vector<profile::TidyFinding> unread;
};

struct TidyTool {
    std::string program; ///< empty: there is none on PATH
    std::string include; ///< CUDA's headers; empty: no toolkit was found
};
[[nodiscard]] TidyTool findTidyTool();

/// Runs clang-tidy over a whole archived file: the shim's headers stand for PyTorch's, and declarations of ours for
/// what only NVRTC knows (resources/shim/kernelarium/clang_builtins.h), as clang 14 cannot read CUDA 13's own. It runs
/// confined: no network, no processes, nothing written, at most 30 seconds, 3 GB and 8 MB of text. A configuration file
/// of the user's is not looked for. Errors: "missing_component" (no clang-tidy, no CUDA headers), "timeout",
/// "too_large", "cancelled", "tool_failed".
Result<TidyAnswer> tidy(const TidyTool& tool, std::string_view source, const std::stop_token& stop = {});

} // namespace kernelarium::worker
