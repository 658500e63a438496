// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/protocol/ToolMessages.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace kernelarium::tools {

/// clang-format on PATH; empty without it.
[[nodiscard]] std::string findClangFormat();

/// The .clang-format (or _clang-format) that is nearest above a file, as clang-format itself looks for it; empty where
/// there is none, or none of at most 64 KiB.
[[nodiscard]] std::string styleFor(const std::filesystem::path& file);

/// Runs clang-format over a text, confined as clang-tidy is (Tidy.h), in the style for its file. Without one: LLVM's
/// with 4 columns of indentation, 100 columns, and includes in their order. Errors: "missing_component", "timeout",
/// "too_large", "cancelled", "tool_failed".
Result<protocol::FormatAnswer> format(const std::string& program, const protocol::FormatRequest& request,
                                      const std::stop_token& stop = {});

} // namespace kernelarium::tools
