// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/SourceReader.h"

#include <algorithm>
#include <array>

namespace kernelarium::ui {

namespace {

using tuning::CodeToken;

constexpr int deepest = 200;             // nesting that is followed
constexpr std::size_t longestList = 600; // pieces between < and >

template <std::size_t count> bool isOneOf(std::string_view word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words with parentheses of their own in front of a declared name.
bool isAttribute(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"__launch_bounds__", "__attribute__", "alignas", "__align__", "__declspec", "decltype", "__cluster_dims__",
         "__block_size__", "__maxnreg__", "noexcept", "explicit", "requires", "__builtin_align__"});
    return isOneOf(word, words);
}

/// Words that only a declaration begins with.
bool beginsDeclaration(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"const",        "static",       "constexpr", "volatile",  "extern",     "register",
         "thread_local", "constinit",    "mutable",   "auto",      "__shared__", "__device__",
         "__constant__", "__managed__",  "unsigned",  "signed",    "int",        "float",
         "double",       "char",         "bool",      "long",      "short",      "void",
         "typename",     "__restrict__", "alignas",   "__align__", "inline",     "__inline__"});
    return isOneOf(word, words);
}

/// Words that stand before a name and do not declare it, or are no name at all.
bool isKeyword(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>({"return",
                                                                   "goto",
                                                                   "throw",
                                                                   "new",
                                                                   "delete",
                                                                   "else",
                                                                   "case",
                                                                   "co_return",
                                                                   "co_await",
                                                                   "co_yield",
                                                                   "operator",
                                                                   "sizeof",
                                                                   "typeid",
                                                                   "asm",
                                                                   "__asm__",
                                                                   "break",
                                                                   "continue",
                                                                   "default",
                                                                   "do",
                                                                   "if",
                                                                   "for",
                                                                   "while",
                                                                   "switch",
                                                                   "public",
                                                                   "private",
                                                                   "protected",
                                                                   "using",
                                                                   "typedef",
                                                                   "template",
                                                                   "namespace",
                                                                   "friend",
                                                                   "and",
                                                                   "or",
                                                                   "not",
                                                                   "this",
                                                                   "true",
                                                                   "false",
                                                                   "nullptr",
                                                                   "static_cast",
                                                                   "const_cast",
                                                                   "reinterpret_cast",
                                                                   "dynamic_cast",
                                                                   "try",
                                                                   "catch",
                                                                   "static_assert",
                                                                   "final",
                                                                   "override"});
    return isOneOf(word, words);
}

bool isTypeWord(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"const",      "volatile", "int",   "float",    "double", "char", "bool",
         "long",       "short",    "void",  "unsigned", "signed", "auto", "__restrict__",
         "__restrict", "typename", "class", "struct",   "enum",   "union"});
    return isOneOf(word, words);
}

class SourceReading {
public:
    SourceReading(std::string_view text, const std::vector<CodeToken>& code)
        : m_text(text) {
        macros(code);
        for (const CodeToken& token : code)
            if (!token.inDirective && token.kind != CodeToken::Kind::directive &&
                token.kind != CodeToken::Kind::endOfDirective)
                m_code.push_back(token);
        matchBrackets();
    }

    std::vector<SourceDefinition> run() {
        declarations(0, m_code.size());
        return std::move(m_out);
    }

private:
    using At = std::size_t;

    std::string_view text(At i) const { return i < m_code.size() ? m_code[i].of(m_text) : std::string_view(); }
    bool is(At i, std::string_view what) const { return text(i) == what; }
    bool isWord(At i) const { return i < m_code.size() && m_code[i].kind == CodeToken::Kind::word; }
    /// One colon, and not of `::`.
    bool isColon(At i) const { return is(i, ":") && !is(i + 1, ":") && !(i > 0 && is(i - 1, ":")); }
    At matching(At i) const { return std::max(m_match[i], i); }
    std::size_t beginOf(At i) const { return i < m_code.size() ? m_code[i].begin : m_text.size(); }
    std::size_t endOf(At i) const { return i < m_code.size() ? m_code[i].end : m_text.size(); }
    SourceSpan whole() const { return {0, m_text.size()}; }

