// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace kernelarium::text {

/// A text of at most `most` bytes and a word on what was left out: "... (1234 more bytes)". No character of UTF-8 is
/// cut in two.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

} // namespace kernelarium::text
