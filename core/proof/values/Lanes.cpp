// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/values/Lanes.h"

#include "core/proof/values/KnownValues.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace kernelarium::proof {

using algebra::Combine;
using algebra::Expression;
using algebra::Function;

template <class Field, Order order> Lanes<Field, order>::Lanes(std::uint64_t seed, std::uint64_t batch) {
    for (std::size_t l = 0; l < laneCount; ++l)
        m_keys[l] = Field::keysOf(mixed(mixed(seed, 0x6b657973ull), batch * laneCount + l));
    m_zero = literal(0);
    m_half = literal(0.5);
    m_one = literal(1);
    m_sixth = literal(1.0 / 6);
    m_seluSlope = literal(1.6732632423543772);
    m_seluScale = literal(1.0507009873554805);
}

template <class Field, Order order>
typename Lanes<Field, order>::Cell Lanes<Field, order>::literal(double value) const {
    Cell c;
    if constexpr (isReal) c.real.fill(value);
    if (std::isfinite(value)) {
        const std::optional<Element> e = std::abs(value) < 0x1p53 && value == std::floor(value)
                                             ? std::optional(Field::integer(std::int64_t(value)))
                                             : elementOf<Field>(rationalOf(value));
        if (e) {
            c.value.fill(*e);
            return c;
        }
    }
    c.state.fill(std::isnan(value)   ? LaneState::undefined
                 : std::isinf(value) ? (value > 0 ? LaneState::plusInfinity : LaneState::minusInfinity)
                                     : LaneState::dropped);
    c.isPlain = false;
    return c;
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

template <class Field, Order order>
void Lanes<Field, order>::opaque(Function function, std::span<const double> parameters, Cell& a) {
    std::uint64_t word = 1000 + std::uint64_t(function);
    for (double p : parameters)
        word = mixed(word, std::bit_cast<std::uint64_t>(p));
    std::vector<double> arguments{0.0};
    arguments.insert(arguments.end(), parameters.begin(), parameters.end());
    for (std::size_t l = 0; l < laneCount; ++l) {
        if (a.state[l] >= LaneState::undefined) continue;
        std::uint64_t identity = Field::identity(a.value[l]);
        if (a.state[l] != LaneState::finite) identity = ~std::uint64_t(a.state[l]); // no field's element
        const std::uint64_t h = mixed(mixed(m_keys[l].secret, word), identity);
        const std::optional<double> exact = a.state[l] != LaneState::finite                ? std::nullopt
                                            : identity == Field::identity(m_zero.value[l]) ? exactAt(function, 0)
                                            : identity == Field::identity(m_one.value[l])  ? exactAt(function, 1)
                                                                                           : std::nullopt;
        a.value[l] = exact ? (*exact == 0.5 ? m_half
                              : *exact == 0 ? m_zero
                                            : m_one)
                                 .value[l]
                           : Field::random(mixed(h, 1), mixed(h, 2));
        a.state[l] = LaneState::finite;
        if constexpr (isReal) {
            arguments[0] = a.real[l];
            a.real[l] = algebra::valueOf(function, arguments);
            if (!std::isfinite(a.real[l])) a.state[l] = LaneState::dropped;
        }
    }
    settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::exponential(Cell& a) {
    Cell keyed;
    bool needsKey = false;
    for (std::size_t l = 0; l < laneCount; ++l)
        needsKey = needsKey || (a.state[l] == LaneState::finite && !Field::exp(m_keys[l], a.value[l]));
    if (needsKey) {
        if (Field::hasExp) m_metLawlessExp = true;
        keyed = a;
        opaque(Function::exp, {}, keyed);
    }
    for (std::size_t l = 0; l < laneCount; ++l) {
        if constexpr (isReal) a.real[l] = std::exp(a.real[l]);
        if (a.state[l] == LaneState::minusInfinity) {
            a.value[l] = Field::integer(0);
            a.state[l] = LaneState::finite;
        } else if (a.state[l] == LaneState::finite) {
            const std::optional<Element> e = Field::exp(m_keys[l], a.value[l]);
            a.value[l] = e ? *e : keyed.value[l];
            if constexpr (isReal)
                if (!std::isfinite(a.real[l])) a.state[l] = LaneState::dropped;
        }
    }
    settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::raise(Cell& a, int exponent) {
    const bool isInverse = exponent < 0;
    Cell base = a;
    a = literal(1);
    for (int e = std::abs(exponent); e > 0; e >>= 1) {
        if (e & 1) multiply(a, base);
        if (e > 1) multiply(base, Cell(base));
    }
    if (isInverse) invert(a);
}

template <class Field, Order order>
void Lanes<Field, order>::whereNegative(Cell& a, const Cell& sign, const Cell& other) {
    const Cell zero = literal(0);
    for (std::size_t l = 0; l < laneCount; ++l) {
        const int c = compare(sign, zero, l);
        if (c >= 2) {
            a.state[l] = c == 2 ? LaneState::dropped : LaneState::undefined;
        } else if (c < 0) {
            a.value[l] = other.value[l];
            a.state[l] = other.state[l];
            if constexpr (isReal) a.real[l] = other.real[l];
        }
    }
    settle(a);
}

template <class Field, Order order> void Lanes<Field, order>::hardsigmoid(Cell& a) {
    add(a, literal(3));
    choose(true, a, literal(0));
    choose(false, a, literal(6));
    multiply(a, m_sixth);
}

/// Functions of one argument that are rational where it is negative, and where it is not.
template <class Field, Order order>
void Lanes<Field, order>::piecewise(const Expression& e, std::span<const Cell* const> arguments, Cell& a) {
    const Cell x = a;
    Cell below = x;
    switch (e.function) {
    case Function::abs:
        negate(below);
        whereNegative(a, x, below);
        return;
    case Function::leakyRelu:
        multiply(below, *arguments[1]);
        whereNegative(a, x, below);
        return;
    case Function::elu:
    case Function::selu:
        exponential(below);
        subtract(below, literal(1));
        multiply(below, e.is(Function::elu) ? *arguments[1] : m_seluSlope);
        whereNegative(a, x, below);
        if (e.is(Function::selu)) multiply(a, m_seluScale);
        return;
    case Function::hardsigmoid: return hardsigmoid(a);
    case Function::softsign:
        negate(below);
        {
            Cell size = x;
            whereNegative(size, x, below);
            add(size, literal(1));
            invert(size);
            multiply(a, size);
        }
        return;
    default: return;
    }
}

template <class Field, Order order>
void Lanes<Field, order>::pairwise(const Expression& e, std::span<const Cell* const> arguments, Cell& out) {
    const Cell &x = *arguments[0], &y = arguments.size() > 1 ? *arguments[1] : x;
    Cell result = literal(0);
    const Cell one = literal(1), zero = literal(0);
    for (std::size_t l = 0; l < laneCount; ++l) {
        const int c = e.is(Function::equal)  ? compare(x, y, l)
                      : e.is(Function::less) ? compare(x, y, l)
                                             : compare(x, zero, l);
        if (c == 3 || (c == 2 && e.is(Function::less)) || x.state[l] == LaneState::dropped ||
            y.state[l] == LaneState::dropped) {
            result.state[l] = c == 3 ? LaneState::undefined : LaneState::dropped;
            continue;
        }
        // That two differ is known even where their order is not.
        const bool holds = e.is(Function::less) ? c < 0 : c == 0;
        if (e.is(Function::select)) {
            const Cell& chosen = *arguments[holds ? 2 : 1];
            result.value[l] = chosen.value[l];
            result.state[l] = chosen.state[l];
            if constexpr (isReal) result.real[l] = chosen.real[l];
        } else if (holds) {
            result.value[l] = one.value[l];
            if constexpr (isReal) result.real[l] = 1;
        }
    }
    settle(result);
    out = result;
}

template <class Field, Order order>
void Lanes<Field, order>::apply(const Expression& e, std::span<const Cell* const> arguments, Cell& out) {
    const auto fold = [&](auto&& join) {
        out = *arguments[0];
        for (std::size_t i = 1; i < arguments.size(); ++i)
            join(*arguments[i]);
    };
    switch (e.function) {
    case Function::add:
    case Function::join: return fold([&](const Cell& c) { add(out, c); });
    case Function::sub: return fold([&](const Cell& c) { subtract(out, c); });
    case Function::mul: return fold([&](const Cell& c) { multiply(out, c); });
    case Function::max: return fold([&](const Cell& c) { choose(true, out, c); });
    case Function::min: return fold([&](const Cell& c) { choose(false, out, c); });
    case Function::div: {
        Cell inverse = *arguments[1];
        invert(inverse);
        out = *arguments[0];
        return multiply(out, inverse);
    }
    case Function::equal:
    case Function::less:
    case Function::logicalNot:
    case Function::select: return pairwise(e, arguments, out);
    default: break;
    }
    const Cell x = *arguments[0];
    out = x;
    std::vector<double> parameters;
    for (std::size_t i = 1; i < e.arguments.size(); ++i)
        parameters.push_back(e.arguments[i].literal);
    switch (e.function) {
    case Function::neg: return negate(out);
    case Function::square: return multiply(out, x);
    case Function::relu: return choose(true, out, literal(0));
    case Function::clamp: choose(true, out, *arguments[1]); return choose(false, out, *arguments[2]);
    case Function::exp: return exponential(out);
    case Function::silu: opaque(Function::sigmoid, {}, out); return multiply(out, x);
    case Function::pow: {
        const double p = parameters[0];
        if (p == std::floor(p) && std::abs(p) <= 64) return raise(out, int(p));
        if (std::abs(p) != 0.5) return opaque(Function::pow, parameters, out);
        opaque(Function::sqrt, {}, out);
        return p < 0 ? invert(out) : void();
    }
    case Function::xlogy:
        out = *arguments[1];
        opaque(Function::log, {}, out);
        multiply(out, x);
        for (std::size_t l = 0; l < laneCount; ++l)
            if (x.state[l] == LaneState::finite && compare(x, literal(0), l) == 0) {
                out.value[l] = Field::integer(0);
                out.state[l] = LaneState::finite;
                if constexpr (isReal) out.real[l] = 0;
            }
        return settle(out);
    case Function::hardswish:
        if constexpr (isReal)
            hardsigmoid(out);
        else
            opaque(Function::hardsigmoid, {}, out);
        return multiply(out, x);
    case Function::abs:
    case Function::leakyRelu:
    case Function::elu:
    case Function::selu:
    case Function::hardsigmoid:
    case Function::softsign:
        if constexpr (isReal) return piecewise(e, arguments, out);
        return opaque(e.function, parameters, out);
    default: return opaque(e.function, parameters, out);
    }
}

template <class Field, Order order>
void Lanes<Field, order>::combine(Combine combine, Cell& running, const Cell& next) {
    switch (combine) {
    case Combine::sum: return add(running, next);
    case Combine::product: return multiply(running, next);
    case Combine::maximum: return choose(true, running, next);
    case Combine::minimum: return choose(false, running, next);
    default: running = next;
    }
}

template <class Field, Order order>
void Lanes<Field, order>::place(bool largest, Cell& best, Cell& where, const Cell& next, const Cell& nextWhere) {
    for (std::size_t l = 0; l < laneCount; ++l) {
        const int c = compare(next, best, l);
        if (c >= 2) {
            where.state[l] = best.state[l] = c == 2 ? LaneState::dropped : LaneState::undefined;
            where.isPlain = best.isPlain = false;
        } else if (largest ? c > 0 : c < 0) {
            best.value[l] = next.value[l];
            best.state[l] = next.state[l];
            where.value[l] = nextWhere.value[l];
            if constexpr (isReal) best.real[l] = next.real[l], where.real[l] = nextWhere.real[l];
        }
    }
    settle(best);
}

template class Lanes<PlainField, Order::keyed>;
template class Lanes<PlainField, Order::real>;
template class Lanes<ExpField, Order::keyed>;
template class Lanes<ExpField, Order::real>;

} // namespace kernelarium::proof
