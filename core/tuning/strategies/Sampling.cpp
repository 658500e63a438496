// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Sampling.h"

namespace kernelarium::tuning {

std::optional<Draw> RandomPoints::draw(Ground& ground) {
    auto point = ground.any();
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

std::optional<Draw> LatinHypercube::draw(Ground& ground) {
    auto point = m_balance.draw(ground);
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

void LatinHypercube::hear(const Heard& heard, Ground& ground) {
    m_balance.hear(heard.draw.point, ground);
}

} // namespace kernelarium::tuning
