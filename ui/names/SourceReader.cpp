// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/SourceReader.h"

#include "ui/names/BracketedCode.h"
#include "ui/names/SourceWords.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

using tuning::CodeToken;

constexpr int deepest = 200; // nesting that is followed

class SourceReading : private BracketedCode {
public:
    SourceReading(std::string_view text, const std::vector<CodeToken>& code)
        : BracketedCode(text, code) {
        macros(code);
    }

    std::vector<SourceDefinition> run() {
        declarations(0, size());
        return std::move(m_out);
    }

private:
    SourceSpan whole() const { return {0, source().size()}; }

    void define(At name, SourceSpan scope, bool body = true) {
        if (!isWord(name) || isKeyword(text(name)) || isTypeWord(text(name))) return;
        m_out.push_back({{beginOf(name), endOf(name)}, m_inClass ? whole() : scope, body, m_inClass});
    }

    void macros(const std::vector<CodeToken>& code) {
        for (At i = 0; i + 2 < code.size(); ++i) {
            if (code[i].kind != CodeToken::Kind::directive || !code[i + 1].is(source(), "define") ||
                code[i + 2].kind != CodeToken::Kind::word)
                continue;
            const CodeToken& name = code[i + 2];
            m_out.push_back({{name.begin, name.end}, whole(), true, false});
            At end = i + 2;
            while (end < code.size() && code[end].kind != CodeToken::Kind::endOfDirective)
                ++end;
            if (i + 3 < end && code[i + 3].is(source(), "(") && code[i + 3].begin == name.end)
                for (At k = i + 4; k < end && !code[k].is(source(), ")"); ++k)
                    if (code[k].kind == CodeToken::Kind::word)
                        m_out.push_back({{code[k].begin, code[k].end}, {name.end, code[end - 1].end}, true, false});
        }
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
        if (is(i, "extern") && i + 1 < end && isLiteral(i + 1)) {
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
            const At params = called ? other(before - 1) : 0;
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

    std::vector<SourceDefinition> m_out;
    bool m_inClass = false;
    int m_depth = 0;
};

} // namespace

std::vector<SourceDefinition> readDefinitions(std::string_view text, const std::vector<CodeToken>& code) {
    return SourceReading(text, code).run();
}

} // namespace kernelarium::ui
