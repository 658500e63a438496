// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::files {

/// RFC 4648, with padding, without line breaks.
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
/// Empty when the text is not base64.
[[nodiscard]] std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

} // namespace kernelarium::files
