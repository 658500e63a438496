// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/ValueList.h"

#include "core/tuning/space/NumberLiteral.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kernelarium::tuning {

namespace {

constexpr const char* listForm = "Values are listed like `8, 16, 32`, `128..1024 step 128` or `pow2 32..1024`.";

std::optional<Value> negated(const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return -*real;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return -*integer; // literals are not negative
    return std::nullopt;
}

double asReal(const Value& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? double(*integer) : std::get<double>(value);
}

/// A word with what may belong to it: "unsigned int", "std::size_t", "float*", up to the comma.
std::optional<Value> readWord(MarkStream& stream, TextProblems& problems) {
    const MarkToken first = stream.peek();
    std::string text;
    std::size_t end = first.end;
    while (!stream.atEntryEnd() && !stream.isSymbol(",")) {
        const MarkToken& token = stream.next();
        if (!text.empty() && token.begin > end) text += ' ';
        text += token.text;
        end = token.end;
    }
    if (text == "true" || text == "True") return true;
    if (text == "false" || text == "False") return false;
    if (isPlainWord(text)) return text;
    problems.push_back({first.begin, end, "`" + text.substr(0, 60) + "` is no value.", listForm});
    return std::nullopt;
}

/// Reads the items of one list.
class ListReader {
public:
    ListReader(MarkStream& stream, TextProblems& problems)
        : m_stream(stream)
        , m_problems(problems) {}

    std::optional<std::vector<Value>> run() {
        if (m_stream.atEntryEnd()) {
            refuse(m_stream.peek(), "No values are listed.", listForm);
            return std::nullopt;
        }
        const std::size_t begin = m_stream.peek().begin;
        do {
            if (m_stream.atEntryEnd()) break; // a comma at the end
            if (!item()) return std::nullopt;
        } while (m_stream.take(","));
        if (!m_stream.atEntryEnd()) {
            refuse(m_stream.peek(), "After a value comes a comma, and here is " + m_stream.found() + ".", listForm);
            return std::nullopt;
        }
        const std::size_t end = std::max(begin, m_stream.peek().begin);
        if (const std::optional<std::string> wrong = unifyValues(m_values)) {
            m_problems.push_back({begin, end, *wrong, {}});
            return std::nullopt;
        }
        std::set<Value> seen;
        for (const Value& value : m_values)
            if (!seen.insert(value).second) {
                m_problems.push_back({begin, end, "`" + textOf(value) + "` is listed twice.", "Leave one out."});
                return std::nullopt;
            }
        return std::move(m_values);
    }

private:
    void refuse(const MarkToken& at, std::string message, std::string action) {
        m_problems.push_back({at.begin, at.end, std::move(message), std::move(action)});
    }

    bool item() {
        const MarkToken at = m_stream.peek();
        const bool powers = m_stream.isWord("pow2");
        if (powers) m_stream.next();
        const std::optional<Value> first = readValue(m_stream, m_problems);
        if (!first) return false;
        if (!m_stream.take("..")) {
            if (!powers) return add(at, *first);
            refuse(at, "After `pow2` comes a range like 32..1024.", {});
            return false;
        }
        const std::optional<Value> last = readValue(m_stream, m_problems);
        if (!last) return false;
        std::optional<Value> step;
        if (m_stream.takeWord("step") && !(step = readValue(m_stream, m_problems))) return false;
        return range(at, powers, *first, *last, step);
    }

    bool range(const MarkToken& at, bool powers, const Value& first, const Value& last,
               const std::optional<Value>& step) {
        const Value by = step.value_or(Value(std::int64_t(1)));
        for (const Value* value : {&first, &last, &by})
            if (value->index() > 1) {
                refuse(at, "A range goes from a number to a number, and `" + textOf(*value) + "` is none.", {});
                return false;
            }
        const std::string written = textOf(first) + ".." + textOf(last);
        if (asReal(first) > asReal(last)) {
            refuse(at, "The range " + written + " is empty.", "The smaller number comes first.");
            return false;
        }
        if (asReal(by) <= 0) {
            refuse(at, "The step " + textOf(by) + " leads nowhere.", "It has to be larger than 0.");
            return false;
        }
        const bool whole = first.index() == 0 && last.index() == 0 && by.index() == 0;
        if (powers) return powersOfTwo(at, written, whole && !step, first, last);
        return whole ? wholeRange(at, std::get<std::int64_t>(first), std::get<std::int64_t>(last),
                                  std::get<std::int64_t>(by))
                     : realRange(at, asReal(first), asReal(last), asReal(by));
    }

