// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/PrintfSpec.h"

#include <algorithm>

namespace kernelarium::emulator {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

int boundedNumber(std::string_view text, std::size_t& at) {
    int value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at)
        value = std::min(value * 10 + (text[at] - '0'), widestField);
    return value;
}

} // namespace

std::string boundedSpec(std::string_view spec) {
    std::string out = "%";
    std::size_t at = spec.starts_with('%') ? 1 : 0;
    for (; at < spec.size() && std::string_view("-+ #0").find(spec[at]) != std::string_view::npos; ++at)
        if (out.find(spec[at]) == std::string::npos) out += spec[at];
    if (at < spec.size() && isDigit(spec[at])) out += std::to_string(boundedNumber(spec, at));
    if (at >= spec.size() || spec[at] != '.') return out;
    ++at;
    if (at < spec.size() && spec[at] == '-') return out; // a negative precision is none
    return out + '.' + std::to_string(boundedNumber(spec, at));
}

} // namespace kernelarium::emulator
