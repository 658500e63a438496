// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/protocol/ToolMessages.h"

#include <stop_token>
#include <string_view>

namespace kernelarium::tools {

[[nodiscard]] protocol::TidyTool findTidyTool();

/// Runs clang-tidy over a whole archived file: the shim's headers stand for PyTorch's, and declarations of ours for
/// what only NVRTC knows (resources/shim/kernelarium/clang_builtins.h), as clang 14 cannot read CUDA 13's own. It runs
/// confined: no network, no processes, nothing written, at most 30 seconds, 3 GB and 8 MB of text. A configuration file
/// of the user's is not looked for. Errors: "missing_component" (no clang-tidy, no CUDA headers), "timeout",
/// "too_large", "cancelled", "tool_failed".
Result<protocol::TidyAnswer> tidy(const protocol::TidyTool& tool, std::string_view source,
                                  const std::stop_token& stop = {});

} // namespace kernelarium::tools
