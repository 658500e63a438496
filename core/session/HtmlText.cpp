// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlText.h"

#include "core/text/Html.h"

#include <cmath>
#include <ctime>
#include <fmt/format.h>

namespace kernelarium::session {

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
        noise = fmt::format(" \xc2\xb1 {:.2g}\xc2\xa0%", timing.relativeNoise * 100);
    return fmt::format("<span class=\"time\"><i class=\"mark {0}\"></i>{1:.4g}\xc2\xa0<u>ms</u>{2}</span> "
                       "<small>{0}, {3}, {4} size</small>",
                       origin, timing.milliseconds, noise, text::escapedHtml(timing.device),
                       text::escapedHtml(timing.size));
}

} // namespace kernelarium::session
