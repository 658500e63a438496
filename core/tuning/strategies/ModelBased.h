// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Balance.h"
#include "core/tuning/strategies/Forest.h"
#include "core/tuning/strategies/Strategy.h"
#include "core/tuning/strategies/Surrogate.h"

#include <memory>

namespace kernelarium::tuning {

/// Bayesian optimisation (Jones, Schonlau, Welch 1998): a few points spread evenly, then always the one of which the
/// surrogate expects the largest improvement on the best so far, less where a forest guesses from the refused and wrong
/// points that it will be one, the more so the more there are of them. In spaces up to a few thousand allowed points
/// all free ones are compared, else some hundreds: neighbours of the best, changes of good ones, and any.
class ModelBased : public Strategy {
public:
    explicit ModelBased(std::unique_ptr<Surrogate> surrogate)
        : m_surrogate(std::move(surrogate)) {}

    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;
    [[nodiscard]] bool followsFromHistory() const override { return true; }

private:
    struct Valued {
        Point point;
        Row row;
        double value;
    };
    [[nodiscard]] std::vector<Point> pool(Ground& ground) const;
    [[nodiscard]] std::vector<double> targets() const;
    void fit(Ground& ground);

    std::unique_ptr<Surrogate> m_surrogate;
    Forest m_chance{24, 2}; ///< that a point is right
    bool m_anyBad = false;
    Balance m_balance;
    std::vector<Valued> m_valued;
    std::vector<Row> m_known;    ///< valued and bad ones
    std::vector<double> m_right; ///< 1 or 0 for each
    std::size_t m_drawn = 0;     ///< and not heard of
    std::size_t m_heard = 0;
    std::size_t m_fitted = 0; ///< outcomes there were then
};

} // namespace kernelarium::tuning
