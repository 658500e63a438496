// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/CodeTokens.h"

#include "core/text/CppLiterals.h"

#include <utility>

namespace kernelarium::tuning {

namespace {

bool beginsWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigitOf(char c) {
    return c >= '0' && c <= '9';
}
bool isWordPart(char c) {
    return beginsWord(c) || isDigitOf(c);
}

class CodeScanner {
public:
    explicit CodeScanner(std::string_view text)
        : m_text(text) {}

    CodeTokens run() {
        while (m_at < m_text.size())
            step();
        endDirective();
        return std::move(m_out);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

    /// The length of a backslash and the line break behind it, or 0.
    std::size_t splice(std::size_t at) const {
        if (m_text[at] != '\\') return 0;
        if (m_text.substr(at + 1, 1) == "\n") return 2;
        return m_text.substr(at + 1, 2) == "\r\n" ? 3 : 0;
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            endDirective();
            ++m_at;
            m_lineStart = true;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            ++m_at;
        } else if (const std::size_t length = splice(m_at)) {
            m_at += length;
        } else if (c == '/' && peek(1) == '/') {
            lineComment();
        } else if (c == '/' && peek(1) == '*') {
            const std::size_t begin = m_at;
            m_at = text::afterBlockComment(m_text, m_at);
            comment(begin, true);
        } else if (c == '#' && m_lineStart) {
            m_lineStart = false;
            m_inDirective = true;
            ++m_at;
            add(CodeToken::Kind::directive, m_at - 1);
        } else {
            m_lineStart = false;
            token(c);
        }
    }

    void lineComment() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '\n') {
            const std::size_t length = splice(m_at);
            m_at += length ? length : 1;
        }
        comment(begin, false);
    }

    void token(char c) {
        const std::size_t begin = m_at;
        if (beginsWord(c)) {
            while (isWordPart(peek()))
                ++m_at;
            const std::string_view word = m_text.substr(begin, m_at - begin);
            const bool quote = peek() == '"' || peek() == '\'';
            if (peek() == '"' && (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR"))
                m_at = text::afterRawString(m_text, m_at);
            else if (quote && (word == "u8" || word == "u" || word == "U" || word == "L"))
                m_at = text::afterQuoted(m_text, m_at);
            else
                return add(CodeToken::Kind::word, begin);
            add(CodeToken::Kind::literal, begin);
        } else if (isDigitOf(c) || (c == '.' && isDigitOf(peek(1)))) {
            while (isWordPart(peek()) || peek() == '.' || (peek() == '\'' && isWordPart(peek(1))) || isExponentSign())
                ++m_at;
            add(CodeToken::Kind::number, begin);
        } else if (c == '"' || c == '\'') {
            m_at = text::afterQuoted(m_text, m_at);
            add(CodeToken::Kind::literal, begin);
        } else {
            ++m_at;
            add(CodeToken::Kind::symbol, begin);
        }
    }

    bool isExponentSign() const {
        return (peek() == '+' || peek() == '-') &&
               std::string_view("eEpP").find(m_text[m_at - 1]) != std::string_view::npos;
    }

    void endDirective() {
        if (!m_inDirective) return;
        add(CodeToken::Kind::endOfDirective, m_at);
        m_inDirective = false;
    }

    void add(CodeToken::Kind kind, std::size_t begin) {
        m_out.code.push_back({kind, m_inDirective, std::uint32_t(begin), std::uint32_t(m_at)});
    }
    void comment(std::size_t begin, bool block) {
        m_out.comments.push_back({std::uint32_t(begin), std::uint32_t(m_at), block, std::uint32_t(m_out.code.size())});
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_lineStart = true;
    bool m_inDirective = false;
    CodeTokens m_out;
};

} // namespace

CodeTokens codeTokens(std::string_view text) {
    return CodeScanner(text).run();
}

} // namespace kernelarium::tuning
