// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/ExpressionParser.h"

#include "core/tuning/space/NumberLiteral.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kernelarium::tuning {

namespace {

using StepCode = Expression::Code;

/// What a part of an expression may be, known before any point is.
using Kinds = unsigned;
constexpr Kinds numberKind = 1, wordKind = 2, eitherKind = 3;

constexpr int deepestNesting = 64;

struct BinaryOperator {
    std::string_view symbol;
    StepCode cpp;
    StepCode python;
};
constexpr std::array<BinaryOperator, 2> sums{
    {{"+", StepCode::add, StepCode::add}, {"-", StepCode::subtract, StepCode::subtract}}};
constexpr std::array<BinaryOperator, 4> products{{{"*", StepCode::multiply, StepCode::multiply},
                                                  {"/", StepCode::divide, StepCode::trueDivide},
                                                  {"%", StepCode::remainder, StepCode::floorRemainder},
                                                  {"//", StepCode::floorDivide, StepCode::floorDivide}}};
constexpr std::array<std::pair<std::string_view, StepCode>, 6> comparisons{{{"==", StepCode::equal},
                                                                            {"!=", StepCode::unequal},
                                                                            {"<", StepCode::less},
                                                                            {"<=", StepCode::lessEqual},
                                                                            {">", StepCode::greater},
                                                                            {">=", StepCode::greaterEqual}}};

struct ExpressionFunction {
    std::string_view name;
    StepCode code;
    std::size_t least;
    std::size_t most;
};
constexpr std::size_t anyNumber = 1000;
constexpr std::array<ExpressionFunction, 6> expressionFunctions{{{"min", StepCode::smaller, 2, anyNumber},
                                                                 {"max", StepCode::larger, 2, anyNumber},
                                                                 {"abs", StepCode::absolute, 1, 1},
                                                                 {"pow2", StepCode::powerOfTwo, 1, 1},
                                                                 {"int", StepCode::toInteger, 1, 1},
                                                                 {"float", StepCode::toReal, 1, 1}}};

struct Refused {}; // the problem is written down; nothing of the expression is of use

class ExpressionReader {
public:
    ExpressionReader(MarkStream& stream, const ExpressionNames& names, Expression::Rules rules, TextProblems& problems)
        : m_stream(stream)
        , m_names(names)
        , m_python(rules == Expression::Rules::python)
        , m_problems(problems) {}

    std::optional<Expression> run(bool onlyConjunct) {
        try {
            if (onlyConjunct)
                negation();
            else
                whole();
        } catch (const Refused&) {
            return std::nullopt;
        }
        return Expression(std::move(m_steps), std::move(m_constants));
    }

private:
    [[noreturn]] void refuse(const MarkToken& at, std::string message, std::string action = {}) {
        m_problems.push_back({at.begin, at.end, std::move(message), std::move(action)});
        throw Refused();
    }

    // The steps, and how deep the stack is behind them.
    std::size_t emit(StepCode code, int change, std::size_t operand = 0, StepCode extra = StepCode::constant) {
        m_depth += change;
        if (m_depth > int(Expression::deepestStack))
            refuse(m_stream.peek(), "The expression needs too many values at once.", "Split it into several.");
        m_steps.push_back({code, extra, std::uint32_t(operand)});
        return m_steps.size() - 1;
    }
    template <class T> void constant(T&& value) {
        m_constants.emplace_back(std::forward<T>(value));
        emit(StepCode::constant, 1, m_constants.size() - 1);
    }
    void land(std::size_t jump) { m_steps[jump].operand = std::uint32_t(m_steps.size()); }

    Kinds whole() {
        if (++m_nesting > deepestNesting)
            refuse(m_stream.peek(), "The expression is nested in more than 64 levels.", "Split it into several.");
        Kinds kinds = conditional();
        --m_nesting;
        return kinds;
    }

    Kinds conditional() {
        const std::size_t begin = m_steps.size();
        const Kinds kinds = anyOf();
        if (m_stream.take("?")) {
            const std::size_t toElse = emit(StepCode::jumpIfFalse, -1);
            return branches(toElse, [this] {
                if (!m_stream.take(":"))
                    refuse(m_stream.peek(), "After `a ? b` comes `: c`, and here is " + m_stream.found() + ".");
            });
        }
        if (m_stream.isWord("if")) return pythonConditional(begin, kinds);
        return kinds;
    }

