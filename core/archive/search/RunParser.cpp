// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of RE2's syntax (https://github.com/google/re2/wiki/Syntax) what single characters, classes, repetitions and groups
// need. It may understand less than RE2 does and never otherwise: whatever is in doubt ends it.
#include "core/archive/search/RunParser.h"

#include <algorithm>

namespace kernelarium::archive {
namespace {

using Set = CharacterSet;

constexpr std::size_t mostPieces = 4 * 1024; ///< of an expression
constexpr int deepestGroup = 50;

/// Thrown inside of this file.
struct NotUnderstood {};

bool isAsciiDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Set rangeOf(char first, char last) {
    Set set;
    for (int c = static_cast<unsigned char>(first); c <= static_cast<unsigned char>(last) && c < 128; ++c)
        set.set(std::size_t(c));
    return set;
}

/// \d, \s, \w and their opposites.
std::optional<Set> perlClass(char c) {
    const Set digits = rangeOf('0', '9');
    const Set spaces = rangeOf('\t', '\n') | rangeOf('\f', '\r') | rangeOf(' ', ' ');
    const Set words = digits | rangeOf('a', 'z') | rangeOf('A', 'Z') | rangeOf('_', '_');
    switch (c) {
    case 'd': return digits;
    case 'D': return ~digits;
    case 's': return spaces;
    case 'S': return ~spaces;
    case 'w': return words;
    case 'W': return ~words;
    default: return std::nullopt;
    }
}

std::optional<char> controlCharacter(char c) {
    switch (c) {
    case 'a': return '\a';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return std::nullopt;
    }
}

class Parser {
public:
    Parser(std::string_view text, bool matchCase)
        : m_text(text)
        , m_matchCase(matchCase) {}

    RunPieces all() {
        RunPieces pieces = alternatives(0);
        if (!atEnd()) throw NotUnderstood{};
        return pieces;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] char look() const { return atEnd() ? '\0' : m_text[m_at]; }
    char take() {
        if (atEnd() || (m_text[m_at] & 0x80)) throw NotUnderstood{};
        return m_text[m_at++];
    }

    [[nodiscard]] Set folded(Set set) const {
        if (m_matchCase) return set;
        for (std::size_t c = 'a'; c <= 'z'; ++c) {
            const std::size_t upper = c - 'a' + 'A';
            if (set[c] || set[upper]) set.set(c).set(upper);
        }
        if (set['k'] || set['s']) set.set(otherCaseOfKOrS);
        return set;
    }

    /// Up to the end or a closing parenthesis.
    RunPieces alternatives(int depth) {
        if (depth > deepestGroup) throw NotUnderstood{};
        RunPieces pieces = sequence(depth);
        bool several = false;
        while (look() == '|' && !atEnd()) {
            ++m_at;
            sequence(depth);
            several = true;
        }
        return several ? RunPieces{std::nullopt} : pieces;
    }

    RunPieces sequence(int depth) {
        RunPieces pieces;
        while (!atEnd() && look() != '|' && look() != ')') {
            const RunPieces one = repeated(atom(depth));
            pieces.insert(pieces.end(), one.begin(), one.end());
            if (pieces.size() > mostPieces) throw NotUnderstood{};
        }
        return pieces;
    }

    RunPieces atom(int depth) {
        switch (const char c = take()) {
        case '^':
        case '$': return {};
        case '.': return {~rangeOf('\n', '\n')};
        case '[': return {characterClass()};
        case '(': return group(depth);
        case '\\': return escape();
        case '*':
        case '+':
        case '?': throw NotUnderstood{};
        default: return {folded(rangeOf(c, c))};
        }
    }

    RunPieces group(int depth) {
        if (look() == '?') {
            if (m_text.substr(m_at, 2) != "?:") throw NotUnderstood{};
            m_at += 2;
        }
        RunPieces pieces = alternatives(depth + 1);
        if (take() != ')') throw NotUnderstood{};
        return pieces;
    }

