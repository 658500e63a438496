// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace kernelarium::host {

/// printf over arguments laid out as the device's vprintf has them: one after another, each at its natural
/// alignment (4 bytes for int, 8 for long, pointers and double).
///
/// `fetch` copies bytes at an offset of the argument buffer, `text` gives the string at an address (for %s).
/// A conversion that C does not have is printed as it stands. Fields, and the text as a whole, are no longer than
/// gpu/emulator/run/PrintfSpec.h says.
[[nodiscard]] std::string formatPrintf(std::string_view format,
                                       const std::function<void(std::uint64_t, std::span<std::byte>)>& fetch,
                                       const std::function<std::string(std::uint64_t)>& text);

} // namespace kernelarium::host
