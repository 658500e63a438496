// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/TextConstants.h"

#include "core/tuning/space/NumberLiteral.h"
#include "core/tuning/space/ValueList.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {

using CodeKind = CodeToken::Kind;

constexpr std::size_t longestDeclaration = 64; ///< pieces of code

class DefinitionReader {
public:
    DefinitionReader(std::string_view text, const std::vector<CodeToken>& code)
        : m_text(text)
        , m_code(code) {}

    std::vector<Definition> run() {
        std::vector<char> open;
        for (std::size_t at = 0; at < m_code.size(); ++at) {
            const CodeToken& token = m_code[at];
            if (token.kind == CodeKind::directive) {
                if (isWord(at + 1, "define")) define(at + 2);
            } else if (token.kind == CodeKind::symbol && !token.inDirective) {
                const char c = m_text[token.begin];
                if (c == '(' || c == '[' || c == '{') open.push_back(c);
                if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
            } else if (token.kind == CodeKind::word && !token.inDirective && (open.empty() || open.back() == '{')) {
                const std::string_view word = token.of(m_text);
                if (word == "const" || word == "constexpr") declaration(at + 1);
                if (word == "enum") enumeration(at + 1);
                if (word == "using") alias(at + 1);
            }
        }
        std::stable_sort(m_out.begin(), m_out.end(),
                         [](const Definition& a, const Definition& b) { return a.nameAt < b.nameAt; });
        return std::move(m_out);
    }

private:
    bool isKind(std::size_t at, CodeKind kind) const { return at < m_code.size() && m_code[at].kind == kind; }
    bool isWord(std::size_t at, std::string_view word) const {
        return isKind(at, CodeKind::word) && m_code[at].is(m_text, word);
    }
    bool isSymbol(std::size_t at, char c) const {
        return isKind(at, CodeKind::symbol) && m_text[m_code[at].begin] == c;
    }

    void add(std::size_t name, std::optional<Spot> spot, std::size_t first, std::size_t last) {
        std::string body;
        if (!spot && first < last) {
            const std::size_t begin = m_code[first].begin;
            body = m_text.substr(begin, std::min<std::size_t>(m_code[last - 1].end - begin, 60));
            std::replace_if(
                body.begin(), body.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
        }
        m_out.push_back({std::string(m_code[name].of(m_text)), m_code[name].begin, std::move(spot), std::move(body)});
    }

    void define(std::size_t name) {
        if (!isKind(name, CodeKind::word)) return;
        std::size_t first = name + 1, last = first;
        while (last < m_code.size() && m_code[last].kind != CodeKind::endOfDirective)
            ++last;
        if (first == last) return;                                                   // defined as nothing: no value
        if (isSymbol(first, '(') && m_code[first].begin == m_code[name].end) return; // it takes arguments
        const std::size_t bodyFirst = first, bodyLast = last;
        while (last - first > 2 && isSymbol(first, '(') && isSymbol(last - 1, ')')) {
            ++first;
            --last;
        }
        std::optional<Spot> spot;
        if (const std::optional<SpotAt> found = spotAt(m_text, m_code, first); found && found->next == last)
            spot = found->spot;
        if (!spot) spot = wordSpot(m_text, m_code, first, last);
        add(name, std::move(spot), bodyFirst, bodyLast);
    }

    /// From behind `const` to the name and its value, and on to the next name after a comma.
    void declaration(std::size_t at) {
        int angles = 0;
        const std::size_t most = std::min(m_code.size(), at + longestDeclaration);
        for (; at < most; ++at) {
            const CodeToken& token = m_code[at];
            if (token.kind == CodeKind::word || token.kind == CodeKind::number) continue;
            if (token.kind != CodeKind::symbol) return;
            const char c = m_text[token.begin];
            if (c == '<')
                ++angles;
            else if (c == '>')
                angles = std::max(0, angles - 1);
            else if (angles == 0 && (c == '=' || c == '{'))
                break;
            else if (angles == 0 && c != ':' && c != '*' && c != '&')
                return;
        }
        while (at < m_code.size() && (isSymbol(at, '=') || isSymbol(at, '{')) && isKind(at - 1, CodeKind::word)) {
            if (m_code[at - 1].is(m_text, "operator") || at - 1 < m_declared) return; // or read by another `const`
            m_declared = at;
            const std::size_t behind = initialiser(at);
            if (!isSymbol(behind, ',')) return;
            at = behind + 1;
            while (isSymbol(at, '*') || isSymbol(at, '&'))
                ++at;
            ++at; // the name
        }
    }

    /// Reads "= 16" or "{16}" at `at` and gives the piece behind it, or none.
    std::size_t initialiser(std::size_t at) {
        const bool braces = isSymbol(at, '{');
        const std::optional<SpotAt> found = spotAt(m_text, m_code, at + 1);
        std::size_t behind = found ? found->next : at + 1;
        const bool closed = !braces || isSymbol(behind, '}');
        if (found && closed) {
            behind += braces ? 1 : 0;
            if (isSymbol(behind, ';') || isSymbol(behind, ',')) {
                add(at - 1, found->spot, at, at);
                return behind;
            }
        }
        std::size_t last = at + 1;
        const std::size_t most = std::min(m_code.size(), at + longestDeclaration);
        while (last < most && !isSymbol(last, ';'))
            ++last;
        add(at - 1, std::nullopt, at + 1, last);
        return m_code.size();
    }

    void enumeration(std::size_t at) {
        const std::size_t most = std::min(m_code.size(), at + longestDeclaration);
        while (at < most && !isSymbol(at, '{')) {
            if (m_code[at].kind != CodeKind::word && !isSymbol(at, ':')) return;
            ++at;
        }
        for (bool first = true; at < m_code.size() && isSymbol(at, first ? '{' : ','); first = false) {
            const std::size_t name = at + 1;
            if (!isKind(name, CodeKind::word)) return;
            at = name + 1;
            if (!isSymbol(at, '=')) continue;
            const std::optional<SpotAt> found = spotAt(m_text, m_code, at + 1);
            if (!found || !(isSymbol(found->next, ',') || isSymbol(found->next, '}'))) return;
            add(name, found->spot, at, at);
            at = found->next;
        }
    }

    /// using T = float;
    void alias(std::size_t name) {
        if (!isKind(name, CodeKind::word) || !isSymbol(name + 1, '=')) return;
        std::size_t last = name + 2;
        const std::size_t most = std::min(m_code.size(), last + longestDeclaration);
        while (last < most && !isSymbol(last, ';'))
            ++last;
        add(name, wordSpot(m_text, m_code, name + 2, last), name + 2, last);
    }

    std::string_view m_text;
    const std::vector<CodeToken>& m_code;
    std::size_t m_declared = 0; ///< names of declarations before this piece are read
    std::vector<Definition> m_out;
};

} // namespace