    /// The two branches behind a condition, with what is between them.
    template <class Between> Kinds branches(std::size_t toElse, const Between& between) {
        const Kinds first = whole();
        between();
        const std::size_t toEnd = emit(StepCode::jump, -1);
        land(toElse);
        const Kinds second = whole();
        land(toEnd);
        return first | second;
    }

    /// "b if a else c": b is read already; a is moved before it.
    Kinds pythonConditional(std::size_t begin, Kinds first) {
        const MarkToken at = m_stream.next();
        std::vector<Expression::Step> value(m_steps.begin() + std::ptrdiff_t(begin), m_steps.end());
        m_steps.resize(begin);
        m_depth -= 1;
        anyOf();
        const std::size_t toElse = emit(StepCode::jumpIfFalse, -1);
        const std::size_t moved = m_steps.size() - begin;
        for (Expression::Step& step : value) {
            if (isJump(step.code)) step.operand += std::uint32_t(moved);
            m_steps.push_back(step);
        }
        if (!m_stream.takeWord("else"))
            refuse(at, "After `b if a` comes `else c`, and there is " + m_stream.found() + ".");
        const std::size_t toEnd = emit(StepCode::jump, 0);
        land(toElse);
        const Kinds second = whole();
        land(toEnd);
        return first | second;
    }

    static bool isJump(StepCode code) {
        return code == StepCode::jump || code == StepCode::jumpIfFalse || code == StepCode::keepIfTrue ||
               code == StepCode::keepIfFalse || code == StepCode::chain || code == StepCode::matches;
    }

    Kinds anyOf() {
        return joined([this] { return allOf(); }, [this] { return m_stream.take("||") || m_stream.takeWord("or"); },
                      StepCode::keepIfTrue);
    }
    Kinds allOf() {
        return joined([this] { return negation(); }, [this] { return m_stream.take("&&") || m_stream.takeWord("and"); },
                      StepCode::keepIfFalse);
    }
    template <class Part, class Take> Kinds joined(const Part& part, const Take& take, StepCode keep) {
        Kinds kinds = part();
        std::vector<std::size_t> jumps;
        while (take()) {
            if (!m_python) emit(StepCode::truth, 0);
            jumps.push_back(emit(keep, -1));
            kinds |= part();
        }
        if (jumps.empty()) return kinds;
        if (!m_python) {
            emit(StepCode::truth, 0);
            kinds = numberKind;
        }
        for (const std::size_t jump : jumps)
            land(jump);
        return kinds;
    }

    Kinds negation() {
        bool inverted = false, any = false;
        while (m_stream.isWord("not")) {
            m_stream.next();
            inverted = !inverted;
            any = true;
        }
        const Kinds kinds = comparison();
        if (!any) return kinds;
        emit(inverted ? StepCode::invert : StepCode::truth, 0);
        return numberKind;
    }

    Kinds comparison() {
        Kinds left = sum();
        std::vector<std::size_t> jumps;
        bool equality = false, order = false;
        for (;;) {
            const MarkToken at = m_stream.peek();
            if (m_stream.isWord("in") || (m_stream.isWord("not") && m_stream.isWord("in", 1))) {
                if (!jumps.empty()) refuse(at, "`in` stands in a chain of comparisons.", "Put parentheses.");
                left = member(left);
                continue;
            }
            const auto found = std::find_if(comparisons.begin(), comparisons.end(),
                                            [&](const auto& c) { return m_stream.isSymbol(c.first); });
            if (found == comparisons.end()) break;
            m_stream.next();
            (found->second == StepCode::equal || found->second == StepCode::unequal ? equality : order) = true;
            if (equality && order && !m_python)
                refuse(at, "`" + std::string(at.text) + "` stands in a chain with comparisons of the other kind.",
                       "Put parentheses around what is meant first.");
            const Kinds right = sum();
            checkCompared(at, found->second, left, right);
            if (isComparisonNext())
                jumps.push_back(emit(StepCode::chain, -1, 0, found->second));
            else
                emit(found->second, -1);
            left = isComparisonNext() ? right : numberKind;
            if (!isComparisonNext()) break;
        }
        for (const std::size_t jump : jumps)
            land(jump);
        return left;
    }
    bool isComparisonNext() const {
        return std::any_of(comparisons.begin(), comparisons.end(),
                           [&](const auto& c) { return m_stream.isSymbol(c.first); });
    }
    void checkCompared(const MarkToken& at, StepCode code, Kinds left, Kinds right) {
        if (!(left & right)) refuse(at, "A word is compared with a number.");
        if ((left == wordKind || right == wordKind) && code != StepCode::equal && code != StepCode::unequal)
            refuse(at, "Words have no order.", "Compare them with == and !=.");
    }

