// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/Lexer.h"

namespace kernelarium::ptx {

namespace {
bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || c == '.';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
// Dots join an opcode and its modifiers; colons only occur doubled, in ".shared::cta".
bool isWordPart(char c) {
    return isWordStart(c) || isDigit(c);
}
} // namespace

Lexer::Lexer(std::string_view text)
    : m_text(text) {
    m_token = scan();
}

Token Lexer::next() {
    Token current = m_token;
    m_token = scan();
    return current;
}

void Lexer::skipBlank() {
    while (m_position < m_text.size()) {
        const char c = m_text[m_position];
        if (c == '\n') {
            ++m_line;
            ++m_position;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++m_position;
        } else if (c == '/' && m_text.substr(m_position, 2) == "//") {
            while (m_position < m_text.size() && m_text[m_position] != '\n')
                ++m_position;
        } else if (c == '/' && m_text.substr(m_position, 2) == "/*") {
            const std::size_t close = m_text.find("*/", m_position + 2);
            const std::size_t stop = close == std::string_view::npos ? m_text.size() : close + 2;
            for (; m_position < stop; ++m_position)
                if (m_text[m_position] == '\n') ++m_line;
        } else {
            return;
        }
    }
}

Token Lexer::scan() {
    skipBlank();
    Token token;
    token.line = m_line;
    if (m_position >= m_text.size()) return token;
    const std::size_t start = m_position;
    const char c = m_text[start];
    // A leading dot followed by a digit would be a number, but PTX writes 0.5.
    if (isWordStart(c)) {
        token.kind = TokenKind::word;
        for (++m_position; m_position < m_text.size(); ++m_position) {
            // ".reg.b32" are two words, as ".reg .b32" are; an opcode and its modifiers are one.
            if (c == '.' && m_text[m_position] == '.') break;
            if (isWordPart(m_text[m_position])) continue;
            if (m_text.substr(m_position, 2) == "::") {
                ++m_position;
                continue;
            }
            break;
        }
    } else if (isDigit(c)) {
        token.kind = TokenKind::number;
        for (++m_position; m_position < m_text.size(); ++m_position) {
            const char d = m_text[m_position];
            const bool exponentSign =
                (d == '+' || d == '-') && (m_text[m_position - 1] == 'e' || m_text[m_position - 1] == 'E') &&
                m_text.substr(start, 2) != "0x" && m_text.substr(start, 2) != "0f" && m_text.substr(start, 2) != "0d" &&
                m_text.substr(start, 2) != "0F" && m_text.substr(start, 2) != "0D" && m_text.substr(start, 2) != "0X";
            if (!isWordPart(d) && !exponentSign) break;
        }
    } else if (c == '"') {
        token.kind = TokenKind::string;
        for (++m_position; m_position < m_text.size() && m_text[m_position] != '"'; ++m_position)
            if (m_text[m_position] == '\n') ++m_line;
        token.text = m_text.substr(start + 1, m_position - start - 1);
        if (m_position < m_text.size()) ++m_position;
        return token;
    } else {
        constexpr std::string_view punctuation = "{}()[]<>,;:+-*/@!|=~&^?";
        token.kind = punctuation.find(c) == std::string_view::npos ? TokenKind::bad : TokenKind::punctuation;
        ++m_position;
    }
    token.text = m_text.substr(start, m_position - start);
    return token;
}

} // namespace kernelarium::ptx
