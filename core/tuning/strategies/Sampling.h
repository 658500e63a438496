// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Balance.h"
#include "core/tuning/strategies/Strategy.h"

namespace kernelarium::tuning {

/// Allowed points at random, each as likely as the others.
class RandomPoints : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& /*heard*/, Ground& /*ground*/) override {}
    [[nodiscard]] bool followsFromHistory() const override { return true; }
    [[nodiscard]] bool dividesPoints() const override { return true; }
};

/// Points over which the values of each parameter are spread evenly: see Balance.
class LatinHypercube : public Strategy {
public:
    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& heard, Ground& ground) override;

private:
    Balance m_balance;
};

} // namespace kernelarium::tuning
