// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Strategy.h"

namespace kernelarium::tuning {

/// Hill climbing from the text as it stands: a free neighbour is tried, steps up or down first, and the first that is
/// better is gone on from. Where there is no free neighbour, it begins again at a random point.
class LocalSearch : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    std::optional<Point> m_current;
    double m_value = 0;
    bool m_begun = false;
    bool m_exhausted = false; ///< all neighbours of the current one are taken
};

/// Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983): a worse neighbour is gone on from with a chance that falls
/// as the search nears its horizon, then it is heated again. Over points with a known value it walks at no cost.
class Annealing : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    [[nodiscard]] bool accepts(double value, Ground& ground) const;

    std::optional<Point> m_current;
    double m_value = 0;
    double m_best = 0;
    double m_sum = 0; ///< of the values so far
    double m_valued = 0;
    double m_heard = 0;
    bool m_begun = false;
};

} // namespace kernelarium::tuning
