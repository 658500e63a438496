// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchTokens.h"

#include "core/archive/search/SearchFields.h"

#include <fmt/format.h>
#include <optional>
#include <set>

namespace kernelarium::archive {

namespace {

using Kind = SearchToken::Kind;

constexpr std::size_t mostGroups = 100; ///< what comes behind them is text

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool beginsWord(char c) {
    return isWordPart(c) && !(c >= '0' && c <= '9');
}

class Tokens {
public:
    Tokens(std::string_view typed, bool isRegex)
        : m_typed(typed)
        , m_isRegex(isRegex) {}

    std::vector<SearchToken> all() {
        while (m_at < m_typed.size()) {
            if (isBlank(m_typed[m_at])) {
                ++m_at;
            } else if (m_closes.contains(m_at)) {
                m_closes.erase(m_at);
                add(Kind::close, 1);
            } else if (!takeSign() && !takeField()) {
                takeText();
            }
        }
        return std::move(m_tokens);
    }

private:
    void add(Kind kind, std::size_t length) {
        m_tokens.push_back({kind, {m_at, length}});
        m_at += length;
    }
    [[nodiscard]] bool isBehindNegation() const { return !m_tokens.empty() && m_tokens.back().kind == Kind::negation; }
    /// Where the word at `at` ends: at a blank, or at a parenthesis that closes a group.
    [[nodiscard]] std::size_t wordEnd(std::size_t at) const {
        while (at < m_typed.size() && !isBlank(m_typed[at]) && !m_closes.contains(at))
            ++at;
        return at;
    }

    bool takeSign() {
        const std::string_view word = m_typed.substr(m_at, wordEnd(m_at) - m_at);
        for (const auto& [name, kind] :
             {std::pair{"OR", Kind::either}, std::pair{"AND", Kind::both}, std::pair{"NOT", Kind::negation}})
            if (word == name) {
                add(kind, word.size());
                return true;
            }
        if (word.front() == '-' && isNegation()) {
            add(Kind::negation, 1);
            return true;
        }
        if (word.front() == '(') return takeOpen();
        if (word.front() == '"' && isBehindNegation()) {
            const auto close = std::min(m_typed.find('"', m_at + 1), m_typed.size());
            m_tokens.push_back({Kind::phrase, {m_at + 1, close - m_at - 1}});
            m_at = std::min(close + 1, m_typed.size());
            return true;
        }
        return false;
    }

    [[nodiscard]] bool isNegation() const {
        if (m_at + 1 >= m_typed.size()) return false;
        const char next = m_typed[m_at + 1];
        if (!beginsWord(next) && next != '"' && next != '(') return false;
        if (m_tokens.empty() || m_tokens.back().kind != Kind::text) return true;
        return isWordPart(m_typed[m_tokens.back().end() - 1]);
    }

