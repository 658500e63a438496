// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/SizeExpression.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace kernelarium::task {

namespace {

/// Recursive descent over sum := product (+|- product)*, product := atom (*|/ atom)*, atom := number | name |
/// (sum) | -atom.
class Reader {
public:
    Reader(const std::string& text, const Symbols& symbols)
        : m_text(text)
        , m_symbols(symbols) {}

    std::int64_t whole() {
        const std::int64_t value = sum();
        if (peek() != '\0') fail("something follows the expression");
        return value;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(fmt::format("The size '{}' cannot be evaluated: {}.", m_text, why));
    }
    char peek() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char c) {
        if (peek() != c) return false;
        ++m_at;
        return true;
    }
    void fits(bool yes) const {
        if (!yes) fail("a number in it has more than 64 bits");
    }
    std::int64_t sum() {
        std::int64_t value = product();
        for (;;)
            if (take('+'))
                fits(!__builtin_add_overflow(value, product(), &value));
            else if (take('-'))
                fits(!__builtin_sub_overflow(value, product(), &value));
            else
                return value;
    }
    std::int64_t product() {
        std::int64_t value = atom();
        for (;;)
            if (take('*'))
                fits(!__builtin_mul_overflow(value, atom(), &value));
            else if (take('/'))
                value = quotient(value, atom());
            else
                return value;
    }
    std::int64_t quotient(std::int64_t a, std::int64_t b) const {
        if (b == 0) fail("division by zero");
        fits(b != -1 || a != std::numeric_limits<std::int64_t>::min());
        const std::int64_t q = a / b;
        return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
    }
    std::int64_t atom() {
        if (++m_depth > deepest) fail("it is nested too deeply");
        const std::int64_t value = nested();
        --m_depth;
        return value;
    }
    std::int64_t nested() {
        if (take('-')) {
            const std::int64_t value = atom();
            fits(value != std::numeric_limits<std::int64_t>::min());
            return -value;
        }
        if (take('(')) {
            const std::int64_t value = sum();
            if (!take(')')) fail("a parenthesis is missing");
            return value;
        }
        const std::size_t start = (void(peek()), m_at);
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        const std::string word = m_text.substr(start, m_at - start);
        if (word.empty()) fail("a number or a symbol is missing");
        if (std::isdigit(static_cast<unsigned char>(word[0]))) return std::stoll(word);
        for (const auto& [name, value] : m_symbols)
            if (name == word) return value;
        fail(fmt::format("there is no symbol {}", word));
    }

    const std::string& m_text;
    const Symbols& m_symbols;
    static constexpr int deepest = 64;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

bool SizeExpression::isNumber() const {
    return !m_text.empty() && std::all_of(m_text.begin() + (m_text[0] == '-'), m_text.end(),
                                          [](unsigned char c) { return std::isdigit(c); });
}

Result<std::int64_t> SizeExpression::evaluate(const Symbols& symbols) const {
    try {
        return Reader(m_text, symbols).whole();
    } catch (const std::exception& e) {
        return Error{"bad_card", e.what()};
    }
}

} // namespace kernelarium::task
