// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/values/Draws.h"

#include "core/verify/inputs/Philox.h"

#include <array>
#include <cstdlib>
#include <optional>

namespace kernelarium::proof {

namespace {

using algebra::Input;

/// Which element of a matrix is drawn for one at [row, column], and whether it is what it holds.
struct Structured {
    std::int64_t element = 0;
    std::optional<int> fixed; ///< 0 or 1 instead
};
Structured structured(Input::Structure structure, std::int64_t element, std::int64_t rows, std::int64_t columns) {
    const std::int64_t column = element % columns, row = element / columns % rows, rest = element / columns / rows;
    switch (structure) {
    case Input::Structure::none: break;
    case Input::Structure::upperTriangle:
        if (row > column) return {element, 0};
        break;
    case Input::Structure::lowerTriangle:
        if (row < column) return {element, 0};
        break;
    case Input::Structure::lowerMask: return {element, row >= column ? 1 : 0};
    case Input::Structure::symmetric:
        if (row > column && rows == columns) return {(rest * rows + column) * columns + row, std::nullopt};
        break;
    }
    return {element, std::nullopt};
}

/// -8 to 8; of a whole tensor, one time in four each, none positive or none negative: the largest of many numbers is
/// seldom negative otherwise, and a 0 among them would not show.
std::int64_t drawnWhole(std::uint64_t word, std::uint64_t sign) {
    const std::int64_t whole = std::int64_t(word % 17) - 8;
    if (sign == 2) return -std::abs(whole);
    return sign == 3 ? std::abs(whole) : whole;
}

} // namespace

Draws::Draws(std::uint64_t seed, std::uint64_t batch, const std::vector<InputKind>& kinds)
    : m_seed(seed)
    , m_batch(batch)
    , m_kinds(kinds) {}

template <class Field, Order order>
std::vector<typename Lanes<Field, order>::Cell> Draws::cells(const Lanes<Field, order>&,
                                                             const algebra::Tensor& input) const {
    using Cell = typename Lanes<Field, order>::Cell;
    const Input& origin = *input.input();
    const InputKind kind = origin.cardTensor < m_kinds.size() ? m_kinds[origin.cardTensor] : InputKind{};
    const std::size_t rank = input.extents.size();
    const std::int64_t columns = rank > 0 ? input.extents[rank - 1] : 1, rows = rank > 1 ? input.extents[rank - 2] : 1;
    const verify::Philox philox(m_seed);
    std::array<typename Field::Element, 32> scales; // 1/8 .. 2 for the lanes in turn
    constexpr std::array<double, 5> steps{0.125, 0.25, 0.5, 1, 2};
    for (std::size_t i = 0; i < steps.size(); ++i)
        scales[i] = *elementOf<Field>(rationalOf(steps[i]));
    std::vector<Cell> cells(std::size_t(algebra::pointCount(input.extents)));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Structured s = structured(origin.structure, std::int64_t(i), rows, columns);
        for (std::size_t l = 0; l < laneCount; ++l) {
            const auto draw = std::uint32_t(m_batch * laneCount + l);
            const auto words = philox(
                {std::uint32_t(s.element), draw, std::uint32_t(origin.cardTensor), std::uint32_t(order) + 0x70726f76u});
            const std::uint64_t a = std::uint64_t(words[0]) << 32 | words[1],
                                b = std::uint64_t(words[2]) << 32 | words[3];
            std::optional<std::int64_t> whole;
            if (s.fixed)
                whole = *s.fixed;
            else if (kind.kind == InputKind::Kind::integers)
                whole = kind.low + std::int64_t(a % std::uint64_t(kind.high - kind.low + 1));
            else if (kind.kind == InputKind::Kind::signs)
                whole = a & 1 ? 1 : -1;
            const std::size_t scale = draw % steps.size();
            [[maybe_unused]] const auto sign = mixed(draw, origin.cardTensor) % 4;
            if constexpr (order == Order::real) {
                const bool scaled = !whole;
                if (!whole)
                    whole = kind.kind == InputKind::Kind::positive ? std::int64_t(a % 12) + 1 : drawnWhole(a, sign);
                cells[i].value[l] = Field::integer(*whole);
                if (scaled) cells[i].value[l] = Field::mul(cells[i].value[l], scales[scale]);
                cells[i].real[l] = double(*whole) * (scaled ? steps[scale] : 1.0);
            } else {
                cells[i].value[l] = whole ? Field::integer(*whole) : Field::random(a, b);
            }
        }
    }
    return cells;
}

#define KL_DRAWS(FIELD, ORDER)                                                                                         \
    template std::vector<Lanes<FIELD, ORDER>::Cell> Draws::cells(const Lanes<FIELD, ORDER>&, const algebra::Tensor&)   \
        const;
KL_DRAWS(PlainField, Order::keyed)
KL_DRAWS(PlainField, Order::real)
KL_DRAWS(ExpField, Order::keyed)
KL_DRAWS(ExpField, Order::real)
#undef KL_DRAWS

} // namespace kernelarium::proof
