// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/LiteralText.h"

#include <cstdint>

namespace kernelarium::profile {
namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void appendUtf8(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

struct Prefix {
    std::size_t length = 0;
    bool raw = false;
    bool bytes = false;
    bool formatted = false;
};

/// Up to two letters before a quote.
std::optional<Prefix> prefixOf(std::string_view text) {
    Prefix prefix;
    for (; prefix.length < text.size() && prefix.length < 3; ++prefix.length) {
        const char c = text[prefix.length];
        if (c == '\'' || c == '"') return prefix;
        const char lower = static_cast<char>(c | 0x20);
        prefix.raw |= lower == 'r';
        prefix.bytes |= lower == 'b';
        prefix.formatted |= lower == 'f' || lower == 't';
        if (lower != 'r' && lower != 'b' && lower != 'u' && lower != 'f' && lower != 't') break;
    }
    return std::nullopt;
}

class StringReader {
public:
    StringReader(std::string_view text, const Prefix& prefix)
        : m_text(text)
        , m_prefix(prefix)
        , m_at(prefix.length) {
        m_token.isBytes = prefix.bytes;
    }

    StringToken run() {
        if (m_prefix.formatted) return failed("a formatted string would have to be evaluated");
        const char quote = m_text[m_at];
        const bool triple = m_text.substr(m_at).starts_with(std::string(3, quote));
        const std::string end(triple ? 3 : 1, quote);
        m_at += end.size();
        while (m_at < m_text.size()) {
            if (m_text.substr(m_at).starts_with(end)) {
                m_token.length = m_at + end.size();
                return m_token;
            }
            const char c = m_text[m_at];
            if (c == '\n' && !triple) break;
            if (c == '\\' && !escape()) return failed(m_token.problem);
            if (c != '\\') m_token.value += m_text[m_at++];
        }
        return failed("a string has no end");
    }

private:
    StringToken failed(std::string why) {
        m_token.problem = std::move(why);
        m_token.length = m_at;
        return m_token;
    }

    /// Takes the backslash at m_at and what belongs to it.
    bool escape() {
        if (m_at + 1 >= m_text.size()) return problem("a string has no end");
        const char c = m_text[m_at + 1];
        if (m_prefix.raw) return take(2, m_text.substr(m_at, 2));
        if (c == 'x') return number(2);
        if (c >= '0' && c <= '7') return octal();
        if (!m_prefix.bytes && (c == 'u' || c == 'U')) return number(c == 'u' ? 4 : 8);
        if (!m_prefix.bytes && c == 'N') return problem("a character by its name (\\N{...}) is not known here");
        constexpr std::string_view letters = "\n\\'\"abfnrtv";
        constexpr std::string_view values = " \\'\"\a\b\f\n\r\t\v";
        if (c == '\n') return take(2, "");
        if (const auto known = letters.find(c); known != std::string_view::npos)
            return take(2, values.substr(known, 1));
        return take(2, m_text.substr(m_at, 2)); // Python keeps the backslash
    }

    bool take(std::size_t length, std::string_view value) {
        m_at += length;
        m_token.value += value;
        return true;
    }

    bool problem(std::string why) {
        m_token.problem = std::move(why);
        return false;
    }

    bool append(std::uint32_t code) {
        if (m_prefix.bytes) {
            m_token.value += static_cast<char>(code);
            return true;
        }
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return problem("an escape names no character");
        appendUtf8(m_token.value, code);
        return true;
    }

    bool number(std::size_t digits) {
        std::uint32_t code = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const int digit = m_at + 2 + i < m_text.size() ? hexDigit(m_text[m_at + 2 + i]) : -1;
            if (digit < 0) return problem("an escape lacks hexadecimal digits");
            code = code * 16 + static_cast<std::uint32_t>(digit);
        }
        m_at += 2 + digits;
        return append(code);
    }

    bool octal() {
        std::uint32_t code = 0;
        ++m_at;
        for (int i = 0; i < 3 && m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '7'; ++i)
            code = code * 8 + static_cast<std::uint32_t>(m_text[m_at++] - '0');
        if (m_prefix.bytes && code > 255) return problem("an escape names no byte");
        return append(code);
    }

    std::string_view m_text;
    Prefix m_prefix;
    std::size_t m_at;
    StringToken m_token;
};

} // namespace

std::optional<StringToken> stringAt(std::string_view text) {
    const auto prefix = prefixOf(text);
    if (!prefix) return std::nullopt;
    return StringReader(text, *prefix).run();
}

} // namespace kernelarium::profile