    /// x in [a, b]
    Kinds member(Kinds left) {
        const bool inverted = m_stream.takeWord("not");
        m_stream.next();
        const MarkToken open = m_stream.peek();
        const std::string_view close = open.text == "[" ? "]" : open.text == "(" ? ")" : open.text == "{" ? "}" : "";
        if (open.kind != MarkToken::Kind::symbol || close.empty())
            refuse(open, "After `in` comes a list like [8, 16], and here is " + m_stream.found() + ".");
        m_stream.next();
        std::vector<std::size_t> jumps;
        while (!m_stream.isSymbol(close)) {
            const MarkToken at = m_stream.peek();
            checkCompared(at, StepCode::equal, left, whole());
            jumps.push_back(emit(StepCode::matches, -1));
            if (!m_stream.take(",")) break;
        }
        if (!m_stream.take(close))
            refuse(open, "The list that begins here needs a `" + std::string(close) + "`, and there is " +
                             m_stream.found() + ".");
        emit(StepCode::isNone, 0);
        for (const std::size_t jump : jumps)
            land(jump);
        if (inverted) emit(StepCode::invert, 0);
        return numberKind;
    }

    template <std::size_t n, class Part>
    Kinds chainOf(const std::array<BinaryOperator, n>& operators, const Part& part) {
        Kinds left = part();
        for (;;) {
            const MarkToken at = m_stream.peek();
            const auto found = std::find_if(operators.begin(), operators.end(),
                                            [&](const BinaryOperator& o) { return m_stream.isSymbol(o.symbol); });
            if (found == operators.end()) return left;
            m_stream.next();
            const Kinds right = part();
            checkNumber(at, left & right);
            emit(m_python ? found->python : found->cpp, -1);
            left = numberKind;
        }
    }
    void checkNumber(const MarkToken& at, Kinds kinds) {
        if (!(kinds & numberKind)) refuse(at, "`" + std::string(at.text) + "` is for numbers, and here stands a word.");
    }
    Kinds sum() {
        return chainOf(sums, [this] { return product(); });
    }
    Kinds product() {
        return chainOf(products, [this] { return sign(); });
    }

    Kinds sign() {
        const MarkToken at = m_stream.peek();
        if (!m_stream.isSymbol("-") && !m_stream.isSymbol("+") && !m_stream.isSymbol("!")) return power();
        m_stream.next();
        if (++m_nesting > deepestNesting)
            refuse(at, "The expression is nested in more than 64 levels.", "Split it into several.");
        const Kinds kinds = sign();
        --m_nesting;
        if (at.text != "!") checkNumber(at, kinds);
        emit(at.text == "-" ? StepCode::negate : at.text == "+" ? StepCode::plus : StepCode::invert, 0);
        return numberKind;
    }

    Kinds power() {
        const Kinds base = primary();
        const MarkToken at = m_stream.peek();
        if (!m_stream.take("**")) return base;
        if (++m_nesting > deepestNesting)
            refuse(at, "The expression is nested in more than 64 levels.", "Split it into several.");
        const Kinds exponent = sign();
        --m_nesting;
        checkNumber(at, base & exponent);
        emit(StepCode::power, -1);
        return numberKind;
    }

