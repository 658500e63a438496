// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/Base64.h"

#include <array>
#include <cstdint>

namespace kernelarium::worker {

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<int, 256> makeValues() {
    std::array<int, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        values[static_cast<unsigned char>(alphabet[i])] = int(i);
    return values;
}
} // namespace

std::string toBase64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < have ? std::uint32_t(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= have ? alphabet[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
    static const std::array<int, 256> values = makeValues();
    if (text.size() % 4 != 0) return std::nullopt;
    while (!text.empty() && text.back() == '=' && text.size() % 4 != 2)
        text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = values[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        group = group << 6 | std::uint32_t(value);
        bits += 6;
        if (bits >= 8) bytes.push_back(std::byte(group >> (bits -= 8)));
    }
    return bytes;
}

} // namespace kernelarium::worker
