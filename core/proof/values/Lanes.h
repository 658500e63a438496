// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/proof/fields/Fields.h"
#include "core/proof/values/LaneState.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::proof {

/// Draws that are computed side by side.
inline constexpr std::size_t laneCount = 16;

/// How larger and smaller are told.
enum class Order {
    keyed, ///< by a key: a total order that has nothing to do with the arithmetic, so that max and min have the laws of
           ///< a lattice and no other
    real, ///< by float64 numbers beside the field's elements: the order of the real numbers that these stand for. Where
          ///< the float64 numbers lie too close and the elements differ, the draw is void
};

/// A Machine's domain: formulas in a field, several draws at once. Functions that no field knows (tanh, erf, log, sqrt,
/// ...) are functions that the draw's key chooses, by name, parameters and argument: equal arguments give equal
/// results, log 1 = 0 and its like hold, and nothing else. With Order::real, what is piecewise rational (relu, abs,
/// leaky_relu, hardswish, ...) is computed as such; with Order::keyed relu and clamp are maxima and minima and the
/// others are chosen by the key.
template <class Field, Order order> class Lanes {
public:
    using Element = typename Field::Element;
    static constexpr bool isReal = order == Order::real;
    struct Cell {
        std::array<Element, laneCount> value{};
        std::array<double, isReal ? laneCount : 0> real{};
        std::array<LaneState, laneCount> state{};
        bool isPlain = true; ///< every lane is finite
    };

    /// Keys of a batch of draws.
    Lanes(std::uint64_t seed, std::uint64_t batch);

    [[nodiscard]] Cell literal(double value) const;
    [[nodiscard]] Cell number(std::int64_t value) const { return literal(double(value)); }
    void apply(const algebra::Expression& e, std::span<const Cell* const> arguments, Cell& out);
    void combine(algebra::Combine combine, Cell& running, const Cell& next);
    void place(bool largest, Cell& best, Cell& where, const Cell& next, const Cell& nextWhere);

    /// Whether an exponential was taken of what has no second half.
    [[nodiscard]] bool metLawlessExp() const { return m_metLawlessExp; }

private:
    void add(Cell& a, const Cell& b);
    void subtract(Cell& a, const Cell& b);
    void multiply(Cell& a, const Cell& b);
    void invert(Cell& a);
    void negate(Cell& a);
    void choose(bool larger, Cell& a, const Cell& b);
    void raise(Cell& a, int exponent);
    void exponential(Cell& a);
    /// `parameters` are the literals after the first argument.
    void opaque(algebra::Function function, std::span<const double> parameters, Cell& a);
    /// -1, 0, 1; 2 where it cannot be told (the lane is then void), 3 where one is undefined.
    [[nodiscard]] int compare(const Cell& a, const Cell& b, std::size_t lane) const;
    /// a where its sign is not negative, else b (of the same lane): piecewise functions.
    void whereNegative(Cell& a, const Cell& sign, const Cell& other);
    void hardsigmoid(Cell& a);
    void pairwise(const algebra::Expression& e, std::span<const Cell* const> arguments, Cell& out);
    void piecewise(const algebra::Expression& e, std::span<const Cell* const> arguments, Cell& a);
    static void settle(Cell& a);

    std::array<typename Field::Keys, laneCount> m_keys;
    Cell m_zero, m_half, m_one, m_sixth, m_seluSlope, m_seluScale;
    bool m_metLawlessExp = false;
};

extern template class Lanes<PlainField, Order::keyed>;
extern template class Lanes<PlainField, Order::real>;
extern template class Lanes<ExpField, Order::keyed>;
extern template class Lanes<ExpField, Order::real>;

} // namespace kernelarium::proof
