// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kernelarium::text {

/// How many bytes from the beginning on are well-formed UTF-8 (Unicode, table 3-7): all of them, or up to the first
/// that is wrong.
[[nodiscard]] std::size_t validUtf8(std::string_view text);

/// The text with a ? for every byte that is not of well-formed UTF-8.
[[nodiscard]] std::string asUtf8(std::string_view text);

} // namespace kernelarium::text