    void define(At name, SourceSpan scope, bool body = true) {
        if (!isWord(name) || isKeyword(text(name)) || isTypeWord(text(name))) return;
        m_out.push_back({{beginOf(name), endOf(name)}, m_inClass ? whole() : scope, body, m_inClass});
    }

    void macros(const std::vector<CodeToken>& code) {
        for (At i = 0; i + 2 < code.size(); ++i) {
            if (code[i].kind != CodeToken::Kind::directive || !code[i + 1].is(m_text, "define") ||
                code[i + 2].kind != CodeToken::Kind::word)
                continue;
            const CodeToken& name = code[i + 2];
            m_out.push_back({{name.begin, name.end}, whole(), true, false});
            At end = i + 2;
            while (end < code.size() && code[end].kind != CodeToken::Kind::endOfDirective)
                ++end;
            if (i + 3 < end && code[i + 3].is(m_text, "(") && code[i + 3].begin == name.end)
                for (At k = i + 4; k < end && !code[k].is(m_text, ")"); ++k)
                    if (code[k].kind == CodeToken::Kind::word)
                        m_out.push_back({{code[k].begin, code[k].end}, {name.end, code[end - 1].end}, true, false});
        }
    }

    void matchBrackets() {
        m_match.assign(m_code.size(), 0);
        std::vector<At> open;
        for (At i = 0; i < m_code.size(); ++i) {
            const std::string_view t = text(i);
            if (t == "(" || t == "[" || t == "{") open.push_back(i);
            if (t != ")" && t != "]" && t != "}") continue;
            const std::string_view wanted = t == ")" ? "(" : t == "]" ? "[" : "{";
            // A brace closes what was left open in it; a parenthesis too many closes nothing.
            while (t == "}" && !open.empty() && !is(open.back(), "{"))
                open.pop_back();
            if (open.empty() || !is(open.back(), wanted)) continue;
            m_match[open.back()] = i;
            m_match[i] = open.back();
            open.pop_back();
        }
        for (At i : open)
            m_match[i] = is(i, "{") && !m_code.empty() ? m_code.size() - 1 : i;
    }

    /// Behind the > of a < at `i`; `i` itself where it is no list.
    At afterList(At i) const {
        int depth = 0;
        for (At k = i; k < m_code.size() && k < i + longestList; ++k) {
            const std::string_view t = text(k);
            if (t == "(" || t == "[" || t == "{") {
                k = matching(k);
            } else if (t == "<") {
                ++depth;
            } else if (t == ">" && !is(k - 1, "-")) {
                if (--depth == 0) return k + 1;
            } else if (t == ";" || t == ")" || t == "}" || t == "]") {
                return i;
            }
        }
        return i;
    }

    /// The ; that ends what begins at `i`, or `end`.
    At statementEnd(At i, At end) const {
        for (; i < end; ++i) {
            const std::string_view t = text(i);
            if (t == "(" || t == "[" || t == "{")
                i = matching(i);
            else if (t == ";" || t == "}")
                return i;
        }
        return end;
    }

    /// A namespace or a class, between its braces.
    void declarations(At i, At end) {
        if (++m_depth < deepest)
            while (i < end)
                i = declaration(i, end);
        --m_depth;
    }

    At declaration(At i, At end) {
        if (is(i, "{") || is(i, "[")) {
            if (is(i, "{")) declarations(i + 1, matching(i));
            return matching(i) + 1;
        }
        if (!isWord(i)) return i + 1;
        if (is(i, "template") && is(i + 1, "<")) {
            const At behind = afterList(i + 1);
            if (behind == i + 1) return i + 2;
            At next = behind;
            if (++m_depth < deepest) next = declaration(behind, end);
            --m_depth;
            const bool inClass = std::exchange(m_inClass, false);
            parameters(i + 1, behind - 1, {beginOf(i), endOf(next - 1)});
            m_inClass = inClass;
            return next;
        }
        if (is(i, "namespace")) {
            At k = i + 1;
            while (k < end && !is(k, "{") && !is(k, ";"))
                ++k;
            if (!is(k, "{")) return k + 1;
            declarations(k + 1, matching(k));
            return matching(k) + 1;
        }
        if (is(i, "extern") && i + 1 < end && m_code[i + 1].kind == CodeToken::Kind::literal) {
            if (!is(i + 2, "{")) return i + 2;
            declarations(i + 3, matching(i + 2));
            return matching(i + 2) + 1;
        }
        if (isColon(i + 1) && (is(i, "public") || is(i, "private") || is(i, "protected"))) return i + 2;
        if (is(i, "friend") || is(i, "static_assert") || is(i, "asm")) return statementEnd(i, end) + 1;
        if (const At next = type(i, end, whole())) return next;
        return outer(i, end);
    }

