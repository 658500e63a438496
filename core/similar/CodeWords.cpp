// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/CodeWords.h"

#include "core/text/CppLiterals.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kernelarium::similar {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNameByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || byte >= 0x80;
}

constexpr std::array<std::string_view, 25> signsOfSeveral = {
    "<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=",  "==",  "!=",  "<=", ">=", "&&", "||", "::", "<<", ">>"};

class Words {
public:
    explicit Words(std::string_view code)
        : m_code(code) {
        m_words.reserve(code.size() / 4);
    }

    std::vector<std::string_view> read() {
        while (m_at < m_code.size())
            step();
        return std::move(m_words);
    }

private:
    [[nodiscard]] std::string_view rest() const { return m_code.substr(m_at); }
    [[nodiscard]] char next() const { return m_at + 1 < m_code.size() ? m_code[m_at + 1] : '\0'; }

    void step() {
        const char c = m_code[m_at];
        if (c == '\n') {
            m_lineBegins = true;
            ++m_at;
        } else if (static_cast<unsigned char>(c) <= ' ' || c == '\\') {
            ++m_at;
        } else if (rest().starts_with("//")) {
            m_at = std::min(m_code.find('\n', m_at), m_code.size());
        } else if (rest().starts_with("/*")) {
            m_at = text::afterBlockComment(m_code, m_at);
        } else {
            const bool begins = std::exchange(m_lineBegins, false);
            if (c == '#' && begins && isInclude())
                m_at = std::min(m_code.find('\n', m_at), m_code.size());
            else
                word(c);
        }
    }

    [[nodiscard]] bool isInclude() const {
        const std::size_t name = m_code.find_first_not_of(" \t", m_at + 1);
        return name != std::string_view::npos && m_code.substr(name).starts_with("include");
    }

    void word(char c) {
        if (isDigit(c) || (c == '.' && isDigit(next())))
            number();
        else if (isNameByte(c))
            name();
        else if (c == '"' || c == '\'') {
            m_words.push_back(c == '"' ? "s" : "c");
            m_at = text::afterQuoted(m_code, m_at);
        } else
            sign();
    }

    void name() {
        std::size_t end = m_at;
        while (end < m_code.size() && isNameByte(m_code[end]))
            ++end;
        const std::string_view found = m_code.substr(m_at, end - m_at);
        m_at = end;
        if (end < m_code.size() && m_code[end] == '"' && found.ends_with('R') && found.size() <= 3) {
            m_at = text::afterRawString(m_code, end);
            m_words.push_back("s");
        } else {
            m_words.push_back(isKnownName(found) ? found : "n");
        }
    }

    /// 1'000, 0x1fp-3, 1e-5f, .5: whatever follows a number's beginning belongs to it.
    void number() {
        std::size_t end = m_at;
        const bool isHex = rest().starts_with("0x") || rest().starts_with("0X");
        bool isFloat = false;
        while (end < m_code.size()) {
            const char c = m_code[end];
            const char before = end > m_at ? m_code[end - 1] : ' ';
            const bool exponent = isHex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
            if ((c == '+' || c == '-') ? !exponent : !isNameByte(c) && c != '.' && c != '\'') break;
            isFloat = isFloat || c == '.' || (!isHex && (c == 'e' || c == 'E' || c == 'f' || c == 'F'));
            ++end;
        }
        const std::string_view digits = m_code.substr(m_at, end - m_at);
        m_at = end;
        const bool isSmall = digits == "0" || digits == "1" || digits == "2";
        m_words.push_back(isFloat ? "0f" : isSmall ? digits : "9");
    }

    void sign() {
        std::size_t length = 1;
        const bool mayBeLonger = std::string_view("<>=-+*/%&|^!.:").find(next()) != std::string_view::npos;
        for (const std::string_view sign : signsOfSeveral)
            if (mayBeLonger && rest().starts_with(sign)) {
                length = sign.size();
                break;
            }
        m_words.push_back(m_code.substr(m_at, length));
        m_at += length;
    }

    std::string_view m_code;
    std::vector<std::string_view> m_words;
    std::size_t m_at = 0;
    bool m_lineBegins = true;
};

} // namespace

std::vector<std::string_view> wordsOf(std::string_view code) {
    return Words(code).read();
}

} // namespace kernelarium::similar
