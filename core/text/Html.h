// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::text {

/// Text as HTML, SVG or other XML, safe in element content and in quoted attributes. Control characters and bytes that
/// are no UTF-8 become U+FFFD.
[[nodiscard]] std::string escapedHtml(std::string_view text);

} // namespace kernelarium::text
