// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/launch/ConstantNumbers.h"

#include "core/tuning/space/NumberLiteral.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kernelarium::tuning {

namespace {

using Number = std::optional<std::int64_t>;

constexpr std::int64_t largestKnown = 0x7fffffff;
constexpr int deepestNames = 32;
constexpr int mostSteps = 10000; ///< of one value: macros may double at each level

template <std::size_t n> bool isAmong(std::string_view word, const std::array<std::string_view, n>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isIntegerWord(std::string_view word) {
    static constexpr std::array<std::string_view, 12> words{"int",      "unsigned", "long",     "auto",
                                                            "size_t",   "int32_t",  "uint32_t", "int64_t",
                                                            "uint64_t", "std",      "signed",   "uint"};
    return isAmong(word, words);
}
bool isQualifier(std::string_view word) {
    static constexpr std::array<std::string_view, 5> words{"static", "inline", "const", "constexpr", "__device__"};
    return isAmong(word, words);
}

Number sizeOfType(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, int>, 24> sizes{
        {{"char", 1},   {"bool", 1},          {"int8_t", 1},   {"uint8_t", 1},  {"short", 2},   {"half", 2},
         {"__half", 2}, {"__nv_bfloat16", 2}, {"int16_t", 2},  {"uint16_t", 2}, {"int", 4},     {"unsigned", 4},
         {"float", 4},  {"int32_t", 4},       {"uint32_t", 4}, {"__half2", 4},  {"half2", 4},   {"double", 8},
         {"float2", 8}, {"int2", 8},          {"int64_t", 8},  {"uint64_t", 8}, {"float4", 16}, {"int4", 16}}};
    for (const auto& [type, size] : sizes)
        if (type == name) return size;
    return std::nullopt;
}

Number within(std::int64_t value) {
    if (value < 0 || value > largestKnown) return std::nullopt;
    return value;
}

} // namespace

/// Reads one expression, in the pieces of the code or of a macro.
class ConstantNumbers::Reader {
public:
    Reader(const ConstantNumbers& all, const FunctionDefinition* function, int& steps, int depth)
        : m_all(all)
        , m_text(all.m_map.text())
        , m_function(function)
        , m_steps(steps)
        , m_depth(depth) {}

    Number read(const std::vector<CodeToken>& code, std::size_t begin, std::size_t end) {
        m_code = &code;
        m_at = begin;
        m_end = end;
        const Number value = sum(0);
        return m_at == m_end ? value : std::nullopt;
    }

private:
    bool is(std::size_t at, std::string_view what) const { return at < m_end && (*m_code)[at].is(m_text, what); }
    bool take(std::string_view what) {
        if (!is(m_at, what)) return false;
        ++m_at;
        return true;
    }
    bool isWordAt(std::size_t at) const { return at < m_end && (*m_code)[at].kind == CodeToken::Kind::word; }
    std::string_view wordAt(std::size_t at) const { return (*m_code)[at].of(m_text); }

    struct Operator {
        char name = '\0'; ///< '<' and '>' are shifts
        int level = -1;
        std::size_t length = 1;
    };
    Operator operatorHere() const {
        if (is(m_at, "+") || is(m_at, "-")) return {wordAt(m_at)[0], 1, 1};
        if (is(m_at, "*") || is(m_at, "/") || is(m_at, "%")) return {wordAt(m_at)[0], 2, 1};
        if ((is(m_at, "<") && is(m_at + 1, "<")) || (is(m_at, ">") && is(m_at + 1, ">")))
            return {wordAt(m_at)[0], 0, 2};
        return {};
    }

    static Number calculated(char name, std::int64_t a, std::int64_t b) {
        switch (name) {
        case '+': return within(a + b);
        case '-': return within(a - b);
        case '*': return within(a * b);
        case '/': return b == 0 ? Number() : a / b;
        case '%': return b == 0 ? Number() : a % b;
        case '<': return b > 30 ? Number() : within(a << b);
        default: return b > 30 ? Number() : a >> b;
        }
    }

    Number sum(int level) {
        if (level > 2) return primary();
        Number left = sum(level + 1);
        while (left) {
            const Operator op = operatorHere();
            if (op.level != level) break;
            m_at += op.length;
            const Number right = sum(level + 1);
            if (!right) return std::nullopt;
            left = calculated(op.name, *left, *right);
        }
        return left;
    }

    Number parenthesised() {
        if (!take("(")) return std::nullopt;
        const Number value = sum(0);
        return take(")") ? value : std::nullopt;
    }

