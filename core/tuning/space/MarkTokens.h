// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/TextProblem.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A piece of what stands in a mark, a restriction or a list of values.
struct MarkToken {
    enum class Kind { word, number, quoted, symbol, line, end };
    Kind kind = Kind::end;
    std::size_t begin = 0; ///< bytes of the whole text
    std::size_t end = 0;
    std::string_view text; ///< as it stands, quotes included; of `line` and `end` empty
};

/// The pieces of text[begin, end), `end` always the last. Symbols are the longest of .. ** // <= >= == != && || << >>
/// or one character (of UTF-8). A # ends the line's meaning: what follows is a remark. A line break is a piece where
/// something may end with it: not behind a comma or an operator, not within parentheses, and not behind a backslash.
/// A quotation without an end is a problem.
[[nodiscard]] std::vector<MarkToken> markTokens(std::string_view text, std::size_t begin, std::size_t end,
                                                TextProblems& problems);

/// What stands between the quotes.
[[nodiscard]] std::string unquoted(std::string_view quoted);

/// A reader's place among pieces.
class MarkStream {
public:
    explicit MarkStream(const std::vector<MarkToken>& tokens, std::size_t at = 0)
        : m_tokens(&tokens)
        , m_at(at) {}

    [[nodiscard]] const MarkToken& peek(std::size_t ahead = 0) const {
        const std::size_t last = m_tokens->size() - 1;
        return (*m_tokens)[m_at + ahead < last ? m_at + ahead : last];
    }
    const MarkToken& next() {
        const MarkToken& token = peek();
        if (m_at + 1 < m_tokens->size()) ++m_at;
        return token;
    }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] bool isSymbol(std::string_view text, std::size_t ahead = 0) const {
        return peek(ahead).kind == MarkToken::Kind::symbol && peek(ahead).text == text;
    }
    [[nodiscard]] bool isWord(std::string_view text, std::size_t ahead = 0) const {
        return peek(ahead).kind == MarkToken::Kind::word && peek(ahead).text == text;
    }
    bool take(std::string_view symbol) {
        if (!isSymbol(symbol)) return false;
        next();
        return true;
    }
    bool takeWord(std::string_view word) {
        if (!isWord(word)) return false;
        next();
        return true;
    }
    /// Whether an entry ends here: a semicolon, a line, the text.
    [[nodiscard]] bool atEntryEnd() const {
        return peek().kind == MarkToken::Kind::line || peek().kind == MarkToken::Kind::end || isSymbol(";");
    }
    void skipEntry() {
        while (!atEntryEnd())
            next();
    }
    /// "`16`", or "the end".
    [[nodiscard]] std::string found() const;

private:
    const std::vector<MarkToken>* m_tokens;
    std::size_t m_at;
};

} // namespace kernelarium::tuning
