// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/PythonLiteral.h"

#include <cstdlib>

namespace kernelarium::profile {

Literal Literal::boolean(bool value) {
    Literal literal;
    literal.m_kind = Kind::boolean;
    literal.m_scalar = value;
    return literal;
}

Literal Literal::integer(std::int64_t value) {
    Literal literal;
    literal.m_kind = Kind::integer;
    literal.m_scalar = value;
    return literal;
}

Literal Literal::largeInteger(std::string digits) {
    Literal literal = text(std::move(digits));
    literal.m_kind = Kind::largeInteger;
    return literal;
}

Literal Literal::real(double value) {
    Literal literal;
    literal.m_kind = Kind::real;
    literal.m_scalar = value;
    return literal;
}

Literal Literal::text(std::string value) {
    Literal literal;
    literal.m_kind = Kind::text;
    literal.m_scalar = std::move(value);
    return literal;
}

Literal Literal::bytes(std::string value) {
    Literal literal = text(std::move(value));
    literal.m_kind = Kind::bytes;
    return literal;
}

Literal Literal::collection(Kind kind, std::vector<Literal> items) {
    Literal literal;
    literal.m_kind = kind;
    literal.m_items = std::move(items);
    return literal;
}

Literal Literal::dict(std::vector<Literal> keys, std::vector<Literal> values) {
    Literal literal = collection(Kind::dict, std::move(values));
    literal.m_keys = std::move(keys);
    return literal;
}

std::optional<double> Literal::number() const {
    if (const auto* whole = std::get_if<std::int64_t>(&m_scalar)) return double(*whole);
    if (const auto* real = std::get_if<double>(&m_scalar)) return *real;
    if (m_kind == Kind::largeInteger) return std::strtod(std::get<std::string>(m_scalar).c_str(), nullptr);
    return std::nullopt;
}

std::optional<bool> Literal::truth() const {
    const auto* value = std::get_if<bool>(&m_scalar);
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::int64_t> Literal::whole() const {
    const auto* value = std::get_if<std::int64_t>(&m_scalar);
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

const std::string* Literal::text() const {
    return std::get_if<std::string>(&m_scalar);
}

const Literal* Literal::find(std::string_view key) const {
    for (std::size_t i = 0; i < m_keys.size(); ++i)
        if (m_keys[i].m_kind == Kind::text && *m_keys[i].text() == key) return &m_items[i];
    return nullptr;
}

} // namespace kernelarium::profile
