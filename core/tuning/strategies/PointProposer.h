// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Strategy.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kernelarium::tuning {

struct PointOptions {
    std::uint64_t seed = 1;
    Shard shard = {};
    double horizon = 100;                 ///< see Ground: the budget's looks, where it has one
    std::optional<std::uint64_t> allowed; ///< points that no restriction forbids, where they were counted
};

/// Points of a space, drawn by a strategy, as candidates: the key is Space::key(). Only allowed points are drawn, and
/// none twice at one effort.
///
/// A shard of a strategy that divides points draws those whose number it has (Shard::has), the same for all shards
/// whatever their seeds; of other strategies each shard begins chance with a seed of its own, and two may draw one
/// point.
///
/// A resumed search draws what an uninterrupted one would have, where one job judged one candidate at a time: while it
/// hears of earlier outcomes, the strategy draws along. Where it draws something else (more jobs, another strategy or
/// seed), it learns from what it hears all the same.
class PointProposer : public Proposer {
public:
    PointProposer(const Space& space, std::unique_ptr<Strategy> strategy, const PointOptions& options);

    [[nodiscard]] std::vector<Candidate> propose(std::size_t most) override;
    void hear(const Candidate& candidate, const Outcome& outcome) override;
    [[nodiscard]] std::optional<std::uint64_t> total() const override;

    /// What a person should know of how it draws: that shards search on their own, or that it gave up looking for
    /// allowed points. Empty mostly.
    [[nodiscard]] std::string note() const;

private:
    [[nodiscard]] std::optional<Draw> drawNew();
    void beginChance(std::uint64_t salt);

    const Space& m_space;
    std::unique_ptr<Strategy> m_strategy;
    PointOptions m_options;
    Ground m_ground;
    std::unordered_map<std::string, Draw> m_underWay; ///< by key and effort
    std::optional<Draw> m_ahead;                      ///< drawn along with earlier outcomes, and not among them so far
    std::uint64_t m_heard = 0;
    bool m_proposed = false;
};

} // namespace kernelarium::tuning
