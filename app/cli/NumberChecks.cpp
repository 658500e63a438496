// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/NumberChecks.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace kernelarium::cli {

namespace {

/// Leaves the number as CLI11 reads it: without leading zeros.
template <class Whole> std::string readWhole(std::string& text) {
    Whole number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return fmt::format("`{}` is no whole number{}", text, std::is_signed_v<Whole> ? "" : " from 0 on");
    text = std::to_string(number);
    return {};
}

std::string readFinite(std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(number))
        return fmt::format("`{}` is no number", text);
    return {};
}

/// Whether it is a number at all is checked before.
CLI::Validator bounded(bool (*isRight)(double), const char* bound, const char* name) {
    return {[isRight, bound](std::string& text) {
                return isRight(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                                   : fmt::format("{} is not {}", text, bound);
            },
            name};
}

} // namespace

CLI::Validator positiveNumber() {
    return bounded([](double number) { return number > 0; }, "above 0", "POSITIVE");
}

CLI::Validator numberFromZero() {
    return bounded([](double number) { return number >= 0; }, "0 or above", "NONNEGATIVE");
}

void checkNumbers(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        const std::string type = option->get_type_name();
        if (type.starts_with("UINT"))
            option->transform(CLI::Validator(readWhole<std::uint64_t>, ""));
        else if (type.starts_with("INT"))
            option->transform(CLI::Validator(readWhole<std::int64_t>, ""));
        else if (type.starts_with("FLOAT"))
            option->transform(CLI::Validator(readFinite, ""));
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        checkNumbers(*command);
}

} // namespace kernelarium::cli
