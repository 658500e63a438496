// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::kernelgen {

constexpr std::size_t columns = 120; ///< of a line, as in .clang-format

/// head + items, parted by commas, + tail, each line within `columns`: those after the first begin below the first
/// item.
[[nodiscard]] std::string wrappedList(const std::string& head, const std::vector<std::string>& items,
                                      const std::string& tail);
/// Words filled into lines that begin with `first` and, from the second on, with `rest`.
[[nodiscard]] std::string filled(const std::string& first, const std::string& rest, const std::string& words);

} // namespace kernelarium::kernelgen
