// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchSyntax.h"

#include "core/archive/search/Pattern.h"
#include "core/archive/search/SearchTokens.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

using TokenKind = SearchToken::Kind;

constexpr int deepestExpression = 60;

bool isLogical(const std::vector<SearchToken>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [](const SearchToken& token) {
        return token.kind != TokenKind::text && token.kind != TokenKind::field;
    });
}

/// Fields and a text, nothing else: all of them hold together.
class PlainReader {
public:
    PlainReader(std::string_view typed, const std::vector<SearchToken>& tokens, SearchQuery query)
        : m_typed(typed)
        , m_tokens(tokens)
        , m_query(std::move(query)) {}

    SearchQuery run() {
        std::string text;
        std::size_t restEnd = 0; ///< behind the last part of the text
        std::size_t textBegin = 0;
        bool joined = false;
        bool isRegex = false;
        for (const SearchToken& token : m_tokens) {
            if (token.kind == TokenKind::field) {
                applyField(token.field, m_query);
                isRegex = isRegex || token.field.name == "re";
                joined = false;
                continue;
            }
            if (text.empty()) textBegin = token.place.at;
            if (!text.empty()) text += joined ? m_typed.substr(restEnd, token.place.at - restEnd) : " ";
            text += m_typed.substr(token.place.at, token.place.length);
            restEnd = token.end();
            joined = true;
        }
        if (isRegex && m_query.eachWord) throw BadField{"re: and all: cannot be combined.", {0, m_typed.size()}};
        const bool ownText = isRegex || m_query.eachWord; // a field says what to look for
        if (ownText && !text.empty())
            throw BadField{fmt::format("{}: cannot be combined with other text ('{}').", isRegex ? "re" : "all", text),
                           {textBegin, restEnd - textBegin}};
        if (!ownText) m_query.text = text;
        if (m_query.eachWord) m_query.regex = false;
        if (!isRegex && m_query.regex && !text.empty())
            if (auto compiled = Pattern::regex(text, m_query.matchCase); !compiled)
                throw BadField{compiled.error().message, {textBegin, restEnd - textBegin}};
        return std::move(m_query);
    }

private:
    std::string_view m_typed;
    const std::vector<SearchToken>& m_tokens;
    SearchQuery m_query;
};

/// An expression: any of (all of (a part or not a part)).
class ExpressionReader {
public:
    ExpressionReader(std::string_view typed, const std::vector<SearchToken>& tokens, const SearchQuery& query)
        : m_typed(typed)
        , m_tokens(tokens)
        , m_query(query) {}

    Condition run() {
        Condition all = anyOf(0);
        // The only thing that ends an expression early is a parenthesis too many, and that is text.
        if (const SearchToken* rest = next()) fail("Nothing is open here.", rest->place);
        return all;
    }

private:
    [[noreturn]] static void fail(const std::string& message, const SearchProblem& place) {
        throw BadField{message, place};
    }
    [[nodiscard]] const SearchToken* next() const { return m_at < m_tokens.size() ? &m_tokens[m_at] : nullptr; }
    [[nodiscard]] bool nextIs(TokenKind kind) const { return next() && next()->kind == kind; }
    [[nodiscard]] std::string wordOf(const SearchToken& token) const {
        return std::string(m_typed.substr(token.place.at, token.place.length));
    }

    Condition anyOf(int depth) {
        if (depth > deepestExpression) fail("Parentheses and NOT are nested too deeply.", next()->place);
        Condition any{.kind = Condition::Kind::any, .parts = {allOf(depth)}};
        while (nextIs(TokenKind::either)) {
            ++m_at;
            any.parts.push_back(allOf(depth));
        }
        return any.parts.size() == 1 ? any.parts.front() : any;
    }

