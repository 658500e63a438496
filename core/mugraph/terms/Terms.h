// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/terms/PairCache.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kernelarium::mugraph {

/// A term in normal form, by its place in a Terms. Two terms of one Terms are equal by the axioms exactly where their
/// ids are.
using TermId = std::uint32_t;
using AtomId = std::uint32_t;
inline constexpr TermId noTerm = 0; ///< 0, or longer than a Terms keeps

/// A sum over an axis is taken in parts: over a tile, over the steps of a loop, over the blocks that split the loop.
/// All of them together are the whole axis.
enum class Part { tile, loop, split };
inline constexpr int mostAxes = 12;

/// How often each part of each axis is summed over. What is summed is not written: sum(i, .) is a factor.
struct Sums {
    std::array<std::uint8_t, std::size_t(3 * mostAxes)> counts{};
    auto operator<=>(const Sums&) const = default;
    [[nodiscard]] std::uint8_t& of(int axis, Part part) { return counts[std::size_t(3 * axis + int(part))]; }
    [[nodiscard]] bool fitsIn(const Sums& other) const;
    [[nodiscard]] Sums operator+(const Sums& other) const;
    [[nodiscard]] Sums operator-(const Sums& other) const; ///< where other fits in it
};

/// coefficient * sums / inverseSums * product of atoms to their powers; atoms in the order of their ids.
struct Monomial {
    std::int64_t coefficient = 1;
    Sums sums, inverseSums;
    std::vector<std::pair<AtomId, std::uint32_t>> atoms;
    /// Whether they are alike but for the coefficient.
    [[nodiscard]] bool isLike(const Monomial& other) const {
        return atoms == other.atoms && sums == other.sums && inverseSums == other.inverseSums;
    }
};

/// What a term is made of.
struct Atom {
    enum class Kind {
        variable, ///< an input, by its number
        constant, ///< a literal of the task, by its number
        inverse,  ///< 1 / argument
        exp,      ///< of the argument
        sqrt,     ///< of the argument
        opaque,   ///< a function of which nothing is known but its number
    };
    Kind kind = Kind::variable;
    std::uint32_t number = 0;
    TermId argument = noTerm;
    bool operator==(const Atom&) const = default;
};

/// Abstract expressions, which say what a tensor is computed from and not at which index: polynomials over atoms. The
/// axioms are those of a commutative semiring in which a sum over an axis is a factor (Mirage, OSDI 2025, table 2):
///   + and * commutative, associative, * distributive over +;  x/z + y/z = (x+y)/z;  x (y/z) = (x y)/z;
///   (x/y)/z = x/(y z);  1/(1/x) = x;  sum over an axis of +, *, / as a factor;  exp x exp y = exp(x+y);
///   sqrt x sqrt y = sqrt(x y).
/// Whole-number coefficients cancel when they meet (x - x = 0); x/x does not. 1/(x z + y z) is split into 1/z and
/// 1/(x+y), 1/(6 x) into 1/2, 1/3 and 1/x; other factors of a sum of several monomials are not looked for: not
/// (x+y)(x-y), nor an exponential or a root that has joined another in each of them. What meets a noTerm on the way is
/// noTerm, whether or not it would have cancelled: x + (y - y) is, (x + y) - y is x.
///
/// Terms are kept for good: a Terms belongs to one thread and one search.
class Terms {
public:
    Terms();
    [[nodiscard]] TermId variable(std::uint32_t number);
    [[nodiscard]] TermId constant(std::uint32_t number);
    [[nodiscard]] TermId whole(std::int64_t value); ///< of 0: noTerm
    /// Of noTerm each gives noTerm.
    [[nodiscard]] TermId add(TermId a, TermId b);
    [[nodiscard]] TermId subtract(TermId a, TermId b);
    [[nodiscard]] TermId multiply(TermId a, TermId b);
    [[nodiscard]] TermId divide(TermId a, TermId b);
    [[nodiscard]] TermId inverse(TermId a);
    [[nodiscard]] TermId exp(TermId a);
    [[nodiscard]] TermId sqrt(TermId a);
    [[nodiscard]] TermId opaque(std::uint32_t function, TermId a);
    [[nodiscard]] TermId sum(TermId a, int axis, Part part);
    [[nodiscard]] TermId sumWhole(TermId a, int axis); ///< all parts

    [[nodiscard]] const std::vector<Monomial>& at(TermId id) const { return m_terms[id]; }
    [[nodiscard]] const Atom& atom(AtomId id) const { return m_atoms[id]; }
    [[nodiscard]] std::size_t size() const { return m_terms.size(); }
    [[nodiscard]] std::string toString(TermId id) const; ///< "S0 x0*x1/sqrt(c0*S0 x0^2)"

    /// For the relation "is a part of": terms of monomials.
    [[nodiscard]] TermId termOf(std::vector<Monomial> monomials);
    [[nodiscard]] Monomial product(const Monomial& a, const Monomial& b);
    [[nodiscard]] AtomId atomOf(const Atom& atom);

private:
    enum class Step : std::uint64_t { add, subtract, multiply, divide, exp, sqrt, opaque, sum };
    template <class Make> TermId cached(Step step, TermId a, std::uint64_t b, const Make& make);
    TermId ofAtom(Atom::Kind kind, std::uint32_t number, TermId argument);
    TermId inverseOfMonomial(const Monomial& m);
    Monomial contentOf(const std::vector<Monomial>& monomials) const;
    /// Exponentials become one, and roots, and those in inverses.
    void join(Monomial& m);
    void joinKind(Monomial& m, Atom::Kind kind, bool isInverse);
    [[nodiscard]] TermId joined(AtomId id, Atom::Kind kind, bool isInverse) const;

    std::vector<std::vector<Monomial>> m_terms;
    std::vector<Atom> m_atoms;
    std::unordered_multimap<std::size_t, TermId> m_termsByHash;
    std::unordered_multimap<std::size_t, AtomId> m_atomsByHash;
    PairCache m_cache;
};

} // namespace kernelarium::mugraph
