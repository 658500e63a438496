// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Balance.h"
#include "core/tuning/strategies/Strategy.h"

#include <unordered_set>

namespace kernelarium::tuning {

/// Many points at the least effort, of them the best at the next, and so on: successive halving, in the form that waits
/// for no rung to be full (Li and others 2020, "A System for Massively Parallel Hyperparameter Tuning", algorithm 2).
/// A point goes up when it is among the best of its rung, one in `eta`; otherwise a new one begins below. Values are
/// compared within a rung only. With one effort it draws evenly spread points.
class SuccessiveHalving : public Strategy {
public:
    /// `efforts` rise to 1. Points of `first` begin before any other, in their order: those of which most is hoped, for
    /// a search that may end before it has drawn them all.
    explicit SuccessiveHalving(std::vector<double> efforts, std::vector<Point> first = {});

    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    struct Result {
        double value;
        Point point;
    };
    struct Rung {
        double effort;
        std::vector<Result> results;                  ///< the best first
        std::unordered_set<Point, PointHash> entered; ///< drawn or heard at this effort
    };
    [[nodiscard]] std::optional<Draw> promoted(bool lastOnes);

    std::vector<Rung> m_rungs;
    std::vector<Point> m_first;
    std::size_t m_nextFirst = 0;
    Balance m_balance;
};

} // namespace kernelarium::tuning
