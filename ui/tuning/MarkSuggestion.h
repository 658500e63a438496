// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace kernelarium::ui {

/// A mark that could be put into a text without any.
struct MarkSuggestion {
    std::string name;     ///< of the constant
    std::string mark;     ///< "// tune: 8, 16, 32"
    std::size_t line = 0; ///< from 1
    std::string text;     ///< the whole text with it
};

/// For the first named constant of the text whose value is a power of two, from 2 to 1024, at the end of its line; a
/// text that is marked already gets none. What comes back is a tunable text.
[[nodiscard]] std::optional<MarkSuggestion> suggestMark(const std::string& text);

} // namespace kernelarium::ui
