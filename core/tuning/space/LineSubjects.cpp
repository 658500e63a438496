// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/LineSubjects.h"

#include <algorithm>
#include <array>
#include <map>

namespace kernelarium::tuning {

namespace {

using CodeKind = CodeToken::Kind;

class LineReader {
public:
    LineReader(std::string_view text, const std::vector<CodeToken>& code, CodeLine line,
               const DefinitionIndex& definitions)
        : m_text(text)
        , m_code(code)
        , m_line(line)
        , m_definitions(definitions) {}

    std::vector<Subject> run() {
        for (std::size_t at = m_line.first; at < m_line.last; ++at) {
            if (isWord(at, "__launch_bounds__")) bounds(at + 1);
            if (isWord(at, "unroll") && m_code[at].inDirective) unrolling(at + 1);
        }
        for (std::size_t at = m_line.first; at < m_line.last;)
            at = step(at);
        return std::move(m_out);
    }

private:
    bool isWord(std::size_t at, std::string_view word) const {
        return at < m_code.size() && m_code[at].kind == CodeKind::word && m_code[at].is(m_text, word);
    }
    bool isSymbol(std::size_t at, char c) const {
        return at < m_code.size() && m_code[at].kind == CodeKind::symbol && m_text[m_code[at].begin] == c;
    }

    /// The numbers between the parentheses that open at `at`, where they are nothing but numbers.
    void bounds(std::size_t at) {
        static constexpr std::array<const char*, 3> names{"max_threads", "min_blocks", "max_cluster"};
        if (!isSymbol(at, '(')) return;
        int depth = 1;
        std::size_t argument = 0;
        for (std::size_t i = at + 1; i < m_line.last && depth > 0 && argument < names.size(); ++i) {
            const std::optional<SpotAt> spot = spotAt(m_text, m_code, i);
            const bool begins = isSymbol(i - 1, '(') || isSymbol(i - 1, ',');
            if (depth == 1 && begins && spot && (isSymbol(spot->next, ',') || isSymbol(spot->next, ')')))
                m_settings[spot->spot.begin] = names[argument];
            if (isSymbol(i, '(')) ++depth;
            if (isSymbol(i, ')')) --depth;
            if (isSymbol(i, ',') && depth == 1) ++argument;
        }
    }
    void unrolling(std::size_t at) {
        if (isSymbol(at, '(')) ++at;
        if (const std::optional<SpotAt> spot = spotAt(m_text, m_code, at)) m_settings[spot->spot.begin] = "unroll";
    }

    std::size_t step(std::size_t at) {
        const std::size_t begin = m_code[at].begin;
        if (const Definition* definition = m_definitions.nameAt(begin)) {
            m_out.push_back({Subject::Kind::definition, definition->name, definition->spot, definition->body});
            return at + 1;
        }
        if (const Definition* definition = m_definitions.literalAt(begin)) {
            const bool seen = std::any_of(m_out.begin(), m_out.end(), [&](const Subject& s) {
                return s.spot && s.spot->begin == definition->spot->begin;
            });
            if (!seen) m_out.push_back({Subject::Kind::definition, definition->name, definition->spot, {}});
            while (at < m_line.last && m_code[at].begin < definition->spot->end)
                ++at;
            return at;
        }
        const bool behindValue = isBehindValue(at);
        const bool isSign = isSymbol(at, '-') || isSymbol(at, '+');
        std::optional<SpotAt> spot = isSign && behindValue ? std::nullopt : spotAt(m_text, m_code, at);
        if (!spot) return at + 1;
        spot->spot.behindValue = behindValue;
        literal(at, *spot);
        return spot->next;
    }

    /// Whether a sign at `at` would add or subtract: it would stand behind a value.
    bool isBehindValue(std::size_t at) const {
        if (at == 0) return false;
        static constexpr std::array<std::string_view, 10> keywords{"return",    "case", "throw", "else", "do",
                                                                   "co_return", "and",  "or",    "not",  "sizeof"};
        const CodeToken& before = m_code[at - 1];
        if (before.kind == CodeKind::word)
            return std::find(keywords.begin(), keywords.end(), before.of(m_text)) == keywords.end();
        return before.kind == CodeKind::number || before.kind == CodeKind::literal || isSymbol(at - 1, ')') ||
               isSymbol(at - 1, ']');
    }

    void literal(std::size_t at, const SpotAt& found) {
        if (const auto setting = m_settings.find(found.spot.begin); setting != m_settings.end())
            m_out.push_back({Subject::Kind::setting, setting->second, found.spot, {}});
        else if (at >= 2 && m_code[at - 2].kind == CodeKind::word && isSymbol(at - 1, '='))
            m_out.push_back({Subject::Kind::assigned, std::string(m_code[at - 2].of(m_text)), found.spot, {}});
        else
            m_out.push_back({Subject::Kind::bare, {}, found.spot, {}});
    }

    std::string_view m_text;
    const std::vector<CodeToken>& m_code;
    CodeLine m_line;
    const DefinitionIndex& m_definitions;
    std::map<std::size_t, const char*> m_settings; ///< by the place of the number
    std::vector<Subject> m_out;
};

} // namespace

DefinitionIndex::DefinitionIndex(std::string_view text, const std::vector<CodeToken>& code)
    : m_all(definitionsOf(text, code)) {
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        m_byName[m_all[i].name].push_back(i);
        m_byNameAt.emplace(m_all[i].nameAt, i);
        if (m_all[i].spot) m_byLiteral.emplace(m_all[i].spot->begin, i);
    }
}

std::vector<const Definition*> DefinitionIndex::named(std::string_view name) const {
    std::vector<const Definition*> found;
    const auto all = m_byName.find(name);
    for (std::size_t i = 0; all != m_byName.end() && i < all->second.size() && i < 2; ++i)
        found.push_back(&m_all[all->second[i]]);
    return found;
}

std::optional<Value> DefinitionIndex::constant(std::string_view name) const {
    const std::vector<const Definition*> found = named(name);
    if (found.size() != 1 || !found[0]->spot) return std::nullopt;
    return found[0]->spot->own;
}

const Definition* DefinitionIndex::nameAt(std::size_t offset) const {
    const auto found = m_byNameAt.find(offset);
    return found == m_byNameAt.end() ? nullptr : &m_all[found->second];
}

const Definition* DefinitionIndex::literalAt(std::size_t offset) const {
    const auto found = m_byLiteral.find(offset);
    return found == m_byLiteral.end() ? nullptr : &m_all[found->second];
}

CodeLine lineAround(std::string_view text, const std::vector<CodeToken>& code, std::size_t at) {
    const auto joined = [&](std::size_t left) {
        const CodeToken &a = code[left], &b = code[left + 1];
        if (a.kind == CodeKind::endOfDirective || b.kind == CodeKind::endOfDirective) return false;
        if (a.inDirective && b.inDirective) return true;
        return text.substr(a.end, b.begin - a.end).find('\n') == std::string_view::npos;
    };
    CodeLine line{at, at + 1};
    while (line.first > 0 && at - line.first < longestLine && joined(line.first - 1))
        --line.first;
    while (line.last < code.size() && line.last - at < longestLine && joined(line.last - 1))
        ++line.last;
    return line;
}

std::vector<Subject> subjectsOf(std::string_view text, const std::vector<CodeToken>& code, CodeLine line,
                                const DefinitionIndex& definitions) {
    return LineReader(text, code, line, definitions).run();
}

} // namespace kernelarium::tuning
