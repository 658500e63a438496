// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Balance.h"
#include "core/tuning/strategies/Strategy.h"

#include <unordered_map>

namespace kernelarium::tuning {

/// A genetic algorithm whose generations overlap: parents are the better of two, drawn from the best known points; a
/// child has each value from one of them, and perhaps one changed.
class Genetic : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    struct Member {
        double value;
        Point point;
    };
    [[nodiscard]] std::size_t sizeOf(const Ground& ground) const;
    [[nodiscard]] const Point& parent(Ground& ground) const;

    Balance m_balance;
    std::vector<Member> m_members; ///< the best first
    std::size_t m_drawn = 0;
};

/// Differential evolution (Storn, Price 1997: rand/1/bin) over the ranks of the values; where a parameter's values are
/// words, one of the three parents' is taken. Each member is replaced by a child of its own that is better.
class DifferentialEvolution : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    struct Member {
        double value;
        Point point;
    };
    [[nodiscard]] Point child(const Point& target, Ground& ground) const;
    [[nodiscard]] std::size_t sizeOf(const Ground& ground) const;

    Balance m_balance;
    std::vector<Member> m_members;
    std::unordered_map<Point, std::size_t, PointHash> m_targets; ///< of the children under way
    std::size_t m_drawn = 0;
    std::size_t m_turn = 0;
};

} // namespace kernelarium::tuning
