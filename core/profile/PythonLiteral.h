// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kernelarium::profile {

/// A value that Python's repr() can write: None, a truth value, a number, a text, bytes, or a collection of
/// them.
class Literal {
public:
    enum class Kind { none, boolean, integer, largeInteger, real, text, bytes, list, tuple, set, dict };

    Literal() = default;
    static Literal boolean(bool value);
    static Literal integer(std::int64_t value);
    static Literal largeInteger(std::string digits); ///< of more than 64 bits, in decimal, with its sign
    static Literal real(double value);
    static Literal text(std::string value);
    static Literal bytes(std::string value);
    static Literal collection(Kind kind, std::vector<Literal> items);
    static Literal dict(std::vector<Literal> keys, std::vector<Literal> values);

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isNone() const { return m_kind == Kind::none; }
    /// Of an integer or a real; a large integer is rounded.
    [[nodiscard]] std::optional<double> number() const;
    [[nodiscard]] std::optional<bool> truth() const;         ///< of a boolean
    [[nodiscard]] std::optional<std::int64_t> whole() const; ///< of an integer of 64 bits
    [[nodiscard]] const std::string* text() const;           ///< of a text, of bytes, of a large integer's digits
    /// Of a list, tuple or set its items, of a dict its values.
    [[nodiscard]] const std::vector<Literal>& items() const { return m_items; }
    [[nodiscard]] const std::vector<Literal>& keys() const { return m_keys; } ///< of a dict, as many as items()
    /// The value that a dict has for a text; null without.
    [[nodiscard]] const Literal* find(std::string_view key) const;

    bool operator==(const Literal& other) const = default;

private:
    Kind m_kind = Kind::none;
    std::variant<std::monostate, bool, std::int64_t, double, std::string> m_scalar;
    std::vector<Literal> m_keys;
    std::vector<Literal> m_items;
};

/// What a literal may have at most.
struct LiteralLimits {
    std::size_t bytes = 32u << 20;
    std::size_t depth = 64;        ///< of collections in each other
    std::size_t values = 1u << 20; ///< in all
};

/// Reads one literal with nothing but white space around it. Beyond what Python's own literals are, `nan` and
/// `inf` are numbers, as repr() writes them. Everything else is refused: names, calls, operators, f-strings,
/// complex numbers. Nothing is ever evaluated. Error "bad_literal" with the place.
Result<Literal> parseLiteral(std::string_view text, const LiteralLimits& limits = {});

} // namespace kernelarium::profile