    RunPieces escape() {
        const char c = take();
        if (const auto set = perlClass(c)) return {folded(*set)};
        if (c == 'b' || c == 'B' || c == 'A' || c == 'z') return {};
        if (const auto control = controlCharacter(c)) return {rangeOf(*control, *control)};
        if (isAsciiLetter(c) || isAsciiDigit(c)) throw NotUnderstood{}; // \pN, \Q, \x, \C and the like
        return {rangeOf(c, c)};
    }

    /// One of a class, which may begin or end a range.
    char classCharacter() {
        const char c = take();
        if (c == '[') throw NotUnderstood{}; // [:alpha:]
        if (c != '\\') return c;
        const char escaped = take();
        if (const auto control = controlCharacter(escaped)) return *control;
        if (isAsciiLetter(escaped) || isAsciiDigit(escaped)) throw NotUnderstood{};
        return escaped;
    }

    Set characterClass() {
        Set set;
        const bool negated = look() == '^';
        if (negated) ++m_at;
        for (bool first = true; first || look() != ']'; first = false) {
            if (m_text.size() - m_at >= 2 && look() == '\\')
                if (const auto perl = perlClass(m_text[m_at + 1])) {
                    set |= *perl;
                    m_at += 2;
                    continue;
                }
            const char from = classCharacter();
            char to = from;
            if (look() == '-' && m_text.size() - m_at >= 2 && m_text[m_at + 1] != ']') {
                ++m_at;
                to = classCharacter();
            }
            if (to < from) throw NotUnderstood{};
            set |= rangeOf(from, to);
        }
        ++m_at;
        set = folded(set);
        return negated ? (~set).set(otherCharacter) : set;
    }

    /// The number at `at`, which is moved behind it.
    [[nodiscard]] std::optional<std::size_t> number(std::size_t& at) const {
        const std::size_t start = at;
        std::size_t value = 0;
        for (; at < m_text.size() && isAsciiDigit(m_text[at]); ++at) {
            // RE2 repeats nothing more often than 1,000 times, and reads no number that begins with 0.
            if (at - start == 4 || (at > start && value == 0)) throw NotUnderstood{};
            value = 10 * value + std::size_t(m_text[at] - '0');
        }
        if (at == start) return std::nullopt;
        return value;
    }

    struct Times {
        std::size_t least;
        bool exactly;
    };
    /// The repetition that stands here, which is taken. A brace that begins none is a character.
    std::optional<Times> repetition() {
        const char c = look();
        if (atEnd()) return std::nullopt;
        if (c == '*' || c == '?' || c == '+') {
            ++m_at;
            return Times{c == '+' ? 1u : 0u, false};
        }
        if (c != '{') return std::nullopt;
        std::size_t at = m_at + 1;
        const auto least = number(at);
        if (!least) return std::nullopt;
        bool exactly = true;
        if (at < m_text.size() && m_text[at] == ',') {
            ++at;
            const auto most = number(at);
            exactly = most == least;
        }
        if (at >= m_text.size() || m_text[at] != '}') return std::nullopt;
        m_at = at + 1;
        return Times{*least, exactly};
    }

    RunPieces repeated(const RunPieces& once) {
        const auto times = repetition();
        if (!times) return once;
        if (look() == '?' && !atEnd()) ++m_at; // as few as will do: the same pieces
        if (repetition()) throw NotUnderstood{};
        RunPieces pieces;
        bool cut = false;
        for (std::size_t k = 0; k < times->least && !cut; ++k) {
            pieces.insert(pieces.end(), once.begin(), once.end());
            cut = pieces.size() >= longestRun && k + 1 < times->least;
        }
        if (cut || !times->exactly) {
            // What stands before it begins with these, and what follows ends them.
            const RunPieces least = pieces;
            pieces.emplace_back();
            pieces.insert(pieces.end(), least.begin(), least.end());
        }
        return pieces;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_matchCase;
};

} // namespace

std::optional<RunPieces> parseRunPieces(std::string_view expression, bool matchCase) {
    try {
        return Parser(expression, matchCase).all();
    } catch (const NotUnderstood&) {
        return std::nullopt;
    }
}

} // namespace kernelarium::archive
