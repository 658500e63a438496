// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Strategy.h"

namespace kernelarium::tuning {

/// Every allowed point in the order of the numbers. In a space that is too large to be gone through it gives up after
/// `mostForbidden` forbidden ones in a row.
class Exhaustive : public Strategy {
public:
    static constexpr std::uint64_t mostForbidden = 20'000'000;

    [[nodiscard]] std::optional<Draw> draw(Ground& ground) override;
    void hear(const Heard& /*heard*/, Ground& /*ground*/) override {}
    [[nodiscard]] bool followsFromHistory() const override { return true; }
    [[nodiscard]] bool dividesPoints() const override { return true; }

private:
    Point m_next;
    bool m_begun = false;
    bool m_ended = false;
};

} // namespace kernelarium::tuning
