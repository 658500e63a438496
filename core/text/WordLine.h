// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::text {

/// The words of a line of options, with quotes and backslashes as a shell has them and nothing expanded. Nothing where
/// a quote has no end.
[[nodiscard]] std::optional<std::vector<std::string>> wordsOfLine(std::string_view line);

} // namespace kernelarium::text
