// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace kernelarium::files {

/// SHA-256 digest (FIPS 180-4); the content hash of a text is the digest of its UTF-8 bytes, so that
/// `sha256sum kernel.cu` prints the same.
using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);

/// The digest of what comes piece by piece.
class Sha256 {
public:
    Sha256();
    void add(std::string_view bytes);
    /// Of everything that was added; nothing can be added behind it.
    [[nodiscard]] Digest digest();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

/// The first `digits` lower-case hexadecimal digits, 64 at most.
std::string toHex(const Digest& digest, std::size_t digits = 64);

} // namespace kernelarium::files
