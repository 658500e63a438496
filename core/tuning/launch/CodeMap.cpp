// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/launch/CodeMap.h"

#include <algorithm>

namespace kernelarium::tuning {

using Kind = CodeToken::Kind;

CodeMap::CodeMap(std::string_view text)
    : m_text(text) {
    const std::vector<CodeToken> all = codeTokens(text).code;
    for (std::size_t at = 0; at < all.size();) {
        if (all[at].kind == Kind::directive) {
            readDirective(all, at);
            continue;
        }
        if (all[at].kind == Kind::word) m_words[all[at].of(text)].push_back(m_code.size());
        m_code.push_back(all[at++]);
        m_conditional.push_back(!m_open.empty());
    }
    match();
}

/// From its # to behind its end.
void CodeMap::readDirective(const std::vector<CodeToken>& all, std::size_t& at) {
    const std::size_t begin = at;
    while (at < all.size() && all[at].kind != Kind::endOfDirective)
        ++at;
    const std::size_t end = at;
    if (at < all.size()) ++at;
    const auto word = [&](std::size_t i) {
        return i < end && all[i].kind == Kind::word ? all[i].of(m_text) : std::string_view();
    };
    const std::string_view what = word(begin + 1), name = word(begin + 2);
    if (what == "ifndef")
        m_open.push_back(name);
    else if (what == "if" || what == "ifdef")
        m_open.emplace_back();
    else if (what == "else" || what == "elif") {
        if (!m_open.empty()) m_open.back() = {};
    } else if (what == "endif") {
        if (!m_open.empty()) m_open.pop_back();
    } else if (what == "undef") {
        m_undefined.push_back(name);
    } else if (what == "define" && !name.empty()) {
        MacroDefinition macro;
        macro.name = name;
        macro.begin = all[begin].begin;
        macro.end = all[end - 1].end;
        macro.conditional = m_open.size() > 1 || (m_open.size() == 1 && m_open.back() != name);
        macro.takesArguments =
            begin + 3 < end && all[begin + 3].is(m_text, "(") && all[begin + 3].begin == all[begin + 2].end;
        macro.body.assign(all.begin() + std::ptrdiff_t(begin + 3), all.begin() + std::ptrdiff_t(end));
        m_macros.push_back(std::move(macro));
    }
}

void CodeMap::match() {
    m_partner.assign(m_code.size(), none);
    m_enclosing.assign(m_code.size(), none);
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < m_code.size(); ++at) {
        const char c = m_code[at].kind == Kind::symbol ? m_text[m_code[at].begin] : '\0';
        const char opens = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
        if (opens != '\0' && !open.empty() && isSymbol(open.back(), opens)) {
            m_partner[at] = open.back();
            m_partner[open.back()] = at;
            open.pop_back();
        }
        m_enclosing[at] = open.empty() ? none : open.back();
        if (c == '(' || c == '[' || c == '{') open.push_back(at);
    }
}

bool CodeMap::isSymbols(std::size_t at, std::string_view symbols) const {
    for (std::size_t i = 0; i < symbols.size(); ++i)
        if (!isSymbol(at + i, symbols[i]) || (i > 0 && m_code[at + i].begin != m_code[at + i - 1].end)) return false;
    return true;
}

bool CodeMap::atNamespaceLevel(std::size_t at) const {
    for (std::size_t open = m_enclosing[at]; open != none; open = m_enclosing[open]) {
        if (!isSymbol(open, '{')) return false;
        std::size_t before = open;
        while (before > 0 &&
               (isWord(before - 1) || isSymbol(before - 1, ':') || m_code[before - 1].kind == Kind::literal))
            --before;
        if (!isWord(before, "namespace") && !isWord(before + (isWord(before, "inline") ? 1 : 0), "namespace") &&
            !isWord(before, "extern"))
            return false;
    }
    return true;
}

std::size_t CodeMap::statementBegin(std::size_t at) const {
    while (at > 0) {
        const std::size_t before = at - 1;
        if (isSymbol(before, ';') || isSymbol(before, '{') || isSymbol(before, '}')) break;
        if ((isSymbol(before, ')') || isSymbol(before, ']')) && m_partner[before] != none)
            at = m_partner[before];
        else if (isSymbol(before, '(') || isSymbol(before, '['))
            break;
        else
            at = before;
    }
    return at;
}

const std::vector<std::size_t>& CodeMap::occurrences(std::string_view word) const {
    static const std::vector<std::size_t> nowhere;
    const auto at = m_words.find(word);
    return at == m_words.end() ? nowhere : at->second;
}

bool CodeMap::undefines(std::string_view name) const {
    return std::find(m_undefined.begin(), m_undefined.end(), name) != m_undefined.end();
}

std::vector<FunctionDefinition> CodeMap::functions(std::string_view name) const {
    std::vector<FunctionDefinition> found;
    for (const std::size_t at : occurrences(name)) {
        if (!isSymbol(at + 1, '(') || m_partner[at + 1] == none || !atNamespaceLevel(at)) continue;
        const std::size_t body = m_partner[at + 1] + 1;
        if (!isSymbol(body, '{') || m_partner[body] == none) continue;
        found.push_back({statementBegin(at), at, at + 1, body});
    }
    return found;
}

std::string_view CodeMap::entry(std::string_view wanted) const {
    if (occurrences("PYBIND11_MODULE").size() != 1) return {};
    std::vector<std::pair<std::string_view, std::string_view>> defined; ///< Python's name, function
    for (const std::size_t at : occurrences("def")) {
        if (at == 0 || !isSymbol(at - 1, '.') || !isSymbol(at + 1, '(') || conditional(at)) return {};
        std::size_t name = at + 4;
        if (m_code.size() <= name || m_code[at + 2].kind != Kind::literal || !isSymbol(at + 3, ',')) return {};
        if (isSymbol(name, '&')) ++name;
        while (isWord(name) && isSymbols(name + 1, "::"))
            name += 3;
        if (!isWord(name) || !(isSymbol(name + 1, ',') || isSymbol(name + 1, ')'))) return {};
        std::string_view literal = word(at + 2);
        if (literal.size() < 2 || literal.front() != '"') return {};
        defined.emplace_back(literal.substr(1, literal.size() - 2), word(name));
    }
    if (defined.size() == 1 && (wanted.empty() || wanted == defined[0].first)) return defined[0].second;
    std::string_view found;
    for (const auto& [python, function] : defined) {
        if (python != (wanted.empty() ? std::string_view("forward") : wanted)) continue;
        if (!found.empty()) return {};
        found = function;
    }
    return found;
}

} // namespace kernelarium::tuning
