// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Lexer.h"
#include "gpu/ptx/Module.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace kernelarium::ptx {

/// Thrown inside the parser only; parse() turns it into an Error.
struct ParseFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What module and function parsing share: tokens, literals, variable declarations, `.loc`.
class ParserBase {
protected:
    ParserBase(Lexer& lexer, Module& module)
        : m_lexer(lexer)
        , m_module(module) {}

    [[noreturn]] void fail(const std::string& expected) const;
    void expect(char punctuation);
    bool accept(char punctuation);
    bool accept(std::string_view word);
    std::string_view word(const char* what);
    std::int64_t integer(const char* what);
    std::uint32_t alignment();     ///< after `.align`: a power of two
    void skipTo(char punctuation); ///< up to and with it

    /// After the state-space word: `.align 4 .b8 name[12] = {..};` up to and with the semicolon.
    /// One declaration may name several variables.
    std::vector<Variable> variables(Space space, bool isExtern);
    /// One parameter of a list, up to its comma or closing parenthesis.
    Variable parameter();
    /// After `.loc`: remembers the location and gives its index.
    int location();

private:
    void initialiser(Variable& variable);
    void initialElement(Variable& variable, std::uint64_t& position);

    std::unordered_map<std::uint64_t, int> m_seen; ///< (file, line, column) to its latest location

protected:
    Lexer& m_lexer;
    Module& m_module;
};

/// Bits of a literal: integers in any base, 0f and 0d forms, decimals (as a double). `isFloat32` and `isFloat64` say
/// which form it was. Empty when the text is none.
struct Literal {
    std::uint64_t bits = 0;
    bool isFloat32 = false;
    bool isFloat64 = false;
};
std::optional<Literal> parseLiteral(std::string_view text);

} // namespace kernelarium::ptx