    /// using, typedef, struct and the like: where it ends; 0 for anything else.
    At type(At i, At end, SourceSpan scope) {
        if (is(i, "using")) {
            if (isWord(i + 1) && is(i + 2, "=")) define(i + 1, scope);
            return statementEnd(i, end) + 1;
        }
        if (is(i, "typedef")) {
            const At last = statementEnd(i, end);
            At name = i;
            for (At k = i + 1; k < last; ++k) {
                if (is(k, "(") && is(k + 1, "*") && isWord(k + 2)) {
                    name = k + 2;
                    break;
                }
                if (is(k, "{") || is(k, "["))
                    k = matching(k);
                else if (isWord(k))
                    name = k;
            }
            if (name > i) define(name, scope);
            return last + 1;
        }
        const bool isEnum = is(i, "enum");
        if (!isEnum && !is(i, "struct") && !is(i, "class") && !is(i, "union")) return 0;
        At k = i + 1;
        if (isEnum && (is(k, "class") || is(k, "struct"))) ++k;
        while ((isAttribute(text(k)) && is(k + 1, "(")) || is(k, "["))
            k = matching(is(k, "[") ? k : k + 1) + 1;
        const At name = isWord(k) ? k : 0;
        At open = name ? k + 1 : k;
        if (is(open, "<")) open = afterList(open);
        if (is(open, "final")) ++open;
        if (isColon(open))
            while (open < end && !is(open, "{") && !is(open, ";"))
                ++open;
        if (!is(open, "{")) {
            if (name && is(open, ";")) {
                define(name, scope, false);
                return open + 1;
            }
            return 0; // `struct A a;`: a declaration of a
        }
        if (name) define(name, scope);
        const At close = matching(open);
        if (isEnum) {
            for (At e = open + 1; e < close; ++e) {
                if (isWord(e)) define(e, scope);
                while (e < close && !is(e, ","))
                    e = is(e, "(") || is(e, "{") ? matching(e) + 1 : e + 1;
            }
        } else {
            const bool inClass = std::exchange(m_inClass, true);
            declarations(open + 1, close);
            m_inClass = inClass;
        }
        const At last = statementEnd(close + 1, end);
        if (last > close + 1 && isWord(close + 1)) declarators(close, last, scope);
        return is(close + 1, ";") || last > close + 1 ? last + 1 : close + 1;
    }

    /// A function or variables.
    At outer(At i, At end) {
        At params = 0;
        bool assigned = false, isOperator = false;
        At k = i;
        while (k < end) {
            const std::string_view t = text(k);
            if (t == ";" || t == "}") break;
            if (t == "operator") isOperator = true;
            if (t == "=" && !isOperator) assigned = true;
            if (t == "(") {
                const bool named = isWord(k - 1) && !isAttribute(text(k - 1));
                if (!assigned && params == 0 && k > i && (named || isOperator) && !is(k - 1, "operator")) params = k;
                k = matching(k) + 1;
            } else if (t == "[") {
                k = matching(k) + 1;
            } else if (t == "<" && !assigned) {
                k = std::max(afterList(k), k + 1);
            } else if (params != 0 && isColon(k)) {
                k = afterInitialisers(k + 1, end);
            } else if (t == "{") {
                if (params != 0 && !assigned) break;
                nested(k, matching(k) + 1);
                k = matching(k) + 1;
            } else {
                ++k;
            }
        }
        if (params == 0 || assigned) {
            declarators(i, std::min(k, end), whole());
            return k + 1;
        }
        const bool body = is(k, "{");
        const At close = body ? matching(k) : k;
        // Something stands before the name of a function, but for a constructor's: else a macro is called.
        if (params - 1 > i || m_inClass) define(params - 1, whole(), body);
        const bool inClass = std::exchange(m_inClass, false);
        parameters(params, matching(params), {beginOf(params), endOf(body ? close : matching(params))});
        if (body) block(k + 1, close, {beginOf(k), endOf(close)});
        m_inClass = inClass;
        return close + 1;
    }

