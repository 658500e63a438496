// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/TunableText.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {

const char* kindOf(const Value& value) {
    static constexpr const char* names[] = {"the integer", "the number", "the boolean", "the word"};
    return names[value.index()];
}

/// What was read from one place to another, on one line.
std::string oneLine(MarkStream from, const MarkStream& to) {
    std::string line;
    std::size_t end = from.peek().begin;
    while (from.at() < to.at()) {
        const MarkToken& piece = from.next();
        if (piece.begin > end) line += ' ';
        line += piece.text;
        end = piece.end;
    }
    return line;
}

Space::Restriction restrictionOf(Expression parsed, std::string text) {
    const auto expression = std::make_shared<const Expression>(std::move(parsed));
    return {std::move(text), [expression](const Space::Values& values) { return expression->holds(values); },
            expression->reads()};
}

/// `a and b` is two restrictions: each can be asked as soon as what it reads is set.
bool readConjuncts(MarkStream& stream, const ExpressionNames& names, Expression::Rules rules, TextProblems& problems,
                   std::vector<Space::Restriction>& restrictions) {
    const MarkStream begin = stream;
    const std::size_t before = restrictions.size();
    do {
        const MarkStream from = stream;
        std::optional<Expression> parsed = parseConjunct(stream, names, rules, problems);
        if (!parsed) return false;
        restrictions.push_back(restrictionOf(*std::move(parsed), oneLine(from, stream)));
    } while (stream.takeWord("and") || stream.take("&&"));
    if (!stream.isWord("or") && !stream.isSymbol("||") && !stream.isSymbol("?") && !stream.isWord("if")) return true;
    restrictions.resize(before);
    stream = begin;
    std::optional<Expression> parsed = parseExpression(stream, names, rules, problems);
    if (!parsed) return false;
    restrictions.push_back(restrictionOf(*std::move(parsed), oneLine(begin, stream)));
    return true;
}

} // namespace

std::optional<std::string> fitValues(std::vector<Value>& values, const Spot& spot) {
    if (values.empty()) return std::nullopt;
    const std::size_t own = spot.own.index();
    if (own == 1 && values[0].index() == 0)
        for (Value& value : values)
            value = double(std::get<std::int64_t>(value));
    if (values[0].index() == own) return std::nullopt;
    return std::string("The text has ") + kindOf(spot.own) + " `" + textOf(spot.own) + "` there, and `" +
           textOf(values[0]) + "` cannot stand in its place.";
}

std::optional<std::string> fitSetting(const std::vector<Value>& values, CompileSetting::Kind kind) {
    for (const Value& value : values) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (kind == CompileSetting::Kind::fastMath && !std::holds_alternative<bool>(value))
            return "fast_math is false or true, not `" + textOf(value) + "`.";
        if (kind == CompileSetting::Kind::registers && !(number && (*number == 0 || (*number >= 16 && *number <= 255))))
            return "registers is 0 for no cap or a number from 16 to 255, not `" + textOf(value) + "`.";
    }
    return std::nullopt;
}

std::vector<Space::Restriction> readRestrictions(MarkStream& stream, const ExpressionNames& names,
                                                 Expression::Rules rules, TextProblems& problems) {
    std::vector<Space::Restriction> restrictions;
    do {
        if (!readConjuncts(stream, names, rules, problems, restrictions)) return restrictions;
    } while (stream.take(","));
    if (!stream.atEntryEnd()) {
        const MarkToken& at = stream.peek();
        problems.push_back(
            {at.begin, at.end, "The condition does not go on with " + stream.found() + ".",
             at.text == "=" ? "Equality is `==`." : "Conditions are parted by commas or joined with `and`, `or`."});
    }
    return restrictions;
}

std::string listed(const std::vector<Value>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size() && i < 12; ++i)
        text += (i > 0 ? ", " : "") + textOf(values[i]);
    return values.size() > 12 ? text + ", ..." : text;
}

} // namespace kernelarium::tuning
