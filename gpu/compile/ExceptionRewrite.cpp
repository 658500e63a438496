// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/ExceptionRewrite.h"

#include "gpu/compile/SourceTokens.h"
#include "gpu/compile/TryVariables.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kernelarium::compile {

namespace {

class Rewriter {
public:
    Rewriter(std::string_view source, const SourceTokens& tokens)
        : m_source(source)
        , m_all(tokens)
        , m_tokens(tokens.tokens) {
        m_out.text = source;
    }

    RewrittenSource run() {
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            if (m_tokens[i].kind != Token::Kind::identifier) continue;
            if (m_tokens[i].text == "try")
                rewriteTry(i);
            else if (m_tokens[i].text == "catch")
                rewriteCatch(i);
            else if (m_tokens[i].text == "throw")
                rewriteThrow(i);
            else if (m_tokens[i].text == "thread_local")
                put(i, isStorage(before(i)) || isStorage(text(i + 1)) ? "            " : "static      ");
        }
        return std::move(m_out);
    }

private:
    [[nodiscard]] std::string_view text(std::size_t i) const {
        return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
    }
    [[nodiscard]] std::string_view before(std::size_t i) const { return i > 0 ? text(i - 1) : std::string_view(); }

    void put(std::size_t i, std::string_view name) {
        m_out.text.replace(m_tokens[i].offset, name.size(), name);
        m_out.changed = true;
    }

    [[nodiscard]] static bool isStorage(std::string_view word) { return word == "static" || word == "extern"; }

    void rewriteTry(std::size_t i) {
        if (!m_variables) m_variables.emplace(m_source, m_all);
        // The parameters of a macro around it are not a function's.
        const bool inMacro = !m_variables->macroAround(i).empty();
        if (text(i + 1) == ":" || (text(i + 1) == "{" && !inMacro && isFunctionTry(i))) {
            const Position at = positionOf(m_source, m_tokens[i].offset);
            m_out.refused.push_back(
                {"kernel.cu", at.line, at.column, Severity::error,
                 "a function-try-block is not supported in host code; put the try block inside the function"});
        } else {
            guardTry(i);
        }
    }

    void guardTry(std::size_t i) {
        const Position at = positionOf(m_source, m_tokens[i].offset);
        const std::string_view macro = m_variables->macroAround(i);
        std::vector<TryName> names = macro.empty() ? m_variables->changedBy(i) : std::vector<TryName>();
        const std::string own = names.empty() ? std::string() : freeName();
        if (!macro.empty() || (!names.empty() && own.empty())) {
            const std::string where = macro.empty() ? "" : " of the macro " + std::string(macro);
            m_out.warnings.push_back(
                {"kernel.cu", at.line, at.column, Severity::warning,
                 "the variables that the try block" + where +
                     " changes are not known; after an exception they may have their value from before it"});
        }
        if (own.empty()) return put(i, "_kT");
        put(i, own);
        m_out.guards.push_back({at.line, at.column, own, std::move(names), {}});
    }

    /// As long as `try`, and not used in the source; empty when there are no more.
    std::string freeName() {
        static constexpr std::string_view ends = "0123456789abcdefghijklmnopqrstuvwxyz";
        for (; m_nextName < ends.size() * 26; ++m_nextName) {
            // _k0 to _kz, then _l0 and so on.
            const char head = ends[10 + (10 + m_nextName / ends.size()) % 26];
            const std::string name{'_', head, ends[m_nextName % ends.size()]};
            const bool taken =
                std::any_of(m_tokens.begin(), m_tokens.end(), [&](const Token& t) { return t.text == name; });
            if (taken) continue;
            ++m_nextName;
            return name;
        }
        return {};
    }

    /// `f() try {`: a parameter list stands before it, not the condition of an if, for, while or switch.
    [[nodiscard]] bool isFunctionTry(std::size_t i) const {
        const std::string_view previous = before(i);
        if (previous == "const" || previous == "noexcept" || previous == "override") return true;
        if (previous != ")") return false;
        int depth = 0;
        for (std::size_t j = i; j-- > 0;) {
            if (text(j) == ")") ++depth;
            if (text(j) == "(" && --depth == 0) {
                static constexpr std::array<std::string_view, 4> control{"if", "for", "while", "switch"};
                const std::string_view owner = before(j) == "constexpr" ? std::string_view("if") : before(j);
                return std::find(control.begin(), control.end(), owner) == control.end();
            }
        }
        return false;
    }

    void rewriteCatch(std::size_t i) {
        if (text(i + 1) != "(") return;
        std::size_t end = i + 2;
        for (int depth = 1; end < m_tokens.size(); ++end) {
            if (text(end) == "(") ++depth;
            if (text(end) == ")" && --depth == 0) break;
        }
        if (text(i + 2) == "...")
            put(i, "__caE");
        else
            put(i, isNamed(i + 2, end) ? "__caN" : "__caU");
    }

    /// Whether the declaration [first, last) of a handler ends in a name of its own.
    [[nodiscard]] bool isNamed(std::size_t first, std::size_t last) const {
        if (last <= first + 1 || m_tokens[last - 1].kind != Token::Kind::identifier) return false;
        static constexpr std::array<std::string_view, 14> partOfType{
            "const", "volatile", "int",    "char", "unsigned", "signed", "long",
            "short", "float",    "double", "bool", "struct",   "class",  "typename"};
        const auto isPart = [](std::string_view word) {
            return std::find(partOfType.begin(), partOfType.end(), word) != partOfType.end();
        };
        if (isPart(text(last - 1))) return false;
        const std::string_view previous = text(last - 2);
        if (previous == "::") return false;
        if (previous == "&" || previous == "*" || previous == ">") return true;
        static constexpr std::array<std::string_view, 5> leaves{"const", "volatile", "struct", "class", "typename"};
        // `const E` names a type; `E const e` does not reach here without a type before the const.
        if (std::find(leaves.begin(), leaves.end(), previous) != leaves.end())
            return last - first > 2 && m_tokens[last - 3].kind == Token::Kind::identifier && !isPart(text(last - 3));
        return true;
    }

    void rewriteThrow(std::size_t i) {
        const std::string_view next = text(i + 1);
        const bool specification =
            next == "(" && text(i + 2) == ")" && (before(i) == ")" || before(i) == "const" || before(i) == "volatile");
        if (specification) return;
        put(i, next == ";" || next == ")" || next == ":" || next == "," ? "__thR" : "__thV");
    }

    std::string_view m_source;
    const SourceTokens& m_all;
    const std::vector<Token>& m_tokens;
    std::optional<TryVariables> m_variables; // made for the first try block
    std::size_t m_nextName = 0;
    RewrittenSource m_out;
};

} // namespace

RewrittenSource rewriteExceptions(std::string_view source, const SourceTokens& tokens) {
    return Rewriter(source, tokens).run();
}

} // namespace kernelarium::compile
