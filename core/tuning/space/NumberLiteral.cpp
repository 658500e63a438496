// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/NumberLiteral.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kernelarium::tuning {

namespace {

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return out;
}

bool isIntegerSuffix(std::string_view suffix) {
    const std::string s = lowered(suffix);
    static constexpr std::string_view known[] = {"", "u", "l", "ll", "ul", "ull", "lu", "llu", "z", "uz", "zu"};
    return std::find(std::begin(known), std::end(known), s) != std::end(known);
}

bool isFloatSuffix(std::string_view suffix) {
    const std::string s = lowered(suffix);
    return s.empty() || s == "f" || s == "l";
}

} // namespace

std::variant<NumberLiteral, std::string> numberLiteral(std::string_view text) {
    const std::string shown = "`" + std::string(text.substr(0, 60)) + "`";
    std::string digits(text);
    digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
    const std::string low = lowered(digits);
    int base = 10;
    std::size_t from = 0;
    if (low.starts_with("0x")) {
        base = 16;
        from = 2;
    } else if (low.starts_with("0b")) {
        base = 2;
        from = 2;
    } else if (low.size() > 1 && low[0] == '0' && low[1] >= '0' && low[1] <= '9' &&
               low.find_first_of(".e") == std::string::npos) {
        base = 8;
        from = 1;
    }
    const char* first = digits.data() + from;
    const char* last = digits.data() + digits.size();
    if (base == 16 && low.find_first_of(".p") != std::string::npos)
        return shown + " is a hexadecimal number with a point, which is not understood here";
    if (base == 10 && low.find_first_of(".e") != std::string::npos) {
        double real = 0;
        const auto [end, error] = std::from_chars(first, last, real);
        if (error == std::errc::result_out_of_range || std::isinf(real)) return shown + " is out of a double's range";
        const std::string suffix(end, last);
        if (error != std::errc() || !isFloatSuffix(suffix)) return shown + " is no number";
        return NumberLiteral{real, suffix};
    }
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(first, last, integer, base);
    const std::string suffix(end, last);
    if (error == std::errc::invalid_argument || !isIntegerSuffix(suffix)) return shown + " is no number";
    if (error == std::errc::result_out_of_range) return shown + " is larger than 9223372036854775807";
    return NumberLiteral{integer, suffix};
}

} // namespace kernelarium::tuning
