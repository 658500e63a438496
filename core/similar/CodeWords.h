// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::similar {

/// CUDA C++ source as words that twins have in common, however they are named and laid out. Comments, white space and
/// #include lines are left out. A name stays as it is where it belongs to the language, to CUDA or to PyTorch
/// (isKnownName); every other name is "n". Of literals the kind stays ("0f", "s", "c"), of whole numbers 0, 1 and 2 as
/// they are, and every other one is "9". Signs are those of C++, the longest first; text that is no C++ gives words all
/// the same.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view code);

/// Whether a name says what a kernel does and was not chosen by its author: keywords, types, what CUDA and its
/// libraries offer, mathematical functions.
[[nodiscard]] bool isKnownName(std::string_view name);

} // namespace kernelarium::similar