    bool takeOpen() {
        if (m_groups == mostGroups) return false;
        int depth = 0;
        std::size_t close = m_at;
        for (; close < m_typed.size(); ++close) {
            const char c = m_typed[close];
            if (c == '"' && close > 0 && (m_typed[close - 1] == ':' || m_typed[close - 1] == '-'))
                close = std::min(m_typed.find('"', close + 1), m_typed.size() - 1); // what stands in quotes
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        const std::string_view inside = m_typed.substr(m_at + 1, std::max(close, m_at + 1) - m_at - 1);
        if (!isBehindNegation() && !hasLogic(inside)) return false;
        if (close == m_typed.size()) throw BadField{"A parenthesis is not closed.", {m_at, 1}};
        const bool endsWord = close + 1 == m_typed.size() || isBlank(m_typed[close + 1]) || m_typed[close + 1] == ')';
        if (!endsWord) return false;
        ++m_groups;
        m_closes.insert(close);
        add(Kind::open, 1);
        return true;
    }

    /// Whether a text in parentheses is a part of an expression and not code.
    [[nodiscard]] static bool hasLogic(std::string_view inside) {
        for (std::size_t at = 0; at < inside.size();) {
            while (at < inside.size() && isBlank(inside[at]))
                ++at;
            std::size_t end = at;
            while (end < inside.size() && !isBlank(inside[end]))
                ++end;
            std::string_view word = inside.substr(at, end - at);
            at = end;
            if (word == "OR" || word == "AND" || word == "NOT") return true;
            while (!word.empty() && (word.front() == '(' || word.front() == '-'))
                word.remove_prefix(1);
            if (fieldAt(word)) return true;
        }
        return false;
    }

    struct FieldSigns {
        const SearchField* field;
        std::string_view sign;
        std::size_t value; ///< where it begins
    };
    /// A known field with a value at the beginning of a text.
    [[nodiscard]] static std::optional<FieldSigns> fieldAt(std::string_view text) {
        std::size_t end = 0;
        while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '-'))
            ++end;
        const SearchField* known = searchField(text.substr(0, end));
        if (known == nullptr) return std::nullopt;
        const std::string_view rest = text.substr(end);
        std::string_view sign;
        for (const std::string_view each : {">=", "<=", ">", "<", "=", ":"})
            if (rest.starts_with(each)) {
                sign = rest.substr(0, each.size());
                break;
            }
        if (sign.empty() || (!known->isMeasure && sign != ":")) return std::nullopt;
        if (sign == ":" && rest.starts_with("::")) return std::nullopt; // C++'s
        const std::size_t value = end + sign.size();
        if (value >= text.size() || isBlank(text[value])) return std::nullopt; // still being typed
        return FieldSigns{known, sign, value};
    }

    bool takeField() {
        const auto found = fieldAt(m_typed.substr(m_at));
        if (!found) {
            refuseUnknown();
            return false;
        }
        const std::size_t begin = m_at;
        m_at += found->value;
        SearchToken token{Kind::field, {}, {std::string(found->field->name), std::string(found->sign), {}, {}}};
        if (m_typed[m_at] == '"') {
            const auto close = std::min(m_typed.find('"', m_at + 1), m_typed.size());
            token.field.value = m_typed.substr(m_at + 1, close - m_at - 1);
            m_at = std::min(close + 1, m_typed.size());
        } else {
            const std::size_t end = wordEnd(m_at);
            token.field.value = m_typed.substr(m_at, end - m_at);
            m_at = end;
        }
        token.place = token.field.place = {begin, m_at - begin};
        m_tokens.push_back(std::move(token));
        return true;
    }

    /// A word with a colon and something directly behind it is meant as a field; of C++ only labels, `::` and places on
    /// the net look so. With a comparison it is, where the name is much like a measure's and a number follows.
    void refuseUnknown() const {
        if (m_isRegex) return;
        std::size_t end = m_at;
        while (end < m_typed.size() && (isWordPart(m_typed[end]) || (end > m_at && m_typed[end] == '-')))
            ++end;
        if (end == m_at || !beginsWord(m_typed[m_at]) || end + 1 >= m_typed.size()) return;
        const std::string_view name = m_typed.substr(m_at, end - m_at);
        const char sign = m_typed[end], behind = m_typed[end + 1];
        const std::size_t wholeEnd = wordEnd(m_at);
        const auto refuse = [&] {
            const std::string_view whole = m_typed.substr(m_at, wholeEnd - m_at);
            throw BadField{unknownFieldText(name, whole), {m_at, wholeEnd - m_at}};
        };
        if (sign == ':' && behind != ':' && behind != '/' && !isBlank(behind) && wholeEnd > end + 1 &&
            !searchField(name))
            refuse();
        if ((sign == '<' || sign == '>') && behind >= '0' && behind <= '9' && name.size() >= 5)
            if (const SearchField* nearest = nearestSearchField(name);
                nearest && nearest->isMeasure && nearest->name != name && nearest->name.size() >= 5)
                refuse();
    }

    void takeText() { add(Kind::text, wordEnd(m_at) - m_at); }

    std::string_view m_typed;
    bool m_isRegex;
    std::size_t m_at = 0;
    std::size_t m_groups = 0;
    std::set<std::size_t> m_closes;
    std::vector<SearchToken> m_tokens;
};

} // namespace

std::vector<SearchToken> searchTokens(std::string_view typed, bool isRegex) {
    return Tokens(typed, isRegex).all();
}

} // namespace kernelarium::archive
