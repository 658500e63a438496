// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/TryVariables.h"

#include <algorithm>

namespace kernelarium::compile {

namespace {

using Words = std::set<std::string_view>;

const Words& typeWords() {
    static const Words words{"auto",     "bool", "char",     "const",  "constexpr", "double", "float",
                             "int",      "long", "mutable",  "short",  "signed",    "static", "unsigned",
                             "volatile", "void", "typename", "struct", "class",     "union",  "enum"};
    return words;
}

/// Keywords and the commonest names of types: none is an object.
const Words& otherWords() {
    static const Words words{
        "alignas",   "alignof",      "and",           "asm",         "break",    "case",
        "catch",     "const_cast",   "continue",      "decltype",    "default",  "delete",
        "do",        "dynamic_cast", "else",          "explicit",    "export",   "extern",
        "false",     "for",          "friend",        "goto",        "if",       "inline",
        "namespace", "new",          "noexcept",      "not",         "nullptr",  "operator",
        "or",        "private",      "protected",     "public",      "register", "reinterpret_cast",
        "return",    "sizeof",       "static_assert", "static_cast", "switch",   "template",
        "this",      "throw",        "true",          "try",         "typedef",  "typeid",
        "using",     "virtual",      "wchar_t",       "while",       "size_t",   "ssize_t",
        "int8_t",    "int16_t",      "int32_t",       "int64_t",     "uint8_t",  "uint16_t",
        "uint32_t",  "uint64_t",     "scalar_t",      "std"};
    return words;
}

bool oneOf(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::size_t logicalLineEnd(std::string_view source, std::size_t at) {
    for (; at < source.size() && source[at] != '\n'; ++at) {
        if (source[at] != '\\') continue;
        if (source.substr(at + 1, 2) == "\r\n")
            at += 2;
        else if (source.substr(at + 1, 1) == "\n")
            at += 1;
    }
    return at;
}

} // namespace

TryVariables::TryVariables(std::string_view source, const SourceTokens& tokens)
    : m_tokens(tokens.tokens) {
    for (std::size_t i = 0; i < m_tokens.size(); ++i)
        if (m_tokens[i].kind == Token::Kind::identifier) m_places[m_tokens[i].text].push_back(i);
    const auto firstFrom = [&](std::size_t offset) {
        const auto found = std::lower_bound(m_tokens.begin(), m_tokens.end(), offset,
                                            [](const Token& t, std::size_t o) { return t.offset < o; });
        return std::size_t(found - m_tokens.begin());
    };
    for (const Directive& d : tokens.directives) {
        if (d.name != "define") continue;
        const std::size_t start = std::size_t(d.name.data() - source.data()) + d.name.size();
        const std::size_t first = firstFrom(start), last = firstFrom(logicalLineEnd(source, start));
        if (first < last) m_macros.push_back({text(first), first, last});
    }
}

std::string_view TryVariables::text(std::size_t i) const {
    return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
}

bool TryVariables::isName(std::size_t i) const {
    return i < m_tokens.size() && m_tokens[i].kind == Token::Kind::identifier && !typeWords().count(text(i)) &&
           !otherWords().count(text(i));
}

std::string_view TryVariables::macroAround(std::size_t at) const {
    for (const Macro& macro : m_macros)
        if (at >= macro.first && at < macro.last) return macro.name;
    return {};
}

/// Of { or (: the token that closes it.
std::size_t TryVariables::closing(std::size_t open) const {
    const std::string_view left = text(open), right = left == "{" ? "}" : ")";
    int depth = 0;
    for (std::size_t i = open; i < m_tokens.size(); ++i) {
        if (text(i) == left) ++depth;
        if (text(i) == right && --depth == 0) return i;
    }
    return m_tokens.size();
}

/// Whether the name in this place could be that of an object. `T name`, `<T>`, `name::` and members are none.
bool TryVariables::mayBeObject(std::size_t i) const {
    if (!isName(i)) return false;
    const std::string_view before = i > 0 ? text(i - 1) : std::string_view(), next = text(i + 1);
    if (oneOf(before, {".", "->", "::", "goto"}) || next == "::") return false;
    if (i + 1 < m_tokens.size() && m_tokens[i + 1].kind == Token::Kind::identifier && !oneOf(next, {"and", "or"}))
        return false;
    if (before == "<" && next == ">") return false;
    return !(next == "<" && text(i + 2) == "<" && text(i + 3) == "<"); // the kernel of a launch
}

/// `()`, or types in the parentheses: those of a function, not what a variable is made from.
bool TryVariables::isParameterList(std::size_t open) const {
    const std::size_t end = closing(open);
    for (std::size_t i = open + 1; i < end; ++i)
        if (typeWords().count(text(i)) || (isName(i) && isName(i + 1))) return true;
    return end == open + 1;
}

/// Whether a declaration of this name stands here: only the parts of a type between the start of the statement and it.
bool TryVariables::isDeclared(std::size_t i) const {
    if (!isName(i)) return false;
    bool type = false;
    std::size_t j = i;
    for (int depth = 0; j-- > 0;) {
        const std::string_view word = text(j);
        if (word == ">")
            ++depth;
        else if (word == "<" && depth > 0)
            --depth;
        else if (word == "," && depth == 0)
            break;
        else if (isName(j) || typeWords().count(word) ||
                 oneOf(word, {"size_t", "int64_t", "int32_t", "uint32_t", "std"}) || word.ends_with("_t"))
            type = true;
        else if (depth == 0 && !oneOf(word, {"*", "&", "::"}))
            break;
    }
    const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
    if (text(i + 1) == "(" && isParameterList(i + 1)) return false;
    if (before == "::" || (j < i && !oneOf(text(j), {";", "{", "}", "(", ",", ":", ")"}))) return false;
    return type && i - j > 1 && oneOf(text(i + 1), {"=", ";", ",", "(", ")", "{", "[", ":"});
}

/// Whether something is assigned to the name here, or it follows a comma as a further declarator or binding does.
bool TryVariables::isAssigned(std::size_t i) const {
    const std::string_view next = text(i + 1), then = text(i + 2), before = i > 0 ? text(i - 1) : std::string_view();
    if (next == "=" && then != "=") return true;
    if (next.size() == 1 && std::string_view("+-*/%&|^").find(next[0]) != std::string_view::npos && then == "=")
        return true;
    if ((oneOf(next, {"+", "-"}) && then == next) || oneOf(next, {".", "->", "["})) return true;
    if (i > 1 && oneOf(before, {"+", "-"}) && text(i - 2) == before) return true;
    return oneOf(before, {",", "["}) && oneOf(next, {",", ";", "]"});
}

void TryVariables::collect(std::size_t first, std::size_t last, std::set<std::string_view>& names,
                           std::set<std::string_view>& expanded) const {
    for (std::size_t i = first; i < last; ++i) {
        if (!isName(i)) continue;
        for (const Macro& macro : m_macros)
            if (macro.name == text(i) && expanded.insert(macro.name).second)
                collect(macro.first + 1, macro.last, names, expanded);
        if (mayBeObject(i)) names.insert(text(i));
    }
}

/// How many brackets are open at tokens[at] of those opened since tokens[first].
int TryVariables::nesting(std::size_t first, std::size_t at) const {
    int depth = 0;
    for (std::size_t i = first; i < at; ++i) {
        if (oneOf(text(i), {"{", "(", "["})) ++depth;
        if (oneOf(text(i), {"}", ")", "]"})) --depth;
    }
    return depth;
}

/// Whether a class, or a function named `X::f(`, is around the token.
bool TryVariables::isInMemberFunction(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i-- > 0;) {
        if (text(i) == "}") ++depth;
        if (text(i) != "{" || depth-- > 0) continue;
        depth = 0;
        bool qualified = false;
        std::size_t j = i;
        for (; j-- > 0 && !oneOf(text(j), {";", "{", "}"});) {
            if (oneOf(text(j), {"struct", "class", "union"}) && text(i - 1) != ")") return true;
            qualified = qualified || (text(j) == "(" && j > 2 && oneOf(text(j - 2), {"::", "~"}) && isName(j - 1));
        }
        // A plain function's body begins where no block is open; a statement's header there tells nothing.
        if (qualified && text(i - 1) != "=" && !oneOf(text(j + 1), {"if", "for", "while", "switch", "return"}))
            return true;
    }
    return false;
}

std::vector<TryName> TryVariables::changedBy(std::size_t at) const {
    if (text(at + 1) != "{") return {};
    const std::size_t first = at + 2, last = closing(at + 1);
    std::set<std::string_view> names, expanded;
    collect(first, last, names, expanded);
    std::vector<TryName> out;
    for (const std::string_view name : names) {
        bool own = false, elsewhere = false, called = true, sure = false, type = false;
        bool seenInside = false;
        for (const std::size_t i : m_places.at(name)) {
            const bool inside = i >= first && i < last, declared = isDeclared(i);
            const bool object = mayBeObject(i);
            if (inside && !seenInside) own = declared && nesting(first, i) == 0;
            seenInside = seenInside || inside;
            elsewhere = elsewhere || !inside;
            sure = sure || declared || (object && isAssigned(i));
            if (object && (text(i + 1) != "(" || (declared && text(closing(i + 1) + 1) == ";"))) called = false;
            type = type || (i > 0 && oneOf(text(i - 1), {"struct", "class", "union", "enum", "typename", "using"}));
        }
        const bool macro =
            std::any_of(m_macros.begin(), m_macros.end(), [&](const Macro& m) { return m.name == name; });
        if (!own && elsewhere && !called && !type && !macro) out.push_back({std::string(name), sure});
    }
    if (isInMemberFunction(at)) out.push_back({"this", false});
    return out;
}

} // namespace kernelarium::compile