    /// Words of an integer type from here on; where `closer` follows, behind it.
    bool takeType(std::string_view closer) {
        std::size_t at = m_at;
        while (at < m_end && ((isWordAt(at) && (isIntegerWord(wordAt(at)) || isQualifier(wordAt(at)))) || is(at, ":")))
            ++at;
        if (at == m_at || !is(at, closer)) return false;
        m_at = at + 1;
        return true;
    }

    Number primary() {
        if (++m_steps > mostSteps || m_at >= m_end) return std::nullopt;
        const CodeToken& token = (*m_code)[m_at];
        if (token.kind == CodeToken::Kind::number) {
            ++m_at;
            const auto literal = numberLiteral(token.of(m_text));
            const auto* number = std::get_if<NumberLiteral>(&literal);
            const auto* integer = number != nullptr ? std::get_if<std::int64_t>(&number->value) : nullptr;
            return integer != nullptr ? within(*integer) : std::nullopt;
        }
        if (is(m_at, "(")) {
            const std::size_t open = m_at++;
            if (takeType(")")) return primary();
            m_at = open;
            const std::size_t before = m_depth;
            m_depth += 1;
            const Number value = m_depth > 200 ? std::nullopt : parenthesised();
            m_depth = int(before);
            return value;
        }
        if (token.kind != CodeToken::Kind::word) return std::nullopt;
        if (take("static_cast")) return take("<") && takeType(">") ? parenthesised() : std::nullopt;
        if (take("sizeof")) return sizeOf();
        if (isIntegerWord(wordAt(m_at)) && is(m_at + 1, "(")) {
            ++m_at;
            return parenthesised();
        }
        ++m_at;
        if (is(m_at, "(") || is(m_at, ":") || is(m_at, ".") || is(m_at, "[")) return std::nullopt;
        return named(token.of(m_text));
    }

    Number sizeOf() {
        if (!take("(") || !isWordAt(m_at)) return std::nullopt;
        const std::string_view type = wordAt(m_at++);
        if (!m_all.m_map.occurrences(type).empty() && isRedefined(type)) return std::nullopt;
        return take(")") ? sizeOfType(type) : std::nullopt;
    }
    bool isRedefined(std::string_view type) const {
        const auto& macros = m_all.m_map.macros();
        return std::any_of(macros.begin(), macros.end(), [&](const MacroDefinition& m) { return m.name == type; });
    }

    Number named(std::string_view name) {
        if (m_depth >= deepestNames) return std::nullopt;
        const CodeMap& map = m_all.m_map;
        std::vector<const MacroDefinition*> macros;
        for (const MacroDefinition& macro : map.macros())
            if (macro.name == name) macros.push_back(&macro);
        Number given;
        for (const std::string& word : m_all.m_settings.macros) {
            const std::string_view rest = std::string_view(word).substr(2);
            if (rest.substr(0, rest.find_first_of("=(")) != name) continue;
            if (!macros.empty() || given || !word.starts_with("-D")) return std::nullopt;
            const std::string_view number = rest.substr(std::min(rest.size(), name.size() + 1));
            std::int64_t read = 0;
            const auto result = std::from_chars(number.data(), number.data() + number.size(), read);
            if (result.ec != std::errc() || result.ptr != number.data() + number.size() || !within(read))
                return std::nullopt;
            given = read;
        }
        if (given) return given;
        Reader inner(m_all, m_function, m_steps, m_depth + 1);
        if (!macros.empty()) {
            const MacroDefinition& macro = *macros.front();
            if (macros.size() > 1 || macro.conditional || macro.takesArguments || macro.body.empty() ||
                map.undefines(name))
                return std::nullopt;
            // Without parentheses an operator beside it would part it.
            if (macro.body.size() > 1 && !macro.body.front().is(m_text, "(")) return std::nullopt;
            return inner.read(macro.body, 0, macro.body.size());
        }
        if (m_function != nullptr) {
            const Local local = m_all.local(name, *m_function);
            if (!local.certain) return std::nullopt;
            if (local.name) {
                const auto range = m_all.initialiser(*local.name);
                if (!range || !isIntegerDeclaration(*local.name)) return std::nullopt;
                return inner.read(map.code(), range->first, range->second);
            }
        }
        std::optional<std::size_t> only;
        for (const std::size_t at : map.occurrences(name)) {
            if (!m_all.declares(at)) continue;
            if (only) return std::nullopt;
            only = at;
        }
        if (!only || map.conditional(*only) || !map.atNamespaceLevel(*only) || !m_all.isConstant(*only) ||
            !isIntegerDeclaration(*only))
            return std::nullopt;
        const auto range = m_all.initialiser(*only);
        if (!range) return std::nullopt;
        Reader global(m_all, nullptr, m_steps, m_depth + 1);
        return global.read(map.code(), range->first, range->second);
    }

