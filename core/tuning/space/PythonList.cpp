// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PythonList.h"

#include "core/tuning/space/ExpressionParser.h"
#include "core/tuning/space/ValueList.h"

namespace kernelarium::tuning {

namespace {

constexpr const char* understood = "Understood are lists, range() and comprehensions over one name, joined with +.";
constexpr int deepestList = 16;

class PythonReader {
public:
    PythonReader(std::string_view text, TextProblems& problems)
        : m_problems(problems)
        , m_tokens(markTokens(text, 0, text.size(), problems))
        , m_stream(m_tokens) {}

    std::optional<std::vector<Value>> run() {
        std::vector<Value> values;
        const bool isList = m_stream.isSymbol("[") || m_stream.isSymbol("(") || isCall("list") || isCall("range");
        if (isList ? !list(values) : !items(values, {})) return std::nullopt;
        if (m_stream.peek().kind != MarkToken::Kind::end &&
            !refuse("The list does not go on with " + m_stream.found() + "."))
            return std::nullopt;
        return values;
    }

private:
    bool refuse(std::string message) {
        m_problems.push_back({m_stream.peek().begin, m_stream.peek().end, std::move(message), understood});
        return false;
    }
    bool isCall(std::string_view name) const { return m_stream.isWord(name) && m_stream.isSymbol("(", 1); }
    bool expect(std::string_view symbol) {
        return m_stream.take(symbol) ||
               refuse("Here a `" + std::string(symbol) + "` should stand, not " + m_stream.found() + ".");
    }

    bool list(std::vector<Value>& values) {
        do {
            if (!part(values)) return false;
        } while (m_stream.take("+"));
        return true;
    }

    bool part(std::vector<Value>& values) {
        if (++m_depth > deepestList) return refuse("Lists are nested in more than 16 levels.");
        bool sound = false;
        if (isCall("list")) {
            m_stream.next();
            m_stream.next();
            sound = list(values) && expect(")");
        } else if (isCall("range")) {
            m_stream.next();
            m_stream.next();
            sound = range(values);
        } else if (m_stream.isSymbol("[") || m_stream.isSymbol("(")) {
            const std::string_view close = m_stream.next().text == "[" ? "]" : ")";
            sound = isComprehension() ? comprehension(values) : items(values, close);
            sound = sound && expect(close);
        } else {
            refuse("Here a list should stand, not " + m_stream.found() + ".");
        }
        --m_depth;
        return sound;
    }

    std::optional<Expression> expression(const std::vector<Parameter>& names) {
        const ExpressionNames known{&names, {}};
        TextProblems problems;
        std::optional<Expression> parsed = parseExpression(m_stream, known, Expression::Rules::python, problems);
        for (TextProblem& problem : problems) {
            problem.action = understood;
            m_problems.push_back(std::move(problem));
        }
        return parsed;
    }

    bool items(std::vector<Value>& values, std::string_view close) {
        while (close.empty() ? !m_stream.atEntryEnd() : !m_stream.isSymbol(close)) {
            const std::optional<Expression> parsed = expression({});
            if (!parsed || !add(values, parsed->value({}))) return false;
            if (!m_stream.take(",")) break;
        }
        return true;
    }

    bool add(std::vector<Value>& values, std::optional<Value> value) {
        if (!value) return refuse("A value cannot be calculated.");
        if (values.size() >= mostValues)
            return refuse("The list has more than " + std::to_string(mostValues) + " values.");
        values.push_back(*std::move(value));
        return true;
    }

    bool range(std::vector<Value>& values) {
        std::vector<Value> given;
        if (!items(given, ")") || !expect(")")) return false;
        std::int64_t number[3] = {0, 0, 1};
        if (given.empty() || given.size() > 3) return refuse("range() takes one to three integers.");
        for (std::size_t i = 0; i < given.size(); ++i) {
            const auto* integer = std::get_if<std::int64_t>(&given[i]);
            if (!integer) return refuse("range() takes integers, not " + textOf(given[i]) + ".");
            number[given.size() == 1 ? 1 : i] = *integer;
        }
        const auto [first, last, step] = number;
        if (step == 0) return refuse("The step 0 of range() leads nowhere.");
        for (std::int64_t value = first; step > 0 ? value < last : value > last;) {
            if (!add(values, value)) return false;
            if (__builtin_add_overflow(value, step, &value)) break;
        }
        return true;
    }

    /// Whether `for` comes before the bracket closes.
    bool isComprehension() const {
        int depth = 0;
        for (std::size_t i = 0; m_stream.peek(i).kind != MarkToken::Kind::end; ++i) {
            if (m_stream.isSymbol("(", i) || m_stream.isSymbol("[", i)) ++depth;
            if ((m_stream.isSymbol(")", i) || m_stream.isSymbol("]", i)) && --depth < 0) return false;
            if (depth == 0 && m_stream.isWord("for", i)) return true;
        }
        return false;
    }

    /// "2 * i for i in range(9) if i % 2"
    bool comprehension(std::vector<Value>& values) {
        std::size_t ahead = 0;
        while (!m_stream.isWord("for", ahead))
            ++ahead;
        const MarkToken name = m_stream.peek(ahead + 1);
        if (name.kind != MarkToken::Kind::word) return refuse("After `for` comes a name.");
        const std::vector<Parameter> names{{std::string(name.text), {}, 0}};
        const std::optional<Expression> element = expression(names);
        if (!element) return false;
        if (!m_stream.takeWord("for")) return refuse("Here `for` should stand, not " + m_stream.found() + ".");
        m_stream.next();
        if (!m_stream.takeWord("in")) return refuse("Here `in` should stand, not " + m_stream.found() + ".");
        std::vector<Value> over;
        if (!list(over)) return false;
        std::optional<Expression> condition;
        if (m_stream.takeWord("if") && !(condition = expression(names))) return false;
        if (m_stream.isWord("for") || m_stream.isWord("if"))
            return refuse("A comprehension with a second `" + std::string(m_stream.peek().text) +
                          "` is not understood.");
        for (const Value& value : over) {
            if (condition && !condition->holds({&value})) continue;
            if (!add(values, element->value({&value}))) return false;
        }
        return true;
    }

    TextProblems& m_problems;
    std::vector<MarkToken> m_tokens;
    MarkStream m_stream;
    int m_depth = 0;
};

} // namespace

std::optional<std::vector<Value>> readPythonList(std::string_view text, TextProblems& problems) {
    const std::size_t before = problems.size();
    std::optional<std::vector<Value>> values = PythonReader(text, problems).run();
    if (problems.size() > before) return std::nullopt;
    return values;
}

} // namespace kernelarium::tuning
