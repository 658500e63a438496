// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlText.h"

#include "core/quantities/Quantities.h"
#include "core/text/Html.h"

#include <cmath>
#include <ctime>
#include <fmt/format.h>

namespace kernelarium::session {

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
                       origin, quantities::number(timing.milliseconds, 4), noise, text::escapedHtml(timing.device),
                       text::escapedHtml(timing.size));
}

} // namespace kernelarium::session
