// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace kernelarium::ui {

// Words of C++ and CUDA by what they say of the name behind them.

/// With parentheses of its own in front of a declared name: `__launch_bounds__(256)`.
[[nodiscard]] bool isAttribute(std::string_view word);
/// Only a declaration begins with it.
[[nodiscard]] bool beginsDeclaration(std::string_view word);
/// Stands before a name and does not declare it, or is no name at all.
[[nodiscard]] bool isKeyword(std::string_view word);
[[nodiscard]] bool isTypeWord(std::string_view word);

} // namespace kernelarium::ui
