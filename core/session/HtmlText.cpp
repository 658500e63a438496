// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlText.h"

#include "core/quantities/Quantities.h"

#include <cmath>
#include <ctime>
#include <fmt/format.h>

namespace kernelarium::session {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

/// Length of the well-formed UTF-8 sequence at the beginning; 0 when there is none (Unicode, table 3-7).
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) > 0x9f;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool overlong = first == 0xf0 && byte(1) < 0x90;
        const bool beyond = first == 0xf4 && byte(1) > 0x8f;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

std::string_view entity(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
    }
}

} // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto length = sequenceLength(text);
        const char c = text.front();
        const bool control = length == 1 && ((c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7f);
        if (length == 0 || control)
            out += replacement;
        else if (const auto name = entity(c); !name.empty())
            out += name;
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
        };
        const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
        out += digits[group >> 18];
        out += digits[group >> 12 & 63];
        out += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
        out += i + 2 < bytes.size() ? digits[group & 63] : '=';
    }
    return out;
}

std::string utcText(std::int64_t milliseconds) {
    const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
    std::tm parts{};
    if (gmtime_r(&seconds, &parts) == nullptr) return "unknown time";
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min);
}

std::string timingHtml(const Timing& timing) {
    const auto origin = name(timing.origin);
    std::string noise;
    if (std::isfinite(timing.relativeNoise))
        noise = fmt::format(" \xc2\xb1 {}", quantities::percent(timing.relativeNoise));
    return fmt::format("<span class=\"time\"><i class=\"mark {0}\"></i>{1}\xc2\xa0<u>ms</u>{2}</span> "
                       "<small>{0}, {3}, {4} size</small>",
                       origin, quantities::number(timing.milliseconds, 4), noise, escaped(timing.device),
                       escaped(timing.size));
}

} // namespace kernelarium::session
