// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/ParserBase.h"

#include <bit>
#include <charconv>

namespace kernelarium::ptx {

namespace {

std::optional<std::uint64_t> digits(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

} // namespace

std::optional<Literal> parseLiteral(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
    if (second == 'f' || second == 'F') {
        const auto bits = digits(text.substr(2), 16);
        if (text.size() != 10 || !bits) return std::nullopt;
        return Literal{*bits, true, false};
    }
    if (second == 'd' || second == 'D') {
        const auto bits = digits(text.substr(2), 16);
        if (text.size() != 18 || !bits) return std::nullopt;
        return Literal{*bits, false, true};
    }
    if (text.find_first_of(".eE") != std::string_view::npos && second != 'x' && second != 'X') {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        return Literal{std::bit_cast<std::uint64_t>(value), false, true};
    }
    if (text.back() == 'U') text.remove_suffix(1);
    std::optional<std::uint64_t> value;
    if (second == 'x' || second == 'X')
        value = digits(text.substr(2), 16);
    else if (second == 'b' || second == 'B')
        value = digits(text.substr(2), 2);
    else if (text.size() > 1 && text[0] == '0')
        value = digits(text.substr(1), 8);
    else
        value = digits(text, 10);
    if (!value) return std::nullopt;
    return Literal{*value, false, false};
}

} // namespace kernelarium::ptx
