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

/// The digest of what comes piece by piece.
class Sha256 {
public:
    void add(std::string_view bytes);
    /// Of everything that was added; nothing can be added behind it.
    [[nodiscard]] Digest digest();

private:
    std::array<std::uint32_t, 8> m_state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 128> m_tail{}; ///< what is no whole block of 64 bytes yet
    std::uint64_t m_bytes = 0;
};

/// The first `digits` lower-case hexadecimal digits, 64 at most.
std::string toHex(const Digest& digest, std::size_t digits = 64);

} // namespace kernelarium::archive