    bool powersOfTwo(const MarkToken& at, const std::string& written, bool sound, const Value& first,
                     const Value& last) {
        if (!sound) {
            refuse(at, "`pow2` goes over integers and takes no step.", {});
            return false;
        }
        const std::size_t before = m_values.size();
        for (int i = 0; i < 63; ++i) {
            const std::int64_t power = std::int64_t(1) << i;
            if (power >= std::get<std::int64_t>(first) && power <= std::get<std::int64_t>(last) && !add(at, power))
                return false;
        }
        if (m_values.size() == before) {
            refuse(at, "There is no power of two in the range " + written + ".", {});
            return false;
        }
        return true;
    }

    bool wholeRange(const MarkToken& at, std::int64_t first, std::int64_t last, std::int64_t step) {
        std::uint64_t distance = std::uint64_t(last) - std::uint64_t(first);
        for (std::int64_t value = first;; value += step, distance -= std::uint64_t(step)) {
            if (!add(at, value)) return false;
            if (distance < std::uint64_t(step)) return true;
        }
    }

    bool realRange(const MarkToken& at, double first, double last, double step) {
        const double count = std::floor((last - first) / step * (1 + 1e-12) + 1e-9);
        if (!(count < double(mostValues))) return tooMany(at);
        for (double i = 0; i <= count; ++i)
            // 0.1 + 2 * 0.1 is meant to be 0.3: fifteen digits are what a double keeps of a decimal number.
            if (!add(at, std::stod(fmt::format("{:.15g}", first + i * step)))) return false;
        return true;
    }

    bool tooMany(const MarkToken& at) {
        refuse(at, "The list has more than " + std::to_string(mostValues) + " values.", "Use a larger step, or pow2.");
        return false;
    }

    template <class T> bool add(const MarkToken& at, T&& value) {
        if (m_values.size() >= mostValues) return tooMany(at);
        m_values.emplace_back(std::forward<T>(value));
        return true;
    }

    MarkStream& m_stream;
    TextProblems& m_problems;
    std::vector<Value> m_values;
};

} // namespace

std::optional<std::vector<Value>> readValueList(MarkStream& stream, TextProblems& problems) {
    return ListReader(stream, problems).run();
}

std::optional<Value> readValue(MarkStream& stream, TextProblems& problems) {
    const MarkToken first = stream.peek();
    if (first.kind == MarkToken::Kind::word) return readWord(stream, problems);
    if (first.kind == MarkToken::Kind::quoted) {
        stream.next();
        std::string text = unquoted(first.text);
        if (isPlainWord(text)) return text;
        problems.push_back({first.begin, first.end,
                            std::string(first.text.substr(0, 60)) + " cannot stand in the text.",
                            "A word is a name, with :: < > , * & or blanks in it."});
        return std::nullopt;
    }
    const bool minus = stream.isSymbol("-");
    if (minus || stream.isSymbol("+")) stream.next();
    const MarkToken number = stream.peek();
    if (number.kind != MarkToken::Kind::number) {
        problems.push_back(
            {number.begin, number.end, "Here a value should stand, not " + stream.found() + ".", listForm});
        return std::nullopt;
    }
    stream.next();
    const std::variant<NumberLiteral, std::string> read = numberLiteral(number.text);
    if (const auto* why = std::get_if<std::string>(&read)) {
        problems.push_back({number.begin, number.end, *why + ".", {}});
        return std::nullopt;
    }
    const Value& value = std::get<NumberLiteral>(read).value;
    return minus ? negated(value) : value;
}

std::optional<std::string> unifyValues(std::vector<Value>& values) {
    bool reals = false;
    const auto kind = [](const Value& v) { return v.index() < 2 ? std::size_t(0) : v.index(); };
    for (const Value& value : values) {
        if (kind(value) != kind(values[0]))
            return "`" + textOf(values[0]) + "` and `" + textOf(value) + "` are not of one kind.";
        reals = reals || std::holds_alternative<double>(value);
    }
    if (reals)
        for (Value& value : values)
            value = asReal(value);
    return std::nullopt;
}

bool isPlainWord(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (text.empty() || text.size() > 256 || !(letter(text[0]) || text[0] == ':')) return false;
    return text.back() != ' ' && std::all_of(text.begin(), text.end(), [&](char c) {
               return letter(c) || (c >= '0' && c <= '9') ||
                      std::string_view(":<>,*& ").find(c) != std::string_view::npos;
           });
}

} // namespace kernelarium::tuning
