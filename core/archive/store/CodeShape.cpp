// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/CodeShape.h"

#include "core/files/Sha256.h"
#include "core/text/CppLiterals.h"

#include <algorithm>

namespace kernelarium::archive {
namespace {

bool isWordByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           byte == '_' || byte >= 0x80;
}

bool isOperatorByte(char c) {
    return std::string_view("+-*/%<>=&|^!~:.#").find(c) != std::string_view::npos;
}

/// Two tokens that would be read as one (or a comment) when nothing stands between them.
bool wouldMerge(char before, char after) {
    return (isWordByte(before) && isWordByte(after)) || (isOperatorByte(before) && isOperatorByte(after)) ||
           (isWordByte(before) && (after == '.' || after == '"' || after == '\'')) ||
           ((before == '.' || before == '"' || before == '\'') && isWordByte(after));
}

class Normaliser {
public:
    explicit Normaliser(std::string_view code)
        : m_code(code) {
        m_out.reserve(code.size());
    }

    std::string run() {
        while (m_at < m_code.size())
            step();
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool at(std::string_view text) const { return m_code.substr(m_at).starts_with(text); }

    void step() {
        const char c = m_code[m_at];
        if (at("\\\n") || at("\\\r\n")) {
            m_at += at("\\\n") ? 2 : 3; // a spliced line goes on
            m_gap = true;
        } else if (c == '\n') {
            ++m_at;
            if (m_directive) endDirective();
            m_gap = true;
            m_lineBegins = true;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++m_at;
            m_gap = true;
        } else if (at("//")) {
            m_at = std::min(m_code.find('\n', m_at), m_code.size());
        } else if (at("/*")) {
            m_at = text::afterBlockComment(m_code, m_at);
            m_gap = true;
        } else {
            token(c);
        }
    }

    void token(char c) {
        if (c == '#' && m_lineBegins) {
            if (!m_out.empty() && m_out.back() != '\n') m_out += '\n';
            m_directive = true;
            m_gap = false;
        }
        m_lineBegins = false;
        const std::size_t length = tokenLength(c);
        const bool apart =
            m_gap && !m_out.empty() && m_out.back() != '\n' && (m_directive || wouldMerge(m_out.back(), c));
        if (apart) m_out += ' ';
        m_out += m_code.substr(m_at, length);
        m_at += length;
        m_gap = false;
    }

    [[nodiscard]] std::size_t tokenLength(char c) {
        const bool goesOn = m_inWord && !m_gap;
        const char before = m_at > 0 ? m_code[m_at - 1] : ' ';
        // 1'000'000: the quote stands inside a number.
        const bool separator = c == '\'' && goesOn && m_wordIsNumber;
        m_inWord = isWordByte(c) || separator;
        if (m_inWord && !goesOn) m_wordIsNumber = c >= '0' && c <= '9';
        const bool raw = c == '"' && goesOn && before == 'R';
        if (raw) return text::afterRawString(m_code, m_at) - m_at;
        if (c == '"' || (c == '\'' && !separator)) return text::afterQuoted(m_code, m_at) - m_at;
        return 1;
    }

    void endDirective() {
        m_out += '\n';
        m_directive = false;
    }

    std::string_view m_code;
    std::string m_out;
    std::size_t m_at = 0;
    bool m_gap = false;       ///< white space or a comment stood before this
    bool m_lineBegins = true; ///< nothing but white space and comments stood on this line
    bool m_directive = false;
    bool m_inWord = false; ///< the byte before this belongs to a name or a number
    bool m_wordIsNumber = false;
};

} // namespace

std::string normalisedCode(std::string_view code) {
    return Normaliser(code).run();
}

CodeShape shapeOf(std::string_view code) {
    const files::Digest digest = files::sha256(normalisedCode(code));
    CodeShape shape{};
    std::copy_n(digest.begin(), shape.size(), shape.begin());
    return shape;
}

} // namespace kernelarium::archive