    bool isIntegerDeclaration(std::size_t name) const {
        const CodeMap& map = m_all.m_map;
        bool isInteger = false;
        for (std::size_t at = map.statementBegin(name); at < name; ++at) {
            if (map.isSymbol(at, ':')) continue;
            if (!map.isWord(at)) return false;
            if (isInteger && map.isSymbol(at + 1, '=')) { // another name of the same declaration
                const auto former = m_all.initialiser(at);
                if (!former || !map.isSymbol(former->second, ',')) return false;
                at = former->second;
                continue;
            }
            if (!isIntegerWord(map.word(at)) && !isQualifier(map.word(at))) return false;
            isInteger |= isIntegerWord(map.word(at)) && map.word(at) != "std";
        }
        return isInteger;
    }

    const ConstantNumbers& m_all;
    std::string_view m_text;
    const FunctionDefinition* m_function;
    int& m_steps;
    int m_depth;
    const std::vector<CodeToken>* m_code = nullptr;
    std::size_t m_at = 0, m_end = 0;
};

std::optional<std::int64_t> ConstantNumbers::value(std::size_t begin, std::size_t end,
                                                   const FunctionDefinition* function) const {
    int steps = 0;
    return Reader(*this, function, steps, 0).read(m_map.code(), begin, end);
}

/// Whether a word may be a declaration's name: a type's word, or what ends one, stands before it.
bool ConstantNumbers::declares(std::size_t at) const {
    static constexpr std::array<std::string_view, 14> noTypes{"return", "case",   "else",     "sizeof",   "throw",
                                                              "do",     "and",    "or",       "not",      "goto",
                                                              "new",    "delete", "operator", "co_return"};
    if (at == 0) return false;
    const auto follows = [&](std::string_view any) {
        return std::any_of(any.begin(), any.end(), [&](char c) { return m_map.isSymbol(at + 1, c); });
    };
    const bool assigned = m_map.isSymbol(at + 1, '=') && !m_map.isSymbol(at + 2, '=');
    if (m_map.isWord(at - 1)) return !isAmong(m_map.word(at - 1), noTypes) && follows("=({;,)[:>.");
    if (m_map.isSymbol(at - 1, '>')) return follows("=({;,)[:") && !m_map.isSymbols(at - 3, ">>>");
    if (m_map.isSymbol(at - 1, '&') && at >= 2)
        return assigned || (m_map.isWord(at - 2) && isIntegerWord(m_map.word(at - 2)));
    if (m_map.isSymbol(at - 1, '{') || m_map.isSymbol(at - 1, ',')) { // an enumerator, a second name, a binding
        const std::size_t open = m_map.enclosing(at);
        const bool binding = open != CodeMap::none && open > 0 && m_map.isSymbol(open, '[') &&
                             (m_map.isWord(open - 1, "auto") || m_map.isSymbol(open - 1, '&'));
        return assigned || binding;
    }
    if (m_map.isSymbol(at - 1, '[')) return m_map.isWord(at - 2, "auto") || m_map.isSymbol(at - 2, '&');
    return false;
}

/// Whether no more than a variable's value is taken where it stands: nothing is written to it there, and nothing that
/// may write to it later (a reference, a pointer, a lambda) is made of it.
bool ConstantNumbers::isOnlyRead(std::size_t at) const {
    const auto isAny = [&](std::size_t i, std::string_view any) {
        return std::any_of(any.begin(), any.end(), [&](char c) { return m_map.isSymbol(i, c); });
    };
    std::size_t behind = at + 1;
    while (m_map.isSymbol(behind, '.') && m_map.isWord(behind + 1))
        behind += 2;
    const bool shifts = m_map.isSymbols(behind, "<<") || m_map.isSymbols(behind, ">>");
    if (isAny(behind, "+-*/%&|^") && m_map.isSymbol(behind + 1, '=')) return false;
    if (shifts && m_map.isSymbol(behind + 2, '=')) return false;
    if (m_map.isSymbols(behind, "++") || m_map.isSymbols(behind, "--") || at == 0) return false;
    if (at >= 2 && (m_map.isSymbols(at - 2, "++") || m_map.isSymbols(at - 2, "--"))) return false;
    if (m_map.isSymbol(at - 1, '&') || (m_map.isSymbol(behind, '=') && !m_map.isSymbol(behind + 1, '='))) return false;
    const bool isRead = at >= 2 && m_map.isSymbols(at - 2, ">>"); // `stream >> t`
    if (isRead && !m_map.isSymbols(behind, ">>>")) return false;
    if (isAny(behind, "+-*/%<>=") || m_map.isSymbols(behind, "!=") || isAny(at - 1, "+-*/%<>")) return true; // operands
    if (m_map.isSymbol(at - 1, '=')) return (at >= 2 && isAny(at - 2, "=!<>+-*/%&|^")) || isCopied(at);
    return isAny(at - 1, "(,{") && isAny(behind, ",)}") && isByValue(at);
}

/// Behind `int u =` or `u =`.
bool ConstantNumbers::isCopied(std::size_t at) const {
    const std::size_t begin = m_map.statementBegin(at), name = at - 2;
    for (std::size_t i = begin; i < name; ++i)
        if (!m_map.isSymbol(i, ':') &&
            !(m_map.isWord(i) && (isIntegerWord(m_map.word(i)) || isQualifier(m_map.word(i)))))
            return false;
    return at >= 2 && begin <= name && m_map.isWord(name);
}

/// An argument of a launch, of a kernel, of dim3 or of a cast to an integer.
bool ConstantNumbers::isByValue(std::size_t at) const {
    const std::size_t open = m_map.enclosing(at);
    for (std::size_t i = at; i > 0 && i - 1 != open && !m_map.isSymbol(i - 1, ';'); --i) {
        const std::size_t partner = m_map.partner(i - 1);
        if (partner != CodeMap::none && partner < i - 1) i = partner + 1;
        if (m_map.isSymbols(i - 1, ">>>")) break;
        if (m_map.isSymbols(i - 1, "<<<")) return true;
    }
    if (open == CodeMap::none || open == 0) return false;
    if (m_map.isWord(open - 1, "dim3") || (open >= 2 && m_map.isWord(open - 2, "dim3") && m_map.isWord(open - 1)))
        return true;
    if (!m_map.isSymbol(open, '(')) return false;
    if (open >= 3 && m_map.isSymbols(open - 3, ">>>")) return true;
    if (m_map.isWord(open - 1)) return isIntegerWord(m_map.word(open - 1));
    std::size_t type = open - 1;
    if (!m_map.isSymbol(type, '>')) return false;
    while (type > 0 &&
           (m_map.isSymbol(type - 1, ':') || (m_map.isWord(type - 1) && isIntegerWord(m_map.word(type - 1)))))
        --type;
    return type >= 2 && m_map.isSymbol(type - 1, '<') && m_map.isWord(type - 2, "static_cast");
}

/// Whether a macro has it in its body, and so may write to it unseen.
bool ConstantNumbers::isNamedByMacro(std::string_view name) const {
    return std::any_of(m_map.macros().begin(), m_map.macros().end(), [&](const MacroDefinition& macro) {
        return std::any_of(macro.body.begin(), macro.body.end(),
                           [&](const CodeToken& token) { return token.is(m_map.text(), name); });
    });
}

bool ConstantNumbers::isConstant(std::size_t name) const {
    for (std::size_t at = m_map.statementBegin(name); at < name; ++at)
        if (m_map.isWord(at, "const") || m_map.isWord(at, "constexpr")) return true;
    return false;
}

std::optional<std::pair<std::size_t, std::size_t>> ConstantNumbers::initialiser(std::size_t name) const {
    const std::size_t at = name + 1;
    if (m_map.isSymbol(at, '{') || m_map.isSymbol(at, '(')) {
        if (m_map.partner(at) == CodeMap::none) return std::nullopt;
        return std::pair(at + 1, m_map.partner(at));
    }
    if (!m_map.isSymbol(at, '=') || m_map.isSymbol(at + 1, '=')) return std::nullopt;
    std::size_t end = at + 1;
    while (end < m_map.code().size() && !m_map.isSymbol(end, ';')) {
        if (m_map.isSymbol(end, ',')) break;
        const std::size_t partner = m_map.partner(end);
        end = partner != CodeMap::none && partner > end ? partner + 1 : end + 1;
    }
    return std::pair(at + 1, end);
}

ConstantNumbers::Local ConstantNumbers::local(std::string_view name, const FunctionDefinition& function) const {
    const std::size_t end = m_map.partner(function.body), parametersEnd = m_map.partner(function.parameters);
    Local local;
    bool mayBeWritten = isNamedByMacro(name);
    for (const std::size_t at : m_map.occurrences(name)) {
        if (at <= function.parameters || at >= end) continue;
        const bool isParameter = at < parametersEnd;
        if (isParameter || declares(at)) {
            if (local.name || isParameter || m_map.enclosing(at) != function.body || m_map.conditional(at)) {
                local.certain = false;
                return local;
            }
            local.name = at;
        } else {
            mayBeWritten |= !isOnlyRead(at);
        }
    }
    if (local.name && mayBeWritten && !isConstant(*local.name)) local.certain = false;
    return local;
}

} // namespace kernelarium::tuning
