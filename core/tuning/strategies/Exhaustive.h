// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/AllowedInOrder.h"
#include "core/tuning/strategies/Strategy.h"

namespace kernelarium::tuning {

/// Every allowed point in the order of the numbers. Where restrictions leave so little of a huge space that the next
/// one is not found in `mostLooks`, it gives up.
class Exhaustive : public Strategy {
public:
    static constexpr std::uint64_t mostLooks = 20'000'000;

    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& /*heard*/, Ground& /*ground*/) override {}
    [[nodiscard]] bool followsFromHistory() const override { return true; }
    [[nodiscard]] bool dividesPoints() const override { return true; }

private:
    std::optional<AllowedInOrder> m_points;
    bool m_gaveUp = false;
};

} // namespace kernelarium::tuning
