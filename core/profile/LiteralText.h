// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::profile {

/// One string literal of Python, prefix and quotes included.
struct StringToken {
    std::string value; ///< UTF-8, or the bytes of a bytes literal
    bool isBytes = false;
    std::size_t length = 0; ///< of the token in the source
    std::string problem;    ///< why it cannot be read; empty: it can
};

/// The string literal that `text` begins with; nothing when it begins with none (an identifier, say).
std::optional<StringToken> stringAt(std::string_view text);

} // namespace kernelarium::profile
