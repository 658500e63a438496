// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::quantities {

namespace {

/// Separates the thousands before the decimal point.
std::string grouped(std::string digits) {
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = std::min(digits.find('.'), digits.size()); at > begin + 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

std::string withoutTrailingZeros(std::string digits) {
    if (digits.find('.') == std::string::npos) return digits;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

/// Decimal places that give `digits` significant ones.
int places(double value, int digits) {
    return std::max(0, digits - 1 - int(std::floor(std::log10(std::abs(value)))));
}

std::string notFinite(double value) {
    return std::isnan(value) ? "NaN" : value > 0 ? "∞" : "-∞";
}

} // namespace

std::string number(double value, int digits) {
    if (!std::isfinite(value)) return notFinite(value);
    if (value == 0) return "0";
    if (std::abs(value) < 1e-4 || std::abs(value) >= 1e9) return fmt::format("{:.{}g}", value, digits);
    return grouped(withoutTrailingZeros(fmt::format("{:.{}f}", value, places(value, digits))));
}

std::string count(double value) {
    return std::isfinite(value) ? grouped(fmt::format("{:.0f}", value)) : notFinite(value);
}

std::string counted(double value, std::string_view one, std::string_view many) {
    if (std::round(value) == 1) return fmt::format("1 {}", one);
    return many.empty() ? fmt::format("{} {}s", count(value), one) : fmt::format("{} {}", count(value), many);
}

std::string si(double value, std::string_view unit, int digits) {
    constexpr std::string_view prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
    constexpr int smallest = -4, largest = 6;
    int step = 0;
    if (std::isfinite(value) && value != 0) {
        step = int(std::floor(std::log10(std::abs(value)) / 3 + 1e-12));
        // 999.6 rounds to 1000, which is one of the next prefix.
        if (std::abs(value) / std::pow(1000.0, step) >= 1000 - 0.5 * std::pow(10.0, 3 - std::max(digits, 3))) ++step;
        step = std::clamp(step, smallest, largest);
    }
    const std::string figure = number(value / std::pow(1000.0, step), digits);
    const std::string_view prefix = prefixes[step - smallest];
    return prefix.empty() && unit.empty() ? figure : fmt::format("{} {}{}", figure, prefix, unit);
}

std::string bytes(double value) {
    return std::abs(value) < 999.5 ? fmt::format("{} B", count(value)) : si(value, "B");
}

std::string seconds(double value, int digits) {
    return std::abs(value) < 1 ? si(value, "s", digits) : fmt::format("{} s", number(value, digits));
}

std::string timeLeft(double seconds) {
    if (!std::isfinite(seconds)) return "unknown";
    if (seconds < 90) return fmt::format("{:.0f} s", std::max(0.0, seconds));
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

std::string percent(double share) {
    constexpr double least = 1e-4, rounding = 1e-10;
    if (!std::isfinite(share)) return notFinite(share);
    const double value = 100 * share, size = std::abs(value), fromWhole = std::abs(size - 100);
    if (value == 0) return "0%";
    if (size < least) return value > 0 ? "<0.0001%" : ">-0.0001%";
    if (fromWhole <= rounding) return value > 0 ? "100%" : "-100%";
    if (fromWhole < 0.005) return size < 100 ? ">99.99%" : "100%";
    const int decimals = size < 9.95 ? places(value, 2) : fromWhole < 0.095 ? 2 : fromWhole < 0.95 ? 1 : 0;
    return withoutTrailingZeros(fmt::format("{:.{}f}", value, decimals)) + '%';
}

std::string times(double ratio) {
    if (!std::isfinite(ratio)) return notFinite(ratio) + "×";
    const bool hasDigits = ratio == 0 || std::abs(ratio) >= 0.1; // in two decimal places
    return grouped(fmt::format("{:.{}f}", ratio, hasDigits ? 2 : std::min(places(ratio, 2), 6))) + "×";
}

} // namespace kernelarium::quantities
