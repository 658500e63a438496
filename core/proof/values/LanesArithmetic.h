// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, products and orders of lanes; what Lanes.cpp instantiates.
#pragma once

#include "core/proof/values/Lanes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace kernelarium::proof {

/// The state of a sum, or product, of two that are not both finite.
[[nodiscard]] inline LaneState worse(LaneState a, LaneState b) {
    if (a == LaneState::dropped || b == LaneState::dropped) return LaneState::dropped;
    return LaneState::undefined;
}
[[nodiscard]] inline bool isInfinite(LaneState s) {
    return s == LaneState::plusInfinity || s == LaneState::minusInfinity;
}
[[nodiscard]] inline LaneState opposite(LaneState s) {
    if (s == LaneState::plusInfinity) return LaneState::minusInfinity;
    return s == LaneState::minusInfinity ? LaneState::plusInfinity : s;
}
[[nodiscard]] inline LaneState stateOfSum(LaneState a, LaneState b) {
    if (a == LaneState::finite) return b;
    if (b == LaneState::finite || a == b) return a;
    return worse(a, b);
}

template <class Field, Order order> void Lanes<Field, order>::settle(Cell& a) {
    a.isPlain = std::all_of(a.state.begin(), a.state.end(), [](LaneState s) { return s == LaneState::finite; });
}

template <class Field, Order order> void Lanes<Field, order>::add(Cell& a, const Cell& b) {
    for (std::size_t l = 0; l < laneCount; ++l)
        a.value[l] = Field::add(a.value[l], b.value[l]);
    if constexpr (isReal)
        for (std::size_t l = 0; l < laneCount; ++l)
            a.real[l] += b.real[l];
    if (a.isPlain && b.isPlain) return;
    for (std::size_t l = 0; l < laneCount; ++l)
        a.state[l] = stateOfSum(a.state[l], b.state[l]);
    settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::subtract(Cell& a, const Cell& b) {
    for (std::size_t l = 0; l < laneCount; ++l)
        a.value[l] = Field::sub(a.value[l], b.value[l]);
    if constexpr (isReal)
        for (std::size_t l = 0; l < laneCount; ++l)
            a.real[l] -= b.real[l];
    if (a.isPlain && b.isPlain) return;
    for (std::size_t l = 0; l < laneCount; ++l)
        a.state[l] = stateOfSum(a.state[l], opposite(b.state[l]));
    settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::multiply(Cell& a, const Cell& b) {
    const bool plain = a.isPlain && b.isPlain;
    if (!plain)
        for (std::size_t l = 0; l < laneCount; ++l) {
            const LaneState p = a.state[l], q = b.state[l];
            if (p == LaneState::finite && q == LaneState::finite) continue;
            a.state[l] = worse(p, q);
            if constexpr (isReal) {
                // Infinity times a number has the number's sign; times 0 it is nothing.
                const double product = a.real[l] * b.real[l];
                const bool known =
                    (isInfinite(p) || isInfinite(q)) && p < LaneState::undefined && q < LaneState::undefined;
                if (known && !std::isnan(product))
                    a.state[l] = product > 0 ? LaneState::plusInfinity : LaneState::minusInfinity;
            }
        }
    for (std::size_t l = 0; l < laneCount; ++l)
        a.value[l] = Field::mul(a.value[l], b.value[l]);
    if constexpr (isReal)
        for (std::size_t l = 0; l < laneCount; ++l)
            a.real[l] *= b.real[l];
    if (!plain) settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::negate(Cell& a) {
    const Element zero = Field::integer(0);
    for (std::size_t l = 0; l < laneCount; ++l)
        a.value[l] = Field::sub(zero, a.value[l]);
    if constexpr (isReal)
        for (double& r : a.real)
            r = -r;
    if (!a.isPlain)
        for (LaneState& s : a.state)
            s = opposite(s);
}

/// One inversion for all lanes: the inverse of their product, and from it each by the products of the others.
template <class Field, Order order> void Lanes<Field, order>::invert(Cell& a) {
    const Element one = Field::integer(1);
    std::array<Element, laneCount> before;
    Element product = one;
    const auto takesPart = [&](std::size_t l) { return a.state[l] == LaneState::finite; };
    for (std::size_t l = 0; l < laneCount; ++l) {
        before[l] = product;
        if (takesPart(l)) product = Field::mul(product, a.value[l]);
    }
    const std::optional<Element> all = Field::inverse(product);
    Element rest = all.value_or(one);
    // A product has both halves only if each has.
    const bool alike = std::all_of(a.value.begin(), a.value.end(),
                                   [&](const Element& e) { return Field::isHalf(e) == Field::isHalf(a.value[0]); });
    for (std::size_t l = laneCount; l-- > 0;) {
        if constexpr (isReal) a.real[l] = 1 / a.real[l];
        if (isInfinite(a.state[l])) {
            a.value[l] = Field::integer(0);
            a.state[l] = LaneState::finite;
            continue;
        }
        if (!takesPart(l)) continue;
        if (all && alike) {
            const Element own = a.value[l];
            a.value[l] = Field::mul(rest, before[l]);
            rest = Field::mul(rest, own);
        } else if (const std::optional<Element> own = Field::inverse(a.value[l])) {
            a.value[l] = *own;
        } else {
            a.state[l] = LaneState::dropped;
        }
    }
    settle(a);
}

/// Lanes whose float64 numbers are too close to be told apart may not choose.
template <class Field, Order order>
int Lanes<Field, order>::compare(const Cell& a, const Cell& b, std::size_t l) const {
    const LaneState p = a.state[l], q = b.state[l];
    if (p == LaneState::dropped || q == LaneState::dropped) return 2;
    if (p == LaneState::undefined || q == LaneState::undefined) return 3;
    if (p != LaneState::finite || q != LaneState::finite) {
        if (p == q) return 0;
        return p == LaneState::plusInfinity || q == LaneState::minusInfinity ? 1 : -1;
    }
    if (Field::same(a.value[l], b.value[l])) return 0;
    if constexpr (isReal) {
        constexpr double closest = 1e-11;
        const double x = a.real[l], y = b.real[l];
        if (!std::isfinite(x) || !std::isfinite(y)) return 2;
        if (std::abs(x - y) <= closest * std::max({1.0, std::abs(x), std::abs(y)})) return 2;
        return x < y ? -1 : 1;
    } else {
        const std::uint64_t key = mixed(m_keys[l].secret, 0x6f72646572ull);
        return mixed(key, Field::identity(a.value[l])) < mixed(key, Field::identity(b.value[l])) ? -1 : 1;
    }
}

template <class Field, Order order> void Lanes<Field, order>::choose(bool larger, Cell& a, const Cell& b) {
    for (std::size_t l = 0; l < laneCount; ++l) {
        const int c = compare(a, b, l);
        if (c >= 2) {
            a.state[l] = c == 2 ? LaneState::dropped : LaneState::undefined;
        } else if (larger ? c < 0 : c > 0) {
            a.value[l] = b.value[l];
            a.state[l] = b.state[l];
            if constexpr (isReal) a.real[l] = b.real[l];
        }
    }
    settle(a);
}

} // namespace kernelarium::proof
