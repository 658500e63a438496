// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/SourceIndex.h"

#include "core/tuning/space/Marks.h"
#include "ui/names/CudaNames.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::ui {

namespace {

using tuning::CodeToken;

bool hasWord(const char* list, std::string_view word) {
    for (const char* at = std::strstr(list, std::string(word).c_str()); at != nullptr;
         at = std::strstr(at + 1, std::string(word).c_str())) {
        const char behind = at[word.size()];
        if ((at == list || at[-1] == ' ') && (behind == ' ' || behind == '\0')) return true;
    }
    return false;
}

/// Words of the language and of CUDA that nobody defines.
bool isReserved(std::string_view word) {
    static constexpr const char* more = "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq nullptr true "
                                        "false char8_t final override defined include define";
    return hasWord(CudaNames::keywords(), word) || hasWord(CudaNames::qualifiers(), word) || hasWord(more, word) ||
           hasWord("bool char short int long float double signed unsigned void wchar_t char16_t char32_t", word);
}

/// The path behind #include is no code.
std::vector<bool> namesOf(std::string_view text, const std::vector<CodeToken>& code) {
    std::vector<bool> names(code.size(), false);
    bool path = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].kind == CodeToken::Kind::endOfDirective) path = false;
        if (i > 0 && code[i - 1].kind == CodeToken::Kind::directive)
            path = code[i].is(text, "include");
        else if (!path)
            names[i] = code[i].kind == CodeToken::Kind::word;
    }
    return names;
}

} // namespace

SourceIndex::SourceIndex(std::string text)
    : m_text(std::move(text))
    , m_tokens(tuning::codeTokens(m_text))
    , m_isName(namesOf(m_text, m_tokens.code))
    , m_definitions(readDefinitions(m_text, m_tokens.code)) {
    for (std::size_t i = 0; i < m_definitions.size(); ++i)
        m_byName[this->text(m_definitions[i].name)].push_back(i);
}

bool SourceIndex::isName(std::string_view word) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !word.empty() && isLetter(word[0]) &&
           std::all_of(word.begin(), word.end(), [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); }) &&
           !isReserved(word);
}

std::optional<std::size_t> SourceIndex::tokenAt(std::size_t at) const {
    const auto& code = m_tokens.code;
    auto i = std::size_t(
        std::upper_bound(code.begin(), code.end(), at, [](std::size_t a, const CodeToken& t) { return a < t.end; }) -
        code.begin());
    const auto isThere = [&](std::size_t k) { return k < code.size() && m_isName[k] && code[k].begin <= at; };
    if (isThere(i)) return i;
    for (; i > 0 && code[i - 1].end == at; --i) // the end of a directive is empty
        if (isThere(i - 1)) return i - 1;
    return {};
}

std::optional<SourceSpan> SourceIndex::nameAt(std::size_t at) const {
    const auto token = tokenAt(at);
    if (!token) return {};
    const SourceSpan name{m_tokens.code[*token].begin, m_tokens.code[*token].end};
    return isReserved(text(name)) ? std::nullopt : std::optional(name);
}

bool SourceIndex::isOfAnObject(std::size_t token) const {
    const auto& code = m_tokens.code;
    if (token == 0) return false;
    if (code[token - 1].is(m_text, ".")) return !(token > 1 && code[token - 2].is(m_text, ".")); // not `...`
    return token > 1 && code[token - 1].is(m_text, ">") && code[token - 2].is(m_text, "-");
}

std::vector<const SourceDefinition*> SourceIndex::known(std::size_t token) const {
    const CodeToken& t = m_tokens.code[token];
    const auto found = m_byName.find(t.of(m_text));
    std::vector<const SourceDefinition*> best;
    if (found == m_byName.end()) return best;
    const bool ofAnObject = isOfAnObject(token);
    const auto width = [](const SourceDefinition& d) { return d.scope.end - d.scope.begin + (d.member ? 1 : 0); };
    for (const std::size_t i : found->second) {
        const SourceDefinition& d = m_definitions[i];
        const bool itself = d.name.begin == t.begin;
        if (!itself && (ofAnObject ? !d.member : !d.scope.holds(t.begin))) continue;
        if (itself) { // whatever else is known there
            best.assign(1, &d);
            break;
        }
        if (!best.empty() && width(d) > width(*best.front())) continue;
        if (!best.empty() && (width(d) < width(*best.front()) || d.scope.begin != best.front()->scope.begin))
            best.clear();
        best.push_back(&d);
    }
    if (best.size() == 1) // its other definitions and declarations
        for (const std::size_t i : found->second) {
            const SourceDefinition& d = m_definitions[i];
            if (&d != best.front() && d.scope == best.front()->scope && d.member == best.front()->member)
                best.push_back(&d);
        }
    return best;
}

std::vector<SourceDefinition> SourceIndex::definitionsOf(SourceSpan name) const {
    const auto token = tokenAt(name.begin);
    if (!token) return {};
    const auto found = known(*token);
    std::vector<SourceDefinition> definitions;
    for (const SourceDefinition* d : found)
        definitions.push_back(*d);
    std::sort(definitions.begin(), definitions.end(),
              [](const auto& a, const auto& b) { return a.body != b.body ? a.body : a.name.begin < b.name.begin; });
    const bool wholeFile = !definitions.empty() && definitions.front().scope == SourceSpan{0, m_text.size()};
    if (!wholeFile) { // a loop's i is the last one before it
        const auto behind = std::partition_point(definitions.begin(), definitions.end(),
                                                 [&](const auto& d) { return d.name.begin <= name.begin; });
        if (behind != definitions.begin()) std::rotate(definitions.begin(), behind - 1, behind);
    }
    return definitions;
}

std::vector<SourceSpan> SourceIndex::placesOf(SourceSpan name) const {
    std::vector<SourceSpan> places;
    const auto token = tokenAt(name.begin);
    if (!token) return places;
    const auto own = known(*token);
    const auto isSame = [&](std::size_t i) {
        const auto other = known(i);
        if (own.empty() || other.empty())
            return own.empty() && other.empty() && isOfAnObject(i) == isOfAnObject(*token);
        return other.front()->scope == own.front()->scope && other.front()->member == own.front()->member;
    };
    const std::string_view word = text(name);
    for (std::size_t i = 0; i < m_tokens.code.size(); ++i)
        if (m_isName[i] && m_tokens.code[i].of(m_text) == word && isSame(i))
            places.push_back({m_tokens.code[i].begin, m_tokens.code[i].end});
    if (!own.empty() && !own.front()->member) addMarks(name, places);
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return places;
}

void SourceIndex::addMarks(SourceSpan name, std::vector<SourceSpan>& places) const {
    const std::string_view word = text(name);
    for (const tuning::CodeComment& comment : m_tokens.comments) {
        const auto content = tuning::markContent(m_text, comment);
        if (!content) continue;
        const std::string inside = m_text.substr(*content, comment.end - *content);
        for (const CodeToken& token : tuning::codeTokens(inside).code)
            if (token.kind == CodeToken::Kind::word && token.of(inside) == word)
                places.push_back({*content + token.begin, *content + token.end});
    }
}

std::size_t SourceIndex::count(std::string_view name) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_tokens.code.size(); ++i)
        count += m_isName[i] && m_tokens.code[i].of(m_text) == name;
    return count;
}

} // namespace kernelarium::ui
