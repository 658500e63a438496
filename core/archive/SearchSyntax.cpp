// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/SearchSyntax.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace kernelarium::archive {
namespace {

constexpr std::array<std::string_view, 13> wordFields = {"task", "level", "op", "class",   "name",    "word", "correct",
                                                         "error", "has",  "uses", "re", "speedup", "compile"};

struct Field {
    std::string_view name;
    std::string_view sign; ///< ":", ">", ">=", "<", "<=", "="
    std::string value;
};

struct BadField {
    std::string message;
};

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

[[noreturn]] void wrong(const Field& field, std::string_view expected) {
    throw BadField{
        fmt::format("{}{}{}: {} should stand there.", field.name, field.sign, field.value, expected)};
}

/// A number all of which is read.
template <class T> T numberOf(const Field& field, std::string_view text) {
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        wrong(field, "a number");
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) wrong(field, "a number");
    return value;
}

bool yesOrNo(const Field& field) {
    if (field.value == "yes" || field.value == "true" || field.value == "1") return true;
    if (field.value == "no" || field.value == "false" || field.value == "0") return false;
    wrong(field, "yes or no");
}

class SyntaxReader {
public:
    SyntaxReader(std::string_view typed, SearchQuery query)
        : m_typed(typed)
        , m_query(std::move(query)) {}

    SearchQuery run() {
        std::string text;
        std::size_t restEnd = 0; ///< behind the last part of the text
        bool joined = false;
        while (skipSpace()) {
            const std::size_t begin = m_at;
            if (auto field = takeField()) {
                apply(*field);
                joined = false;
                continue;
            }
            while (m_at < m_typed.size() && !isSpace(m_typed[m_at]))
                ++m_at;
            if (!text.empty()) text += joined ? m_typed.substr(restEnd, begin - restEnd) : " ";
            text += m_typed.substr(begin, m_at - begin);
            restEnd = m_at;
            joined = true;
        }
        if (m_isRegex && !text.empty())
            throw BadField{fmt::format("Beside re: there is no other text; '{}' stands there.", text)};
        if (!m_isRegex) m_query.text = text;
        return std::move(m_query);
    }

private:
    bool skipSpace() {
        while (m_at < m_typed.size() && isSpace(m_typed[m_at]))
            ++m_at;
        return m_at < m_typed.size();
    }

    /// A field at this place; moves behind it.
    std::optional<Field> takeField() {
        std::size_t end = m_at;
        while (end < m_typed.size() && m_typed[end] >= 'a' && m_typed[end] <= 'z')
            ++end;
        Field field;
        field.name = m_typed.substr(m_at, end - m_at);
        const bool known = field.name == "runtime" ||
                           std::find(wordFields.begin(), wordFields.end(), field.name) != wordFields.end();
        if (!known) return std::nullopt;
        const std::string_view rest = m_typed.substr(end);
        for (const std::string_view sign : {">=", "<=", ">", "<", "=", ":"})
            if (rest.starts_with(sign)) {
                field.sign = rest.substr(0, sign.size());
                break;
            }
        const bool measure = field.name == "speedup" || field.name == "compile" || field.name == "runtime";
        if (field.sign.empty() || (!measure && field.sign != ":")) return std::nullopt;
        if (field.sign == ":" && rest.starts_with("::")) return std::nullopt; // C++'s
        const std::size_t value = end + field.sign.size();
        if (value >= m_typed.size() || isSpace(m_typed[value])) return std::nullopt; // still being typed
        m_at = value;
        field.value = takeValue();
        return field;
    }

    std::string takeValue() {
        if (m_typed[m_at] == '"') {
            const auto close = m_typed.find('"', m_at + 1);
            const std::size_t end = std::min(close, m_typed.size());
            std::string value(m_typed.substr(m_at + 1, end - m_at - 1));
            m_at = std::min(end + 1, m_typed.size());
            return value;
        }
        const std::size_t begin = m_at;
        while (m_at < m_typed.size() && !isSpace(m_typed[m_at]))
            ++m_at;
        return std::string(m_typed.substr(begin, m_at - begin));
    }

    void apply(const Field& field) {
        auto& filter = m_query.kernels.filter;
        if (field.name == "task") return applyTask(field);
        if (field.name == "level") filter.level = numberOf<std::int64_t>(field, field.value);
        if (field.name == "op") filter.op = field.value;
        if (field.name == "name") filter.name = field.value;
        if (field.name == "word") filter.nameWord = field.value;
        if (field.name == "class") {
            filter.operatorClass = operatorClassFromWord(field.value);
            if (!filter.operatorClass) wrong(field, fmt::format("one of {}", fmt::join(operatorClassWords, ", ")));
        }
        if (field.name == "correct") filter.correct = yesOrNo(field);
        if (field.name == "error") applyError(field);
        if (field.name == "has") {
            if (field.value != "ncu") wrong(field, "ncu");
            filter.hasNcu = true;
        }
        if (field.name == "uses") m_query.uses.push_back(field.value);
        if (field.name == "re") {
            m_query.text = field.value;
            m_query.regex = m_isRegex = true;
        }
        if (field.name == "speedup") applyRange(field, filter.minSpeedupNative, filter.maxSpeedupNative);
        if (field.name == "compile") applyRange(field, filter.minSpeedupCompile, filter.maxSpeedupCompile);
        if (field.name == "runtime") applyRange(field, filter.minRuntime, filter.maxRuntime);
    }

    void applyTask(const Field& field) {
        auto& filter = m_query.kernels.filter;
        const auto slash = field.value.find('/');
        if (slash != std::string::npos)
            filter.level = numberOf<std::int64_t>(field, std::string_view(field.value).substr(0, slash));
        filter.task = numberOf<std::int64_t>(
            field, std::string_view(field.value).substr(slash == std::string::npos ? 0 : slash + 1));
    }

    void applyError(const Field& field) {
        auto& filter = m_query.kernels.filter;
        filter.errorKind = errorKindFromWord(field.value);
        if (filter.errorKind) return;
        if (field.value != "yes" && field.value != "no")
            wrong(field, fmt::format("yes, no, or one of {}", fmt::join(errorKindWords, ", ")));
        filter.hasError = field.value == "yes";
    }

    static void applyRange(const Field& field, std::optional<double>& least, std::optional<double>& most) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
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

    std::string_view m_typed;
    SearchQuery m_query;
    std::size_t m_at = 0;
    bool m_isRegex = false;
};

} // namespace

Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query) {
    try {
        return SyntaxReader(typed, std::move(query)).run();
    } catch (const BadField& bad) {
        return Error{"bad_input", bad.message};
    }
}

} // namespace kernelarium::archive
