// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernelarium::tuning {

/// A #define of a text.
struct MacroDefinition {
    std::string_view name;
    std::size_t begin = 0; ///< bytes: of its #
    std::size_t end = 0;   ///< behind its last piece
    bool takesArguments = false;
    bool conditional = false;    ///< within #if, #ifdef or #ifndef, but for its own `#ifndef NAME`
    std::vector<CodeToken> body; ///< with the arguments' names, where it takes some
};

/// A function of a text: by its pieces of code.
struct FunctionDefinition {
    std::size_t head = 0;       ///< the first piece of its declaration
    std::size_t name = 0;       ///< its last word, where it is qualified
    std::size_t parameters = 0; ///< the parenthesis that opens
    std::size_t body = 0;       ///< the brace that opens
};

/// The code of a text without its directives: what encloses what, and what is conditional. Nothing is preprocessed.
class CodeMap {
public:
    static constexpr std::size_t none = std::size_t(-1);

    explicit CodeMap(std::string_view text);

    [[nodiscard]] std::string_view text() const { return m_text; }
    [[nodiscard]] const std::vector<CodeToken>& code() const { return m_code; }
    [[nodiscard]] std::string_view word(std::size_t at) const { return m_code[at].of(m_text); }
    [[nodiscard]] bool isWord(std::size_t at) const {
        return at < m_code.size() && m_code[at].kind == CodeToken::Kind::word;
    }
    [[nodiscard]] bool isWord(std::size_t at, std::string_view word) const {
        return isWord(at) && m_code[at].is(m_text, word);
    }
    [[nodiscard]] bool isSymbol(std::size_t at, char c) const {
        return at < m_code.size() && m_code[at].kind == CodeToken::Kind::symbol && m_text[m_code[at].begin] == c;
    }
    /// Symbols that touch each other, such as <<<.
    [[nodiscard]] bool isSymbols(std::size_t at, std::string_view symbols) const;

    /// Of a bracket its partner, of everything else `none`; so of one without.
    [[nodiscard]] std::size_t partner(std::size_t at) const { return m_partner[at]; }
    /// The innermost bracket ( [ { that encloses a piece, or `none`.
    [[nodiscard]] std::size_t enclosing(std::size_t at) const { return m_enclosing[at]; }
    [[nodiscard]] bool conditional(std::size_t at) const { return m_conditional[at]; }
    /// Outside of all braces but those of namespaces and extern "C".
    [[nodiscard]] bool atNamespaceLevel(std::size_t at) const;
    /// The first piece of the declaration or statement that a piece is in.
    [[nodiscard]] std::size_t statementBegin(std::size_t at) const;

    [[nodiscard]] const std::vector<std::size_t>& occurrences(std::string_view word) const;
    [[nodiscard]] const std::vector<MacroDefinition>& macros() const { return m_macros; }
    [[nodiscard]] bool undefines(std::string_view name) const; ///< a #undef takes it back

    /// Functions of that name with a body, at namespace level.
    [[nodiscard]] std::vector<FunctionDefinition> functions(std::string_view name) const;
    /// The function that the module gives to Python under that name, or `forward`, or the only one: the last word of
    /// what stands behind m.def's &. Empty where that is not plain.
    [[nodiscard]] std::string_view entry(std::string_view wanted) const;

private:
    void readDirective(const std::vector<CodeToken>& all, std::size_t& at);
    void match();

    std::string_view m_text;
    std::vector<CodeToken> m_code;
    std::vector<bool> m_conditional;
    std::vector<std::size_t> m_partner, m_enclosing;
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_words;
    std::vector<MacroDefinition> m_macros;
    std::vector<std::string_view> m_undefined;
    std::vector<std::string_view> m_open; ///< #if without its #endif yet: the name of #ifndef NAME
};

} // namespace kernelarium::tuning
