// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Value.h"

#include <fmt/format.h>

namespace kernelarium::tuning {

namespace {

struct Writer {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const {
        std::string text = fmt::format("{}", value); // the shortest that reads back as the same number
        if (text.find_first_of(".en") == std::string::npos) text += ".0";
        return text;
    }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const { return value; }
};

} // namespace

std::string textOf(const Value& value) {
    return std::visit(Writer{}, value);
}

} // namespace kernelarium::tuning
