// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/Budget.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::cli {

Result<tuning::Budget> budgetOf(const std::string& text) {
    tuning::Budget budget;
    if (text.empty()) return budget;
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    const std::string unit(read.ptr, end);
    const bool isNumber = read.ec == std::errc() && std::isfinite(number) && number > 0 && number < 1e9;
    if (isNumber && unit.empty() && number == std::floor(number)) {
        budget.looks = number;
        return budget;
    }
    for (const auto& [name, seconds] : {std::pair{"s", 1.0}, std::pair{"m", 60.0}, std::pair{"h", 3600.0}})
        if (isNumber && unit == name) {
            budget.seconds = number * seconds;
            return budget;
        }
    return Error{"bad_usage", fmt::format("`{}` is no budget.", text), "Give points (200) or a time (90s, 10m, 2h)."};
}

} // namespace kernelarium::cli
