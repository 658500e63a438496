// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/Utf8.h"

namespace kernelarium::text {

namespace {

/// The bytes of the character that begins there, or 0 where there is none.
std::size_t characterAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(at), second = byte(at + 1);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80; // shorter forms exist
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;  // surrogates; beyond U+10FFFF
    if (second < least || second > most) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(at + i) & 0xC0) != 0x80) return 0;
    return length;
}

} // namespace

std::size_t validUtf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = characterAt(text, at);
        if (length == 0) break;
        at += length;
    }
    return at;
}

std::string asUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterAt(text, at);
        out += length == 0 ? std::string_view("?") : text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return out;
}

} // namespace kernelarium::text
