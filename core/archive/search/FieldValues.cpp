// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/FieldValues.h"

#include "core/archive/search/Pattern.h"
#include "core/archive/search/SearchFields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <sstream>

namespace kernelarium::archive {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void wrong(const TypedField& field, std::string_view expected) {
    throw BadField{fmt::format("{}{}{}: expected {}.", field.name, field.sign, field.value, expected), field.place};
}

/// A number all of which is read.
template <class T> T numberOf(const TypedField& field, std::string_view text) {
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) wrong(field, "a number");
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) wrong(field, "a number");
    return value;
}

bool yesOrNo(const TypedField& field) {
    if (field.value == "yes" || field.value == "true" || field.value == "1") return true;
    if (field.value == "no" || field.value == "false" || field.value == "0") return false;
    wrong(field, "yes or no");
}

/// The values between commas; none of them empty.
std::vector<std::string> listOf(const TypedField& field) {
    std::vector<std::string> values;
    std::istringstream in(field.value);
    for (std::string value; std::getline(in, value, ',');) {
        if (value.empty()) wrong(field, "words with commas between them");
        for (char& c : value)
            c = c == ' ' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
        values.push_back(value);
    }
    if (values.empty() || field.value.ends_with(',')) wrong(field, "words with commas between them");
    return values;
}

/// When a day begins here, and the next one, in milliseconds since 1970.
std::pair<std::int64_t, std::int64_t> dayOf(const TypedField& field, std::string_view text) {
    std::tm day{};
    const std::string copy(text);
    const char* end = strptime(copy.c_str(), "%Y-%m-%d", &day);
    if (end == nullptr || *end != '\0') wrong(field, "a day like 2026-11-23");
    day.tm_isdst = -1;
    std::tm next = day;
    ++next.tm_mday;
    return {std::int64_t(std::mktime(&day)) * 1000, std::int64_t(std::mktime(&next)) * 1000};
}

void applyRange(const TypedField& field, std::optional<double>& least, std::optional<double>& most) {
    const std::string_view text = field.value;
    if (const auto dots = text.find(".."); dots != std::string_view::npos && field.sign == ":") {
        least = numberOf<double>(field, text.substr(0, dots));
        most = numberOf<double>(field, text.substr(dots + 2));
        return;
    }
    const double value = numberOf<double>(field, text);
    if (field.sign == ">") least = std::nextafter(value, infinity);
    if (field.sign == "<") most = std::nextafter(value, -infinity);
    if (field.sign == ">=" || field.sign == "=" || field.sign == ":") least = value;
    if (field.sign == "<=" || field.sign == "=" || field.sign == ":") most = value;
}

void applyDays(const TypedField& field, VerdictTest& test) {
    const std::string_view text = field.value;
    if (const auto dots = text.find(".."); dots != std::string_view::npos && field.sign == ":") {
        test.from = dayOf(field, text.substr(0, dots)).first;
        test.before = dayOf(field, text.substr(dots + 2)).second;
        return;
    }
    const auto [begin, end] = dayOf(field, text);
    if (field.sign == ">") test.from = end;
    if (field.sign == "<") test.before = begin;
    if (field.sign == ">=" || field.sign == "=" || field.sign == ":") test.from = begin;
    if (field.sign == "<=" || field.sign == "=" || field.sign == ":") test.before = end;
}

void applyTask(const TypedField& field, KernelFilter& filter) {
    const auto slash = field.value.find('/');
    if (slash != std::string::npos)
        filter.level = numberOf<std::int64_t>(field, std::string_view(field.value).substr(0, slash));
    filter.task =
        numberOf<std::int64_t>(field, std::string_view(field.value).substr(slash == std::string::npos ? 0 : slash + 1));
}

void applyError(const TypedField& field, KernelFilter& filter) {
    filter.errorKind = errorKindFromWord(field.value);
    if (filter.errorKind) return;
    if (field.value != "yes" && field.value != "no")
        wrong(field, fmt::format("yes, no, or one of {}", fmt::join(errorKindWords, ", ")));
    filter.hasError = field.value == "yes";
}