    At afterInitialisers(At k, At end) const {
        while (k < end && (isWord(k) || is(k, ":") || is(k, "<"))) {
            if (is(k, "<")) {
                k = std::max(afterList(k), k + 1);
            } else if (is(k + 1, "(") || is(k + 1, "{")) {
                k = matching(k + 1) + 1;
                if (!is(k, ",")) return k;
                ++k;
            } else {
                ++k;
            }
        }
        return k;
    }

    /// Those between the brackets of a function, a lambda or a template.
    void parameters(At open, At close, SourceSpan scope) {
        At name = 0, first = open + 1;
        bool given = false; // behind its = or [
        for (At k = open + 1; k <= close; ++k) {
            const std::string_view t = text(k);
            if (k == close || t == ",") {
                if (name > first) define(name, scope); // a type stands before it
                name = 0;
                first = k + 1;
                given = false;
            } else if (t == "(" && (is(k + 1, "*") || is(k + 1, "&")) && isWord(k + 2) && !given) {
                define(k + 2, scope);
                name = 0;
                given = true;
                k = matching(k);
            } else if (t == "(" || t == "{" || t == "[") {
                given = given || t == "[";
                k = matching(k);
            } else if (t == "<") {
                k = std::max(afterList(k), k + 1) - 1;
            } else if (t == "=") {
                given = true;
            } else if (!given) {
                // A name is last, and no part of a qualified type.
                name = isWord(k) && !isTypeWord(t) && !is(k - 1, ":") ? k : 0;
            }
        }
    }

    /// Names that a declaration [i, end) of variables introduces.
    void declarators(At i, At end, SourceSpan scope) {
        bool found = false;
        for (At k = i; k < end; ++k) {
            const std::string_view t = text(k);
            if (t == "[" && k > i && !found && (is(k - 1, "auto") || is(k - 1, "&"))) { // auto [a, b]
                for (At b = k + 1; b < matching(k); ++b)
                    if (isWord(b)) define(b, scope);
                return;
            }
            if (t == "(" && !found && is(k + 1, "*") && isWord(k + 2)) { // a pointer to a function
                define(k + 2, scope);
                return;
            }
            if (t == "(" || t == "[" || t == "{") {
                k = matching(k);
            } else if (t == "<") {
                const At behind = afterList(k);
                if (behind > k && (!found || is(behind, "(") || is(behind, "{") || is(behind, ":") || is(behind, ";")))
                    k = behind - 1;
            } else if (isWord(k) && k > i && isDeclared(k, found)) {
                define(k, scope);
                found = true;
                while (k + 1 < end && !is(k + 1, ",")) { // over its value
                    ++k;
                    if (is(k, "(") || is(k, "[") || is(k, "{"))
                        k = matching(k);
                    else if (is(k, "<"))
                        if (const At behind = afterList(k); behind > k && (is(behind, "(") || is(behind, "{")))
                            k = behind - 1;
                }
            }
        }
    }

    bool isDeclared(At k, bool found) const {
        const std::string_view before = text(k - 1), next = text(k + 1);
        const bool afterType = (isWord(k - 1) && !isKeyword(before)) || before == ">" || before == "*" ||
                               before == "&" || before == ")" || before == "]" || before == "}";
        if (!afterType && !(found && before == ",")) return false;
        if (next == "(") return !found && (isWord(k - 1) || before == ">") && !isAttribute(text(k));
        return next.empty() || next == "=" || next == ";" || next == "," || next == "[" || next == "{" || next == ")" ||
               isColon(k + 1);
    }

