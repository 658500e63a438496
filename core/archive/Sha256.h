// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernelarium::archive {

/// SHA-256 digest (FIPS 180-4); the content hash of a text is the digest of its UTF-8 bytes, so that
/// `sha256sum kernel.cu` prints the same.
using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);

/// The first `digits` lower-case hexadecimal digits, 64 at most.
std::string toHex(const Digest& digest, std::size_t digits = 64);

} // namespace kernelarium::archive