    Kinds primary() {
        const MarkToken at = m_stream.peek();
        switch (at.kind) {
        case MarkToken::Kind::number: {
            std::variant<NumberLiteral, std::string> read = numberLiteral(at.text);
            if (const auto* why = std::get_if<std::string>(&read)) refuse(at, *why + ".");
            m_stream.next();
            constant(std::get<NumberLiteral>(read).value);
            return numberKind;
        }
        case MarkToken::Kind::quoted:
            m_stream.next();
            constant(unquoted(at.text));
            return wordKind;
        case MarkToken::Kind::word: return name();
        default: break;
        }
        if (m_stream.take("(")) {
            const Kinds kinds = whole();
            if (!m_stream.take(")"))
                refuse(at, "The parenthesis that opens here needs a `)`, and there is " + m_stream.found() + ".");
            return kinds;
        }
        refuse(at, "Here a number or a name should stand, not " + m_stream.found() + ".");
    }

    Kinds name() {
        const MarkToken at = m_stream.next();
        if (m_stream.isSymbol("(")) return call(at);
        if (at.text == "true" || at.text == "True" || at.text == "false" || at.text == "False") {
            constant(at.text[0] == 't' || at.text[0] == 'T');
            return numberKind;
        }
        const std::vector<Parameter>& parameters = *m_names.parameters;
        const auto parameter =
            std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == at.text; });
        if (parameter != parameters.end()) {
            emit(StepCode::parameter, 1, std::size_t(parameter - parameters.begin()));
            Kinds kinds = 0;
            for (const Value& value : parameter->values)
                kinds |= std::holds_alternative<std::string>(value) ? wordKind : numberKind;
            return kinds ? kinds : eitherKind;
        }
        if (const std::optional<Value> known = m_names.constant ? m_names.constant(at.text) : std::nullopt) {
            constant(*known);
            return std::holds_alternative<std::string>(*known) ? wordKind : numberKind;
        }
        for (const Parameter& p : parameters) {
            if (std::find(p.values.begin(), p.values.end(), Value(std::string(at.text))) == p.values.end()) continue;
            constant(std::string(at.text));
            return wordKind;
        }
        std::string known;
        for (const Parameter& p : parameters)
            known += (known.empty() ? "" : ", ") + p.name;
        if (known.size() > 200) known.resize(200);
        refuse(at, "`" + std::string(at.text.substr(0, 60)) + "` is no parameter.",
               known.empty() ? "There are none." : "Parameters are: " + known + ".");
    }

    Kinds call(const MarkToken& at) {
        const auto* function = std::find_if(expressionFunctions.begin(), expressionFunctions.end(),
                                            [&](const ExpressionFunction& f) { return f.name == at.text; });
        if (function == expressionFunctions.end())
            refuse(at, "`" + std::string(at.text.substr(0, 60)) + "` is no function here.",
                   "There are min, max, abs, pow2, int and float.");
        m_stream.next();
        std::size_t count = 0;
        if (!m_stream.isSymbol(")")) {
            do {
                const Kinds kinds = whole();
                checkNumber(at, kinds);
                ++count;
                if (count > 1 && function->most > 1) emit(function->code, -1);
            } while (m_stream.take(","));
        }
        if (!m_stream.take(")"))
            refuse(at, "`" + std::string(at.text) + "(` needs a `)`, and there is " + m_stream.found() + ".");
        if (count < function->least || count > function->most)
            refuse(at, "`" + std::string(at.text) + "` takes " +
                           (function->most == 1 ? "one value" : "two values or more") + ", not " +
                           std::to_string(count) + ".");
        if (function->most == 1) emit(function->code, 0);
        return numberKind;
    }

    MarkStream& m_stream;
    const ExpressionNames& m_names;
    bool m_python;
    TextProblems& m_problems;
    std::vector<Expression::Step> m_steps;
    std::vector<Value> m_constants;
    int m_depth = 0;
    int m_nesting = 0;
};

} // namespace

std::optional<Expression> parseExpression(MarkStream& stream, const ExpressionNames& names, Expression::Rules rules,
                                          TextProblems& problems) {
    return ExpressionReader(stream, names, rules, problems).run(false);
}

std::optional<Expression> parseConjunct(MarkStream& stream, const ExpressionNames& names, Expression::Rules rules,
                                        TextProblems& problems) {
    return ExpressionReader(stream, names, rules, problems).run(true);
}

const std::vector<std::string>& expressionWords() {
    static const std::vector<std::string> words{"abs", "and", "else", "false", "float", "if",   "in",
                                                "int", "max", "min",  "not",   "or",    "pow2", "true"};
    return words;
}

} // namespace kernelarium::tuning
