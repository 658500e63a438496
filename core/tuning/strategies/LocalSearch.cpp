// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/LocalSearch.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::tuning {

namespace {

/// Of the neighbours that are free one at random, of those one step away if there are any.
std::optional<Point> freeNeighbour(const Point& point, Ground& ground) {
    std::vector<Point> steps, jumps;
    for (Point& next : ground.neighbours(point)) {
        if (!ground.isFree(next)) continue;
        bool step = false;
        for (std::size_t i = 0; i < next.at.size(); ++i) {
            const auto& ranks = ground.axes()[i].rankOf;
            if (next.at[i] != point.at[i] && ground.axes()[i].ordered)
                step = std::abs(std::int64_t(ranks[next.at[i]]) - std::int64_t(ranks[point.at[i]])) == 1;
        }
        (step ? steps : jumps).push_back(std::move(next));
    }
    auto& from = steps.empty() ? jumps : steps;
    if (from.empty()) return std::nullopt;
    return std::move(from[ground.random.below(from.size())]);
}

} // namespace

std::optional<Draw> LocalSearch::draw(Ground& ground) {
    if (!m_begun) {
        m_begun = true;
        if (Point start = ground.space().start(); ground.serves(start)) return Draw{std::move(start)};
    }
    if (m_current && !m_exhausted) {
        if (auto next = freeNeighbour(*m_current, ground)) return Draw{std::move(*next)};
        m_exhausted = true;
    }
    auto point = ground.any();
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

void LocalSearch::hear(const Heard& heard, Ground&) {
    if (!heard.value || heard.draw.effort < 1) return;
    // A point from elsewhere, that is no restart, is only gone on from where it is better.
    const bool restart = m_exhausted && m_current && differences(*m_current, heard.draw.point) != 1;
    if (m_current && !restart && *heard.value >= m_value) return;
    m_current = heard.draw.point;
    m_value = *heard.value;
    m_exhausted = false;
}

bool Annealing::accepts(double value, Ground& ground) const {
    if (value <= m_value) return true;
    constexpr double hottest = 0.5, coldest = 0.01; // of the distance from the best to the mean
    const double period = std::max(ground.horizon(), 10.0);
    const double share = std::fmod(m_heard, period) / period;
    const double scale = std::max(m_sum / m_valued - m_best, std::abs(m_best) * 1e-6);
    if (!(scale > 0)) return false;
    return ground.random.uniform() <
           std::exp(-(value - m_value) / (scale * hottest * std::pow(coldest / hottest, share)));
}

std::optional<Draw> Annealing::draw(Ground& ground) {
    if (!m_begun) {
        m_begun = true;
        if (Point start = ground.space().start(); ground.serves(start)) return Draw{std::move(start)};
    }
    constexpr int mostSteps = 300; // over known points
    for (int step = 0; m_current && step < mostSteps; ++step) {
        Point next = *m_current;
        ground.change(next);
        if (step > 100) ground.change(next); // out of a corner in which all neighbours are known
        if (ground.serves(next)) return Draw{std::move(next)};
        const auto value = ground.valueOf(next);
        if (value && accepts(*value, ground)) {
            m_current = std::move(next);
            m_value = *value;
        }
    }
    auto point = ground.any();
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

void Annealing::hear(const Heard& heard, Ground& ground) {
    m_heard += heard.draw.effort;
    if (!heard.value || heard.draw.effort < 1) return;
    m_best = m_valued == 0 ? *heard.value : std::min(m_best, *heard.value);
    m_sum += *heard.value;
    ++m_valued;
    if (m_current && !accepts(*heard.value, ground)) return;
    m_current = heard.draw.point;
    m_value = *heard.value;
}

} // namespace kernelarium::tuning