    Condition allOf(int depth) {
        Condition all;
        while (next() && !nextIs(TokenKind::either) && !nextIs(TokenKind::close)) {
            if (nextIs(TokenKind::both)) {
                const SearchToken& word = *next();
                ++m_at;
                if (all.parts.empty() || !next() || nextIs(TokenKind::either) || nextIs(TokenKind::close))
                    fail("AND needs something before it and behind it.", word.place);
                continue;
            }
            all.parts.push_back(one(depth, false));
        }
        if (all.parts.empty()) {
            const SearchToken& beside = next() ? *next() : m_tokens.back();
            fail(beside.kind == TokenKind::either ? "OR needs something before it and behind it."
                                                  : "There is nothing in these parentheses.",
                 beside.place);
        }
        return all.parts.size() == 1 ? all.parts.front() : all;
    }

    /// `single`: behind NOT, which takes one word of a text.
    Condition one(int depth, bool single) {
        if (depth > deepestExpression) fail("Parentheses and NOT are nested too deeply.", m_tokens.back().place);
        const SearchToken& token = *next();
        ++m_at;
        switch (token.kind) {
        case TokenKind::negation: {
            if (!next() || nextIs(TokenKind::either) || nextIs(TokenKind::both) || nextIs(TokenKind::close))
                fail("NOT needs something behind it.", token.place);
            return {.kind = Condition::Kind::without, .parts = {one(depth + 1, true)}};
        }
        case TokenKind::open: {
            Condition inside = anyOf(depth + 1);
            if (!nextIs(TokenKind::close)) fail("A parenthesis is not closed.", token.place);
            ++m_at;
            return inside;
        }
        case TokenKind::field: return conditionOf(token.field, m_query.matchCase);
        case TokenKind::phrase: return textCondition(wordOf(token), token.place);
        default: break;
        }
        std::size_t end = token.end();
        while (!single && nextIs(TokenKind::text))
            end = m_tokens[m_at++].end();
        return textCondition(std::string(m_typed.substr(token.place.at, end - token.place.at)),
                             {token.place.at, end - token.place.at});
    }

    Condition textCondition(std::string text, const SearchProblem& place) {
        if (text.empty()) fail("There is nothing in these quotes.", place);
        if (m_query.regex)
            if (auto compiled = Pattern::regex(text, m_query.matchCase); !compiled)
                fail(compiled.error().message, place);
        return {.kind = Condition::Kind::text, .text = std::move(text), .regex = m_query.regex};
    }

    std::string_view m_typed;
    const std::vector<SearchToken>& m_tokens;
    const SearchQuery& m_query;
    std::size_t m_at = 0;
};

SearchQuery readSearch(std::string_view typed, SearchQuery query) {
    const auto tokens = searchTokens(typed, query.regex);
    if (!isLogical(tokens)) return PlainReader(typed, tokens, std::move(query)).run();
    query.condition =
        bothOf(query.condition, std::make_shared<const Condition>(ExpressionReader(typed, tokens, query).run()));
    query.regex = false; // each of the texts says whether it is one
    return query;
}

} // namespace

Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query, SearchProblem* problem) {
    try {
        return readSearch(typed, std::move(query));
    } catch (const BadField& bad) {
        if (problem != nullptr) *problem = bad.place;
        return Error{"bad_input", bad.message};
    }
}

Result<ConditionPointer> parseCondition(const std::string& field, const std::string& value) {
    try {
        return std::make_shared<const Condition>(conditionOf({field, ":", value, {}}, false));
    } catch (const BadField& bad) {
        return Error{"bad_input", bad.message};
    }
}

std::string searchForEachWord(std::string_view typed) {
    std::vector<SearchToken> tokens;
    try {
        tokens = searchTokens(typed, false);
    } catch (const BadField&) {
        return {};
    }
    if (isLogical(tokens)) return {};
    std::string fields, words;
    std::size_t count = 0;
    for (const SearchToken& token : tokens) {
        const bool isField = token.kind == TokenKind::field;
        if (isField && (token.field.name == "re" || token.field.name == "all")) return {};
        const std::string_view part = typed.substr(token.place.at, token.place.length);
        if (!isField && part.find('"') != std::string_view::npos) return {}; // cannot stand in quotes
        if (!isField) ++count;
        std::string& kind = isField ? fields : words;
        kind += kind.empty() ? "" : " ";
        kind += part;
    }
    if (count < 2) return {};
    return fmt::format("{}{}all:\"{}\"", fields, fields.empty() ? "" : " ", words);
}

} // namespace kernelarium::archive