std::optional<VerdictTest> verdictTestOf(const TypedField& field) {
    VerdictTest test;
    if (field.name == "verdict") {
        test.verdicts = listOf(field);
        const auto& values = searchField("verdict")->values;
        for (const std::string& word : test.verdicts)
            if (std::find(values.begin(), values.end(), word) == values.end())
                wrong(field, fmt::format("one of {}", fmt::join(values, ", ")));
    } else if (field.name == "reason") {
        test.reasons = listOf(field);
    } else if (field.name == "remark") {
        test.remarks = listOf(field);
    } else if (field.name == "checks") {
        applyRange(field, test.minChecks, test.maxChecks);
    } else if (field.name == "when") {
        applyDays(field, test);
    } else {
        return std::nullopt;
    }
    return test;
}

} // namespace

void applyField(const TypedField& field, SearchQuery& query) {
    auto& filter = query.kernels.filter;
    if (const auto test = verdictTestOf(field)) {
        query.condition = bothOf(std::move(query.condition), verdictCondition(*test));
        return;
    }
    if (field.name == "task") applyTask(field, filter);
    if (field.name == "level") filter.level = numberOf<std::int64_t>(field, field.value);
    if (field.name == "op") filter.op = field.value;
    if (field.name == "name") filter.name = field.value;
    if (field.name == "word") filter.nameWord = field.value;
    if (field.name == "class") {
        filter.operatorClass = operatorClassFromWord(field.value);
        if (!filter.operatorClass) wrong(field, fmt::format("one of {}", fmt::join(operatorClassWords, ", ")));
    }
    if (field.name == "correct") filter.correct = yesOrNo(field);
    if (field.name == "error") applyError(field, filter);
    if (field.name == "has") {
        if (field.value != "ncu") wrong(field, "ncu");
        filter.hasNcu = true;
    }
    if (field.name == "uses") query.uses.push_back(field.value);
    if (field.name == "re") {
        if (auto compiled = Pattern::regex(field.value, query.matchCase); !compiled)
            throw BadField{compiled.error().message, field.place};
        query.text = field.value;
        query.regex = true;
    }
    if (field.name == "all") {
        query.text += (query.eachWord ? " " : "") + field.value;
        query.eachWord = true;
    }
    if (field.name == "speedup") applyRange(field, filter.minSpeedupNative, filter.maxSpeedupNative);
    if (field.name == "compile") applyRange(field, filter.minSpeedupCompile, filter.maxSpeedupCompile);
    if (field.name == "runtime") applyRange(field, filter.minRuntime, filter.maxRuntime);
    if (field.name == "native-time") applyRange(field, filter.minNativeRuntime, filter.maxNativeRuntime);
    if (field.name == "compile-time") applyRange(field, filter.minCompileRuntime, filter.maxCompileRuntime);
    if (field.name == "max-diff") applyRange(field, filter.minMaxDiff, filter.maxMaxDiff);
    if (field.name == "bytes") applyRange(field, filter.minCodeBytes, filter.maxCodeBytes);
    if (field.name == "index") applyRange(field, filter.minIndex, filter.maxIndex);
}

Condition conditionOf(const TypedField& field, bool matchCase) {
    using Kind = Condition::Kind;
    SearchQuery alone;
    alone.matchCase = matchCase;
    applyField(field, alone);
    if (alone.condition) return *alone.condition;
    if (!alone.uses.empty()) return {.kind = Kind::uses, .text = alone.uses.front()};
    if (alone.regex) return {.kind = Kind::text, .text = alone.text, .regex = true};
    if (!alone.eachWord) return {.kind = Kind::kernels, .filter = alone.kernels.filter};
    Condition all;
    std::istringstream words(alone.text);
    for (std::string word; words >> word;)
        all.parts.push_back({.kind = Kind::text, .text = word});
    return all;
}

} // namespace kernelarium::archive
