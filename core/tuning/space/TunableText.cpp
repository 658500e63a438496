// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/TunableText.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {

const char* kindOf(const Value& value) {
    static constexpr const char* names[] = {"the integer", "the number", "the boolean", "the word"};
    return names[value.index()];
}

/// As it was written, on one line.
std::string oneLine(const std::vector<MarkToken>& pieces) {
    std::string line;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0 && pieces[i].begin > pieces[i - 1].end) line += ' ';
        line += pieces[i].text;
    }
    return line;
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
        MarkStream begin = stream;
        std::optional<Expression> parsed = parseExpression(stream, names, rules, problems);
        if (!parsed) return restrictions;
        std::vector<MarkToken> pieces;
        while (begin.at() < stream.at())
            pieces.push_back(begin.next());
        const auto expression = std::make_shared<const Expression>(*std::move(parsed));
        restrictions.push_back({oneLine(pieces),
                                [expression](const Space::Values& values) { return expression->holds(values); },
                                expression->reads()});
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
