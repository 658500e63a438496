// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/CodeShape.h"

#include "core/files/Sha256.h"

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
            const auto end = m_code.find("*/", m_at + 2);
            m_at = end == std::string_view::npos ? m_code.size() : end + 2;
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
        if (c == '"') return goesOn && before == 'R' ? rawLength() : quotedLength('"');
        if (c == '\'' && !separator) return quotedLength('\'');
        return 1;
    }

    /// To the closing quote, or to the line's end where there is none (as in the text of an #error).
    [[nodiscard]] std::size_t quotedLength(char quote) const {
        std::size_t end = m_at + 1;
        for (; end < m_code.size() && m_code[end] != quote && m_code[end] != '\n'; ++end)
            if (m_code[end] == '\\' && end + 1 < m_code.size()) ++end;
        if (end >= m_code.size()) return m_code.size() - m_at;
        return end - m_at + (m_code[end] == quote ? 1 : 0);
    }

    /// R"name( ... )name"
    [[nodiscard]] std::size_t rawLength() const {
        constexpr std::size_t longestName = 16;
        const auto found = m_code.substr(m_at, longestName + 2).find('(');
        if (found == std::string_view::npos) return quotedLength('"');
        const std::size_t open = m_at + found;
        const std::string close = ")" + std::string(m_code.substr(m_at + 1, open - m_at - 1)) + "\"";
        const auto end = m_code.find(close, open);
        return (end == std::string_view::npos ? m_code.size() : end + close.size()) - m_at;
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
