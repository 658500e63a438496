// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/LiteralText.h"
#include "core/profile/PythonLiteral.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::profile {
namespace {

/// Why a text is not a literal; caught in parseLiteral.
struct BadLiteral {
    std::size_t at;
    std::string reason;
};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameByte(char c) {
    return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (c & 0x80) != 0;
}

class LiteralParser {
public:
    LiteralParser(std::string_view text, const LiteralLimits& limits)
        : m_text(text)
        , m_limits(limits) {}

    Literal run() {
        Literal literal = value(0);
        space();
        if (m_at < m_text.size()) fail(fmt::format("'{}' after the literal", shown(m_text.substr(m_at, 20))));
        return literal;
    }

private:
    [[noreturn]] void fail(std::string reason) const { throw BadLiteral{m_at, std::move(reason)}; }

    static std::string shown(std::string_view text) {
        std::string out(text);
        for (char& c : out)
            if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
        return out;
    }

    void space() {
        while (m_at < m_text.size() && std::string_view(" \t\r\n\f").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }

    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    bool accept(char c) {
        space();
        if (peek() != c || m_at >= m_text.size()) return false;
        ++m_at;
        return true;
    }

    void expect(char c, const char* where) {
        if (!accept(c))
            fail(m_at < m_text.size() ? fmt::format("'{}' is missing {}", c, where) : "the text ends early");
    }

    Literal value(std::size_t depth) {
        if (depth > m_limits.depth) fail(fmt::format("collections are nested deeper than {}", m_limits.depth));
        if (++m_values > m_limits.values) fail(fmt::format("there are more than {} values", m_limits.values));
        space();
        if (m_at >= m_text.size()) fail("the text ends early");
        const char c = peek();
        if (c == '[') return sequence(']', Literal::Kind::list, depth);
        if (c == '(') return parenthesised(depth);
        if (c == '{') return braces(depth);
        if (c == '+' || c == '-' || c == '.' || isDigit(c)) return number();
        if (auto token = stringAt(m_text.substr(m_at))) return strings(std::move(*token));
        return name(depth);
    }

    std::vector<Literal> itemsUntil(char close, std::size_t depth, bool& comma) {
        std::vector<Literal> items;
        comma = false;
        while (!accept(close)) {
            if (!items.empty() && !comma) fail("a comma is missing");
            items.push_back(value(depth + 1));
            comma = accept(',');
        }
        return items;
    }

    Literal sequence(char close, Literal::Kind kind, std::size_t depth) {
        ++m_at;
        bool comma = false;
        return Literal::collection(kind, itemsUntil(close, depth, comma));
    }

    /// (1,) is a tuple, (1) is 1.
    Literal parenthesised(std::size_t depth) {
        ++m_at;
        bool comma = false;
        auto items = itemsUntil(')', depth, comma);
        if (items.size() == 1 && !comma) return std::move(items.front());
        return Literal::collection(Literal::Kind::tuple, std::move(items));
    }

    Literal hashable(std::size_t depth) {
        const std::size_t at = m_at;
        Literal key = value(depth + 1);
        const auto kind = key.kind();
        if (kind == Literal::Kind::list || kind == Literal::Kind::dict || kind == Literal::Kind::set) {
            m_at = at;
            fail("a collection that can change cannot be a key or a member of a set");
        }
        return key;
    }

    Literal braces(std::size_t depth) {
        ++m_at;
        if (accept('}')) return Literal::dict({}, {});
        std::vector<Literal> keys;
        std::vector<Literal> values;
        keys.push_back(hashable(depth));
        const bool isDict = accept(':');
        if (isDict) values.push_back(value(depth + 1));
        while (!accept('}')) {
            expect(',', "between two entries");
            if (accept('}')) break;
            keys.push_back(hashable(depth));
            if (!isDict) continue;
            expect(':', "after a key");
            values.push_back(value(depth + 1));
        }
        if (!isDict) return Literal::collection(Literal::Kind::set, std::move(keys));
        return Literal::dict(std::move(keys), std::move(values));
    }

    Literal strings(StringToken token) {
        std::string all;
        const bool bytes = token.isBytes;
        while (true) {
            if (!token.problem.empty()) m_at += token.length, fail(token.problem);
            if (token.isBytes != bytes) fail("texts and bytes side by side");
            all += token.value;
            m_at += token.length;
            const std::size_t behind = m_at;
            space();
            auto next = stringAt(m_text.substr(m_at)); // side by side they are one text
            if (!next) {
                m_at = behind;
                break;
            }
            token = std::move(*next);
        }
        return bytes ? Literal::bytes(std::move(all)) : Literal::text(std::move(all));
    }

    Literal name(std::size_t depth) {
        std::size_t end = m_at;
        while (end < m_text.size() && isNameByte(m_text[end]))
            ++end;
        const std::string_view word = m_text.substr(m_at, end - m_at);
        if (word.empty()) fail(fmt::format("'{}' is not a literal", shown(m_text.substr(m_at, 1))));
        if (word == "None") return m_at = end, Literal();
        if (word == "True" || word == "False") return m_at = end, Literal::boolean(word == "True");
        if (word == "nan") return m_at = end, Literal::real(std::numeric_limits<double>::quiet_NaN());
        if (word == "inf") return m_at = end, Literal::real(std::numeric_limits<double>::infinity());
        if (word == "set" && m_text.substr(end).starts_with("()") && depth <= m_limits.depth)
            return m_at = end + 2, Literal::collection(Literal::Kind::set, {});
        fail(fmt::format("the name '{}' is not a literal; nothing is evaluated", shown(word.substr(0, 40))));
    }

    Literal number() {
        const bool negative = peek() == '-';
        if (negative || peek() == '+') ++m_at;
        space();
        if (m_text.substr(m_at).starts_with("inf") || m_text.substr(m_at).starts_with("nan")) {
            Literal special = name(0);
            return Literal::real(negative ? -*special.number() : *special.number());
        }
        std::size_t end = m_at;
        while (end < m_text.size() && (isNameByte(m_text[end]) || m_text[end] == '.' ||
                                       ((m_text[end] == '+' || m_text[end] == '-') && isExponentSign(end))))
            ++end;
        std::string digits(m_text.substr(m_at, end - m_at));
        if (digits.find("__") != std::string::npos || digits.ends_with('_'))
            fail("an underscore stands where none may");
        std::erase(digits, '_');
        Literal literal = numberFrom(digits, negative);
        m_at = end;
        return literal;
    }

    [[nodiscard]] bool isExponentSign(std::size_t at) const {
        const bool hexadecimal = m_text.substr(m_at).starts_with("0x") || m_text.substr(m_at).starts_with("0X");
        return at > m_at && (m_text[at - 1] == 'e' || m_text[at - 1] == 'E') && !hexadecimal;
    }

    Literal numberFrom(const std::string& digits, bool negative) const {
        const auto refuse = [&]() { fail(fmt::format("'{}' is not a number", shown(digits.substr(0, 40)))); };
        if (digits.empty()) refuse();
        int base = 10;
        std::size_t from = 0;
        if (digits.size() > 2 && digits[0] == '0') {
            const char mark = static_cast<char>(digits[1] | 0x20);
            base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
            if (base != 10) from = 2;
        }
        const char* begin = digits.data() + from;
        const char* end = digits.data() + digits.size();
        const bool allDigits = std::all_of(begin, end, isDigit);
        if (base == 10 && !allDigits) return realFrom(digits, negative);
        if (base == 10 && digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos)
            refuse(); // an octal number of older Pythons
        std::uint64_t value = 0;
        const auto read = std::from_chars(begin, end, value, base);
        if (read.ptr != end || (read.ec != std::errc() && read.ec != std::errc::result_out_of_range)) refuse();
        constexpr std::uint64_t greatest = std::numeric_limits<std::int64_t>::max();
        if (read.ec == std::errc() && value <= greatest)
            return Literal::integer(negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value));
        if (base != 10) fail("an integer of more than 64 bits is not decimal");
        return Literal::largeInteger((negative ? "-" : "") + digits);
    }

