// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Base64.h"

#include <algorithm>
#include <openssl/evp.h>

namespace kernelarium::files {

namespace {
/// OpenSSL counts in int: whole groups of three bytes, four characters, at a time.
constexpr std::size_t groupsAtATime = std::size_t(1) << 24;
} // namespace

std::string toBase64(std::span<const std::byte> bytes) {
    std::string text((bytes.size() + 2) / 3 * 4, '\0');
    const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
    auto* to = reinterpret_cast<unsigned char*>(text.data());
    for (std::size_t left = bytes.size(); left > 0;) {
        const std::size_t some = std::min(left, groupsAtATime * 3);
        to += EVP_EncodeBlock(to, from, int(some)); // and a zero behind it, which a string has there anyway
        from += some;
        left -= some;
    }
    return text;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    // OpenSSL takes '=' for zero bits wherever it stands, and passes over blanks at both ends: then it gives less.
    const std::size_t padding = std::min(text.find('='), text.size());
    const std::size_t padded = text.size() - padding;
    if (padded > 2 || (padded == 2 && text.back() != '=')) return std::nullopt;
    std::vector<std::byte> bytes(text.size() / 4 * 3);
    auto* to = reinterpret_cast<unsigned char*>(bytes.data());
    for (const char *from = text.data(), *end = from + text.size(); from < end;) {
        const std::size_t some = std::min(std::size_t(end - from), groupsAtATime * 4);
        const int got = EVP_DecodeBlock(to, reinterpret_cast<const unsigned char*>(from), int(some));
        if (got < 0 || std::size_t(got) != some / 4 * 3) return std::nullopt;
        to += got;
        from += some;
    }
    bytes.resize(bytes.size() - padded);
    return bytes;
}

} // namespace kernelarium::files
