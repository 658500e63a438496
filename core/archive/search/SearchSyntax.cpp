// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchSyntax.h"

#include "core/archive/search/Pattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace kernelarium::archive {
namespace {

struct Field {
    std::string_view name;
    std::string_view sign; ///< ":", ">", ">=", "<", "<=", "="
    std::string value;
    SearchProblem place; ///< of the whole field
};

struct BadField {
    std::string message;
    SearchProblem place;
};

const SearchField* knownField(std::string_view name) {
    const auto fields = searchFields();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::vector<std::string_view> errorValues() {
    std::vector<std::string_view> values = {"yes", "no"};
    values.insert(values.end(), errorKindWords.begin(), errorKindWords.end());
    return values;
}

[[noreturn]] void wrong(const Field& field, std::string_view expected) {
    throw BadField{fmt::format("{}{}{}: expected {}.", field.name, field.sign, field.value, expected), field.place};
}

/// A number all of which is read.
template <class T> T numberOf(const Field& field, std::string_view text) {
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) wrong(field, "a number");
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
        std::size_t textBegin = 0;
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
            if (text.empty()) textBegin = begin;
            if (!text.empty()) text += joined ? m_typed.substr(restEnd, begin - restEnd) : " ";
            text += m_typed.substr(begin, m_at - begin);
            restEnd = m_at;
            joined = true;
        }
        if (m_isRegex && m_query.eachWord) throw BadField{"re: and all: cannot be combined.", {0, m_typed.size()}};
        if (ownText() && !text.empty())
            throw BadField{
                fmt::format("{}: cannot be combined with other text ('{}').", m_isRegex ? "re" : "all", text),
                {textBegin, restEnd - textBegin}};
        if (!ownText()) m_query.text = text;
        if (m_query.eachWord) m_query.regex = false;
        if (!m_isRegex && m_query.regex && !text.empty())
            if (auto compiled = Pattern::regex(text, m_query.matchCase); !compiled)
                throw BadField{compiled.error().message, {textBegin, restEnd - textBegin}};
        return std::move(m_query);
    }

    std::string withEachWord() {
        std::string fields, words;
        std::size_t count = 0;
        while (skipSpace()) {
            const std::size_t begin = m_at;
            const auto field = takeField();
            if (field && (field->name == "re" || field->name == "all")) return {};
            while (!field && m_at < m_typed.size() && !isSpace(m_typed[m_at]))
                ++m_at;
            const std::string_view part = m_typed.substr(begin, m_at - begin);
            if (!field && part.find('"') != std::string_view::npos) return {}; // cannot stand in quotes
            if (!field) ++count;
            std::string& kind = field ? fields : words;
            kind += kind.empty() ? "" : " ";
            kind += part;
        }
        if (count < 2) return {};
        return fmt::format("{}{}all:\"{}\"", fields, fields.empty() ? "" : " ", words);
    }

private:
    /// Whether a field says what to look for.
    [[nodiscard]] bool ownText() const { return m_isRegex || m_query.eachWord; }

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
        const SearchField* known = knownField(field.name);
        if (known == nullptr) return std::nullopt;
        const std::string_view rest = m_typed.substr(end);
        for (const std::string_view sign : {">=", "<=", ">", "<", "=", ":"})
            if (rest.starts_with(sign)) {
                field.sign = rest.substr(0, sign.size());
                break;
            }
        if (field.sign.empty() || (!known->isMeasure && field.sign != ":")) return std::nullopt;
        if (field.sign == ":" && rest.starts_with("::")) return std::nullopt; // C++'s
        const std::size_t value = end + field.sign.size();
        if (value >= m_typed.size() || isSpace(m_typed[value])) return std::nullopt; // still being typed
        const std::size_t begin = m_at;
        m_at = value;
        field.value = takeValue();
        field.place = {begin, m_at - begin};
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
            if (auto compiled = Pattern::regex(field.value, m_query.matchCase); !compiled)
                throw BadField{compiled.error().message, field.place};
            m_query.text = field.value;
            m_query.regex = m_isRegex = true;
        }
        if (field.name == "all") {
            m_query.text += (m_query.eachWord ? " " : "") + field.value;
            m_query.eachWord = true;
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

std::span<const SearchField> searchFields() {
    static const std::vector<SearchField> fields = {
        {"task", "task:1/23", "KernelBench level and task, or the task alone"},
        {"level", "level:2", "KernelBench level"},
        {"op", "op:softmax", "part of the operator's name"},
        {"class",
         "class:reduction",
         "operators of that kind",
         false,
         {operatorClassWords.begin(), operatorClassWords.end()}},
        {"name", "name:\"two words\"", "part of the kernel's name"},
        {"word", "word:warp", "a whole word of the kernel's name"},
        {"correct", "correct:yes", "what the archive says", false, {"yes", "no"}},
        {"speedup", "speedup>2", "archived speed-up over PyTorch native", true},
        {"compile", "compile>=1.5", "archived speed-up over torch.compile", true},
        {"runtime", "runtime<0.1", "archived time in milliseconds; also runtime:0.1..0.5", true},
        {"error", "error:compile", "has an error text, or failed at that stage", false, errorValues()},
        {"has", "has:ncu", "a profile is there", false, {"ncu"}},
        {"uses", "uses:wmma", "the code has this whole word"},
        {"re", "re:\"x\\[[0-9]+\\]\"", "a regular expression (RE2) instead of a text"},
        {"all", "all:\"shared conv\"", "each of these words, anywhere in names and code, instead of a text"},
    };
    return fields;
}

std::string searchForEachWord(std::string_view typed) {
    return SyntaxReader(typed, {}).withEachWord();
}

std::string quotedSearchValue(std::string_view value) {
    const bool plain = !value.empty() && value.front() != '"' && std::none_of(value.begin(), value.end(), isSpace);
    return plain ? std::string(value) : fmt::format("\"{}\"", value);
}

Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query, SearchProblem* problem) {
    try {
        return SyntaxReader(typed, std::move(query)).run();
    } catch (const BadField& bad) {
        if (problem != nullptr) *problem = bad.place;
        return Error{"bad_input", bad.message};
    }
}

} // namespace kernelarium::archive
