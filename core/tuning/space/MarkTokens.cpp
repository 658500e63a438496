// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/MarkTokens.h"

#include <algorithm>
#include <array>

namespace kernelarium::tuning {

namespace {

bool beginsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDecimal(char c) {
    return c >= '0' && c <= '9';
}
bool isNamePart(char c) {
    return beginsName(c) || isDecimal(c);
}

class MarkScanner {
public:
    MarkScanner(std::string_view text, std::size_t begin, std::size_t end, TextProblems& problems)
        : m_text(text.substr(0, end))
        , m_at(begin)
        , m_problems(problems) {}

    std::vector<MarkToken> run() {
        while (m_at < m_text.size())
            step();
        m_out.push_back({MarkToken::Kind::end, m_at, m_at, {}});
        return std::move(m_out);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

    void step() {
        const char c = peek();
        const std::size_t begin = m_at;
        if (c == '\n') {
            line();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            ++m_at;
        } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            m_at += peek(1) == '\n' ? 2 : 3;
        } else if (c == '#') {
            m_at = std::min(m_text.size(), m_text.find('\n', m_at));
        } else if (beginsName(c)) {
            while (isNamePart(peek()))
                ++m_at;
            add(MarkToken::Kind::word, begin);
        } else if (isDecimal(c) || (c == '.' && isDecimal(peek(1)))) {
            number();
        } else if (c == '"' || c == '\'') {
            quotation(c);
        } else {
            symbol();
        }
    }

    /// Ends before the two points of a range: 1..5 is three pieces.
    void number() {
        const std::size_t begin = m_at;
        const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (m_at < m_text.size()) {
            const char c = peek();
            const char before = m_at > begin ? m_text[m_at - 1] : '\0';
            const bool sign = (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E');
            const bool point = c == '.' && peek(1) != '.';
            const bool parted = c == '\'' && isNamePart(before) && isNamePart(peek(1));
            if (!isNamePart(c) && !sign && !point && !parted) break;
            ++m_at;
        }
        add(MarkToken::Kind::number, begin);
    }

    void quotation(char quote) {
        const std::size_t begin = m_at++;
        while (m_at < m_text.size() && peek() != quote && peek() != '\n')
            m_at += peek() == '\\' && m_at + 1 < m_text.size() && peek(1) != '\n' ? 2 : 1;
        if (peek() == quote && m_at < m_text.size()) {
            ++m_at;
            return add(MarkToken::Kind::quoted, begin);
        }
        m_problems.push_back({begin, m_at, "A quotation begins here and does not end in its line.", "Close it."});
        add(MarkToken::Kind::symbol, begin);
    }

    void symbol() {
        static constexpr std::array<std::string_view, 11> two{
            "..", "**", "//", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>"};
        const std::size_t begin = m_at;
        const bool isTwo = std::find(two.begin(), two.end(), m_text.substr(m_at, 2)) != two.end();
        m_at += isTwo ? 2 : 1;
        while (!isTwo && m_at < m_text.size() && (static_cast<unsigned char>(peek()) & 0xc0) == 0x80)
            ++m_at; // the rest of a character of UTF-8
        const char c = m_text[begin];
        if (c == '(' || c == '[' || c == '{') ++m_depth;
        if ((c == ')' || c == ']' || c == '}') && m_depth > 0) --m_depth;
        add(MarkToken::Kind::symbol, begin);
    }

    /// Also passes the * that decorates a comment's lines.
    void line() {
        const std::size_t begin = m_at++;
        if (m_depth == 0 && !goesOn()) m_out.push_back({MarkToken::Kind::line, begin, begin, {}});
        std::size_t at = m_at;
        while (at < m_text.size() && (m_text[at] == ' ' || m_text[at] == '\t'))
            ++at;
        if (at < m_text.size() && m_text[at] == '*') m_at = at + 1;
    }

    bool goesOn() const {
        if (m_out.empty()) return false;
        const MarkToken& last = m_out.back();
        if (last.kind == MarkToken::Kind::symbol)
            return last.text != ")" && last.text != "]" && last.text != "}" && last.text != ";";
        static constexpr std::array<std::string_view, 6> words{"and", "or", "not", "in", "if", "else"};
        return last.kind == MarkToken::Kind::word && std::find(words.begin(), words.end(), last.text) != words.end();
    }

    void add(MarkToken::Kind kind, std::size_t begin) {
        m_out.push_back({kind, begin, m_at, m_text.substr(begin, m_at - begin)});
    }

    std::string_view m_text;
    std::size_t m_at;
    TextProblems& m_problems;
    int m_depth = 0;
    std::vector<MarkToken> m_out;
};

} // namespace

std::vector<MarkToken> markTokens(std::string_view text, std::size_t begin, std::size_t end, TextProblems& problems) {
    return MarkScanner(text, begin, end, problems).run();
}

std::string unquoted(std::string_view quoted) {
    std::string out;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\' && i + 2 < quoted.size()) ++i;
        out += quoted[i];
    }
    return out;
}

std::string MarkStream::found() const {
    const MarkToken& token = peek();
    if (token.kind == MarkToken::Kind::end) return "the end";
    if (token.kind == MarkToken::Kind::line) return "the line's end";
    return "`" + std::string(token.text.substr(0, 60)) + "`";
}

} // namespace kernelarium::tuning