    bool looksDeclared(At i, At end) const {
        if (beginsDeclaration(text(i))) return true;
        if (!isWord(i) || isKeyword(text(i))) return false;
        while (i < end && isWord(i) && is(i + 1, ":") && is(i + 2, ":"))
            i += 3;
        if (!isWord(i)) return false;
        ++i;
        if (is(i, "<")) i = afterList(i);
        while (is(i, ":") && is(i + 1, ":") && isWord(i + 2)) // of a template's result
            i += 3;
        while (is(i, "*") || is(i, "&") || is(i, "const") || is(i, "__restrict__") || is(i, "__restrict"))
            ++i;
        return i < end && isWord(i) && !isKeyword(text(i)) && isDeclared(i, false);
    }

    void block(At i, At end, SourceSpan scope) {
        if (++m_depth < deepest)
            while (i < end)
                i = statement(i, end, scope);
        --m_depth;
    }

    At statement(At i, At end, SourceSpan scope) {
        if (is(i, "{")) {
            block(i + 1, matching(i), {beginOf(i), endOf(matching(i))});
            return matching(i) + 1;
        }
        if (is(i, ";") || is(i, "}") || is(i, "else") || is(i, "do") || is(i, "try")) return i + 1;
        if (is(i, "case") || is(i, "default")) {
            while (i < end && !isColon(i) && !is(i, ";"))
                ++i;
            return i + 1;
        }
        if (is(i, "for") || is(i, "if") || is(i, "while") || is(i, "switch") || is(i, "catch")) {
            At open = i + 1;
            if (is(open, "constexpr")) ++open;
            if (!is(open, "(")) return i + 1;
            const At close = matching(open);
            const At first = statementEnd(open + 1, close);
            // The value of a condition is no declaration without its =.
            const bool condition = first == close && !is(i, "for") && !is(i, "catch");
            if (!condition || hasValue(open + 1, close))
                plain(open + 1, first, {beginOf(open), scope.end});
            else
                nested(open + 1, first);
            nested(first, close);
            return close + 1;
        }
        if (const At next = type(i, end, {beginOf(i), scope.end})) return next;
        const At last = statementEnd(i, end);
        plain(i, last, {beginOf(i), scope.end});
        return std::max(last, i) + 1;
    }

    bool hasValue(At i, At end) const {
        for (; i < end; ++i)
            if (is(i, "(") || is(i, "[") || is(i, "{"))
                i = matching(i);
            else if (is(i, "=") && isWord(i - 1))
                return !is(i + 1, "=");
        return false;
    }

    /// One without a word that begins it.
    void plain(At i, At end, SourceSpan scope) {
        if (looksDeclared(i, end)) declarators(i, end, scope);
        nested(i, end);
    }

    /// Bodies of lambdas in an expression.
    void nested(At i, At end) {
        for (At k = i; k < end; ++k) {
            if (!is(k, "{")) continue;
            const At close = matching(k);
            At before = k;
            while (before > i && (isWord(before - 1) || is(before - 1, "-") || is(before - 1, ">") ||
                                  is(before - 1, ":") || is(before - 1, "*") || is(before - 1, "&")))
                --before; // mutable, -> type
            const bool called = before > i && is(before - 1, ")");
            const At params = called ? m_match[before - 1] : 0;
            At captures = params;
            while (captures > i && isWord(captures - 1)) // [=] __device__ (int a)
                --captures;
            if (params > 0 && captures > 0 && is(captures - 1, "]"))
                parameters(params, before - 1, {beginOf(params), endOf(close)});
            if (called || (before > i && is(before - 1, "]"))) {
                block(k + 1, close, {beginOf(k), endOf(close)});
            } else {
                if (++m_depth < deepest) nested(k + 1, close);
                --m_depth;
            }
            k = close;
        }
    }

    std::string_view m_text;
    std::vector<CodeToken> m_code; ///< without directives
    std::vector<At> m_match;       ///< of each bracket its other
    std::vector<SourceDefinition> m_out;
    bool m_inClass = false;
    int m_depth = 0;
};

} // namespace

std::vector<SourceDefinition> readDefinitions(std::string_view text, const std::vector<CodeToken>& code) {
    return SourceReading(text, code).run();
}

} // namespace kernelarium::ui
