// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/SourceTokens.h"

#include "core/text/CppLiterals.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace kernelarium::compile {

namespace {

bool isIdentifierStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isIdentifierPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

class Scanner {
public:
    explicit Scanner(std::string_view source)
        : m_source(source) {}

    SourceTokens run() {
        while (m_at < m_source.size())
            step();
        return std::move(m_out);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0';
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            ++m_line;
            ++m_at;
            m_lineStart = true;
        } else if (isSpace(c) || (c == '\\' && (peek(1) == '\n' || peek(1) == '\r'))) {
            if (c == '\\')
                skipContinuation();
            else
                ++m_at;
        } else if (c == '/' && peek(1) == '/') {
            skipLine();
        } else if (c == '/' && peek(1) == '*') {
            passTo(text::afterBlockComment(m_source, m_at));
        } else if (c == '#' && m_lineStart) {
            directive();
        } else {
            m_lineStart = false;
            token(c);
        }
    }

    void token(char c) {
        const std::size_t start = m_at;
        if (isIdentifierStart(c)) {
            while (isIdentifierPart(peek()))
                ++m_at;
            const std::string_view word = m_source.substr(start, m_at - start);
            if (peek() == '"' && isRawPrefix(word)) return literal(start, text::afterRawString(m_source, m_at));
            if ((peek() == '"' || peek() == '\'') && isPrefix(word))
                return literal(start, text::afterQuoted(m_source, m_at));
            add(Token::Kind::identifier, start);
        } else if (std::isdigit(static_cast<unsigned char>(c)) ||
                   (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
            number(start);
        } else if (c == '"' || c == '\'') {
            literal(start, text::afterQuoted(m_source, m_at));
        } else {
            punctuation(start);
        }
    }

    static bool isRawPrefix(std::string_view word) {
        return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    }
    static bool isPrefix(std::string_view word) { return word == "u8" || word == "u" || word == "U" || word == "L"; }

    void number(std::size_t start) {
        while (isIdentifierPart(peek()) || peek() == '.' || (peek() == '\'' && isIdentifierPart(peek(1))) ||
               ((peek() == '+' || peek() == '-') &&
                std::string_view("eEpP").find(m_source[m_at - 1]) != std::string_view::npos))
            ++m_at;
        add(Token::Kind::number, start);
    }

    void punctuation(std::size_t start) {
        m_at += (peek() == ':' && peek(1) == ':') || (peek() == '-' && peek(1) == '>') ? 2 : 1;
        if (m_source.substr(start, 3) == "...") m_at = start + 3;
        add(Token::Kind::punctuation, start);
    }

    void literal(std::size_t start, std::size_t end) {
        passTo(end);
        add(Token::Kind::literal, start);
    }

    void directive() {
        ++m_at;
        while (isSpace(peek()))
            ++m_at;
        const std::size_t start = m_at;
        while (isIdentifierPart(peek()))
            ++m_at;
        Directive found{m_line, m_source.substr(start, m_at - start), {}};
        m_lineStart = false;
        const std::size_t rest = m_at;
        if (found.name != "define") skipLine();
        found.rest = m_source.substr(rest, m_at - rest);
        m_out.directives.push_back(found);
    }

    void skipContinuation() {
        ++m_at;
        if (peek() == '\r') ++m_at;
        if (peek() == '\n') {
            ++m_at;
            ++m_line;
        }
    }
    /// To the end of the logical line, the newline left over.
    void skipLine() {
        while (m_at < m_source.size() && peek() != '\n') {
            if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
                skipContinuation();
            else
                ++m_at;
        }
    }
    void passTo(std::size_t end) {
        m_line +=
            int(std::count(m_source.begin() + std::ptrdiff_t(m_at), m_source.begin() + std::ptrdiff_t(end), '\n'));
        m_at = end;
    }
    void add(Token::Kind kind, std::size_t start) {
        m_out.tokens.push_back(Token{kind, start, m_source.substr(start, m_at - start)});
    }

    std::string_view m_source;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_lineStart = true;
    SourceTokens m_out;
};

} // namespace

SourceTokens tokenize(std::string_view source) {
    return Scanner(source).run();
}

Position positionOf(std::string_view source, std::size_t offset) {
    const std::string_view before = source.substr(0, offset);
    const std::size_t line = std::size_t(std::count(before.begin(), before.end(), '\n'));
    const std::size_t start = before.rfind('\n');
    return {int(line) + 1, int(offset - (start == std::string_view::npos ? 0 : start + 1)) + 1};
}

} // namespace kernelarium::compile
