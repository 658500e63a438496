// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Exhaustive.h"

namespace kernelarium::tuning {

std::optional<Draw> Exhaustive::draw(Ground& ground) {
    if (!m_points) m_points.emplace(ground.space());
    std::uint64_t looks = m_gaveUp ? 0 : mostLooks;
    while (auto point = m_points->next(looks)) {
        if (ground.isFree(*point)) return Draw{std::move(*point)};
        looks = mostLooks;
    }
    if (!m_points->ended()) {
        m_gaveUp = true;
        ground.giveUp();
    }
    return std::nullopt;
}

} // namespace kernelarium::tuning
