// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/evidence/Options.h"
#include "core/proof/values/Lanes.h"

namespace kernelarium::proof {

/// Draws the elements of inputs: every element of every lane by its own counter of a Philox generator, so that both
/// graphs are given the same ones.
class Draws {
public:
    Draws(std::uint64_t seed, std::uint64_t batch, const std::vector<InputKind>& kinds);

    /// The input's elements, with the structure that it has (triangles, symmetry, masks). For Order::keyed elements of
    /// the field; for Order::real multiples of 1/8, 1/4, 1/2, 1 or 2 (by lane) from -8 to 8 times that (of
    /// one sign in half of the draws), above 0 where the input is positive.
    template <class Field, Order order>
    [[nodiscard]] std::vector<typename Lanes<Field, order>::Cell> cells(const Lanes<Field, order>& lanes,
                                                                        const algebra::Tensor& input) const;

private:
    std::uint64_t m_seed, m_batch;
    const std::vector<InputKind>& m_kinds;
};

} // namespace kernelarium::proof
