// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/fields/Arithmetic.h"
#include "core/proof/fields/Keyed.h"
#include "core/proof/fields/Rational.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::proof {

// Two fields, with one interface: what formulas are computed in. `Keys` is what a draw chooses at random.

/// GF(2^61 - 1), for formulas without exponentials. exp has no laws here.
struct PlainField {
    static constexpr bool hasExp = false;
    static constexpr double size = double(Mersenne61::prime);
    using Element = std::uint64_t;
    struct Keys {
        std::uint64_t secret = 0;
    };
    [[nodiscard]] static Keys keysOf(std::uint64_t secret) { return {secret}; }

    [[nodiscard]] static Element add(Element a, Element b) { return Mersenne61::add(a, b); }
    [[nodiscard]] static Element sub(Element a, Element b) { return Mersenne61::sub(a, b); }
    [[nodiscard]] static Element mul(Element a, Element b) { return Mersenne61::mul(a, b); }
    /// Nothing of 0.
    [[nodiscard]] static std::optional<Element> inverse(Element a) {
        if (a == 0) return std::nullopt;
        return power<Mersenne61>(a, Mersenne61::prime - 2, 1);
    }
    [[nodiscard]] static Element integer(std::int64_t n) {
        const Element size = Mersenne61::reduced(n < 0 ? std::uint64_t(-n) : std::uint64_t(n));
        return n < 0 ? sub(0, size) : size;
    }
    [[nodiscard]] static Element random(std::uint64_t a, std::uint64_t) { return Mersenne61::reduced(a >> 3); }
    /// What keyed functions and orders look at.
    [[nodiscard]] static std::uint64_t identity(Element a) { return a; }
    [[nodiscard]] static bool same(Element a, Element b) { return a == b; }
    [[nodiscard]] static bool isHalf(Element) { return false; }
    [[nodiscard]] static std::optional<Element> exp(const Keys&, Element) { return std::nullopt; }
};

/// Pairs (x mod p, x mod q) with q | p - 1: e^(x) is (w^(x mod q), unknown) for an element w of order q that the draw
/// chooses, so that e^(x) e^(y) = e^(x + y). What was computed from an exponential has no second half, and its own
/// exponential no laws.
struct ExpField {
    static constexpr bool hasExp = true;
    static constexpr double size = double(Mersenne31::prime); ///< of the smaller half
    struct Element {
        std::uint64_t a = 0; ///< Montgomery's form
        std::uint32_t b = 0;
        bool isHalf = false; ///< b is not known
    };
    struct Keys {
        std::uint64_t secret = 0;
        std::vector<std::uint64_t> powers; ///< w^(digit * 256^place), four places of 256 digits
    };
    [[nodiscard]] static Keys keysOf(std::uint64_t secret);

    [[nodiscard]] static Element add(const Element& x, const Element& y) {
        return {PrimeOverQ::add(x.a, y.a), std::uint32_t(Mersenne31::add(x.b, y.b)), x.isHalf || y.isHalf};
    }
    [[nodiscard]] static Element sub(const Element& x, const Element& y) {
        return {PrimeOverQ::sub(x.a, y.a), std::uint32_t(Mersenne31::sub(x.b, y.b)), x.isHalf || y.isHalf};
    }
    [[nodiscard]] static Element mul(const Element& x, const Element& y) {
        return {PrimeOverQ::mul(x.a, y.a), std::uint32_t(Mersenne31::mul(x.b, y.b)), x.isHalf || y.isHalf};
    }
    /// Nothing where either half is 0.
    [[nodiscard]] static std::optional<Element> inverse(const Element& x);
    [[nodiscard]] static Element integer(std::int64_t n) {
        const std::uint64_t size = n < 0 ? std::uint64_t(-n) : std::uint64_t(n);
        const Element e{PrimeOverQ::of(size), std::uint32_t(Mersenne31::reduced(size)), false};
        return n < 0 ? sub({}, e) : e;
    }
    [[nodiscard]] static Element random(std::uint64_t a, std::uint64_t b) {
        return {PrimeOverQ::of(a >> 2), std::uint32_t(b % Mersenne31::prime), false};
    }
    [[nodiscard]] static std::uint64_t identity(const Element& x) { return x.a; }
    [[nodiscard]] static bool isHalf(const Element& x) { return x.isHalf; }
    [[nodiscard]] static bool same(const Element& x, const Element& y) {
        return x.a == y.a && (x.isHalf || y.isHalf || x.b == y.b);
    }
    /// Nothing where the second half is not known.
    [[nodiscard]] static std::optional<Element> exp(const Keys& keys, const Element& x) {
        if (x.isHalf) return std::nullopt;
        std::uint64_t out = keys.powers[x.b & 255];
        for (std::size_t place = 1; place < 4; ++place)
            out = PrimeOverQ::mul(out, keys.powers[place * 256 + ((x.b >> (8 * place)) & 255)]);
        return Element{out, 0, true};
    }
};

/// A literal in a field; nothing where its denominator is 0 there.
template <class Field> [[nodiscard]] std::optional<typename Field::Element> elementOf(const Rational& r) {
    auto value = Field::integer(r.numerator);
    const auto divisor = Field::inverse(Field::integer(r.denominator));
    if (!divisor) return std::nullopt;
    value = Field::mul(value, *divisor);
    if (r.exponent == 0) return value;
    auto factor = Field::integer(2);
    if (r.exponent < 0) factor = *Field::inverse(factor);
    for (int i = 0; i < (r.exponent < 0 ? -r.exponent : r.exponent); ++i)
        value = Field::mul(value, factor);
    return value;
}

} // namespace kernelarium::proof