    Literal realFrom(const std::string& digits, bool negative) const {
        // from_chars takes "inf" and "nan" too, which are names here.
        const bool plain = digits.find_first_not_of("0123456789.eE+-") == std::string::npos;
        double value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool complete = plain && read.ptr == digits.data() + digits.size();
        if (!complete || (read.ec != std::errc() && read.ec != std::errc::result_out_of_range))
            fail(fmt::format("'{}' is not a number", shown(digits.substr(0, 40))));
        if (read.ec == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr); // 0 or infinity
        return Literal::real(negative ? -value : value);
    }

    std::string_view m_text;
    const LiteralLimits& m_limits;
    std::size_t m_at = 0;
    std::size_t m_values = 0;
};

} // namespace

Result<Literal> parseLiteral(std::string_view text, const LiteralLimits& limits) {
    if (text.size() > limits.bytes)
        return Error{"bad_literal",
                     fmt::format("The literal has {} bytes; the most read are {}.", text.size(), limits.bytes)};
    try {
        return LiteralParser(text, limits).run();
    } catch (const BadLiteral& bad) {
        const auto before = text.substr(0, std::min(bad.at, text.size()));
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const auto newline = before.rfind('\n');
        const auto column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
        return Error{"bad_literal", fmt::format("Line {}, column {}: {}.", line, column, bad.reason)};
    }
}

} // namespace kernelarium::profile
