// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace kernelarium::ptx {

/// What a token is.
enum class TokenKind : std::uint8_t {
    end,
    word,        ///< opcode with its dots, identifier, register, label, directive (starts with '.')
    number,      ///< integer or floating literal, as written
    string,      ///< without the quotes
    punctuation, ///< one character
    bad,         ///< a character that PTX does not have
};

/// A piece of PTX text. The text outlives it.
struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    int line = 1;

    [[nodiscard]] bool is(char c) const { return kind == TokenKind::punctuation && text[0] == c; }
    [[nodiscard]] bool is(std::string_view word) const { return kind == TokenKind::word && text == word; }
};

/// Splits PTX text into tokens; comments are skipped. One token of look-ahead.
class Lexer {
public:
    explicit Lexer(std::string_view text);
    [[nodiscard]] const Token& peek() const { return m_token; }
    Token next();

private:
    void skipBlank();
    Token scan();
    std::string_view m_text;
    std::size_t m_position = 0;
    int m_line = 1;
    Token m_token;
};

} // namespace kernelarium::ptx
