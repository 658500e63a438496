// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Balance.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {
constexpr int composed = 100;
constexpr int compared = 24;
} // namespace

void Balance::begin(const Ground& ground) {
    if (!m_used.empty()) return;
    for (const Parameter& parameter : ground.space().parameters())
        m_used.emplace_back(parameter.values.size(), 0U);
}

void Balance::count(const Point& point, const Ground& ground) {
    begin(ground);
    for (std::size_t i = 0; i < point.at.size(); ++i)
        ++m_used[i][point.at[i]];
}

/// Of the values that were used least one at random, for each parameter.
Point Balance::leastUsed(Ground& ground) const {
    Point point;
    for (const auto& used : m_used) {
        const std::uint32_t least = *std::min_element(used.begin(), used.end());
        const auto many = std::uint64_t(std::count(used.begin(), used.end(), least));
        std::uint64_t skip = ground.random.below(many);
        std::uint32_t value = 0;
        while (used[value] != least || skip-- > 0)
            ++value;
        point.at.push_back(value);
    }
    return point;
}

double Balance::cost(const Point& point) const {
    double cost = 0; // how far above its share each value would be
    for (std::size_t i = 0; i < point.at.size(); ++i) {
        const std::uint32_t least = *std::min_element(m_used[i].begin(), m_used[i].end());
        cost += double(m_used[i][point.at[i]] - least) * double(m_used[i].size());
    }
    return cost;
}

std::optional<Point> Balance::draw(Ground& ground) {
    begin(ground);
    std::optional<Point> best;
    for (int i = 0; i < composed && !best; ++i)
        if (Point point = leastUsed(ground); ground.serves(point)) best = std::move(point);
    const int tries = best ? 0 : compared;
    double bestCost = 0;
    for (int i = 0; i < tries; ++i) {
        auto point = ground.any();
        if (!point) break;
        const double pointCost = cost(*point);
        if (best && pointCost >= bestCost) continue;
        best = std::move(point);
        bestCost = pointCost;
    }
    if (best) {
        count(*best, ground);
        m_drawn.insert(*best);
    }
    return best;
}

std::optional<Point> Balance::drawFirst(Ground& ground) {
    Point start = ground.space().start();
    if (!ground.serves(start)) return draw(ground);
    count(start, ground);
    m_drawn.insert(start);
    return start;
}

void Balance::hear(const Point& point, const Ground& ground) {
    if (m_drawn.erase(point) == 0) count(point, ground);
}

} // namespace kernelarium::tuning