std::vector<Definition> definitionsOf(std::string_view text, const std::vector<CodeToken>& code) {
    return DefinitionReader(text, code).run();
}

std::optional<SpotAt> spotAt(std::string_view text, const std::vector<CodeToken>& code, std::size_t at) {
    if (at >= code.size()) return std::nullopt;
    if (code[at].kind == CodeKind::word) {
        const std::string_view word = code[at].of(text);
        if (word != "true" && word != "false") return std::nullopt;
        return SpotAt{{code[at].begin, code[at].end, word == "true", {}}, at + 1};
    }
    const bool minus = code[at].is(text, "-");
    const bool sign = minus || code[at].is(text, "+");
    const std::size_t number = at + (sign ? 1 : 0);
    if (number >= code.size() || code[number].kind != CodeKind::number) return std::nullopt;
    std::variant<NumberLiteral, std::string> read = numberLiteral(code[number].of(text));
    auto* literal = std::get_if<NumberLiteral>(&read);
    if (!literal) return std::nullopt;
    if (auto* integer = std::get_if<std::int64_t>(&literal->value); integer && minus) *integer = -*integer;
    if (auto* real = std::get_if<double>(&literal->value); real && minus) *real = -*real;
    return SpotAt{{code[at].begin, code[number].end, literal->value, literal->suffix}, number + 1};
}

std::optional<Spot> wordSpot(std::string_view text, const std::vector<CodeToken>& code, std::size_t first,
                             std::size_t last) {
    if (first >= last || last > code.size() || last - first > longestDeclaration) return std::nullopt;
    std::string word;
    for (std::size_t at = first; at < last; ++at) {
        if (at > first && code[at].begin > code[at - 1].end) word += ' ';
        word += code[at].of(text);
    }
    const std::string_view between = text.substr(code[first].begin, code[last - 1].end - code[first].begin);
    if (!isPlainWord(word) || between.find('/') != std::string_view::npos) return std::nullopt;
    return Spot{code[first].begin, code[last - 1].end, word, {}};
}

} // namespace kernelarium::tuning
