// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/ModelBased.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

namespace kernelarium::tuning {
namespace {

constexpr std::size_t comparedAll = 3000; ///< allowed points, at most, for all free ones to be compared
constexpr std::size_t comparedSome = 800;
constexpr std::size_t leastValued = 3;

/// Of the first points, spread evenly, before there is a model.
std::size_t initialPoints(const Ground& ground) {
    const double wanted = double(ground.axes().count()) + 2;
    return std::size_t(std::clamp(std::min(wanted, ground.horizon() / 4), 4.0, 24.0));
}

/// Of a value below `best`, where a normal distribution is expected.
double expectedImprovement(const Prediction& guess, double best) {
    const double deviation = std::sqrt(guess.variance);
    const double gain = best - guess.mean;
    if (!(deviation > 1e-12)) return std::max(gain, 0.0);
    const double z = gain / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
    return gain * below + deviation * density;
}

} // namespace

/// What the surrogate learns: the logarithms where all values are positive.
std::vector<double> ModelBased::targets() const {
    bool positive = true;
    double largest = 0;
    for (const Valued& valued : m_valued) {
        positive = positive && valued.value > 0;
        largest = std::max(largest, std::abs(valued.value));
    }
    std::vector<double> targets;
    for (const Valued& valued : m_valued)
        targets.push_back(positive ? std::log(valued.value) : largest > 0 ? valued.value / largest : 0);
    return targets;
}

void ModelBased::fit(Ground& ground) {
    if (m_fitted == m_heard) return;
    m_fitted = m_heard;
    std::vector<bool> ordered;
    std::vector<Row> rows;
    for (std::size_t i = 0; i < ground.axes().count(); ++i)
        ordered.push_back(ground.axes()[i].ordered);
    for (const Valued& valued : m_valued)
        rows.push_back(valued.row);
    m_surrogate->fit(rows, targets(), ordered, Random(ground.random.next()));
    if (m_anyBad) m_chance.fit(m_known, m_right, ordered, Random(ground.random.next()));
}

std::vector<Point> ModelBased::pool(Ground& ground) const {
    std::vector<Point> points;
    if (const auto* list = ground.allowed().listed(); list != nullptr && list->size() <= comparedAll) {
        for (const std::uint64_t number : *list)
            if (Point point = ground.space().point(number); ground.isFree(point)) points.push_back(std::move(point));
        return points;
    }
    std::unordered_set<Point, PointHash> seen;
    const auto add = [&](Point point) {
        if (ground.serves(point) && seen.insert(point).second) points.push_back(std::move(point));
    };
    std::vector<std::size_t> order(m_valued.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_valued[a].value < m_valued[b].value; });
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
        for (Point& next : ground.neighbours(m_valued[order[i]].point))
            if (points.size() < comparedSome / 2) add(std::move(next));
    const std::size_t good = std::max<std::size_t>(order.size() / 4, 1);
    for (std::size_t i = 0; i < comparedSome && points.size() < comparedSome * 3 / 4; ++i) {
        Point point = m_valued[order[ground.random.below(good)]].point;
        for (std::uint64_t changes = 1 + ground.random.below(3); changes > 0; --changes)
            ground.change(point);
        add(std::move(point));
    }
    for (int i = 0; i < 100 && points.size() < comparedSome; ++i) {
        auto point = ground.any();
        if (!point) break;
        add(std::move(*point));
    }
    return points;
}

std::optional<Draw> ModelBased::draw(Ground& ground) {
    ++m_drawn;
    const auto drawn = [&](std::optional<Point> point) -> std::optional<Draw> {
        if (point) return Draw{std::move(*point)};
        --m_drawn;
        return std::nullopt;
    };
    if (m_heard + m_drawn <= initialPoints(ground) || m_valued.size() < leastValued)
        return drawn(m_heard + m_drawn == 1 ? m_balance.drawFirst(ground) : m_balance.draw(ground));
    fit(ground);
    std::vector<Point> points = pool(ground);
    if (points.empty()) return drawn(ground.any());

    const std::vector<double> known = targets();
    const double best = *std::min_element(known.begin(), known.end());
    const double badShare = 1 - double(m_valued.size()) / double(m_known.size());
    std::size_t chosen = 0;
    double most = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Row row = ground.axes().places(points[i]);
        const Prediction guess = m_surrogate->predict(row);
        double worth = expectedImprovement(guess, best);
        // The best points are often beside refused ones, and a guess from few of these would keep off them: it counts
        // by the square of their share.
        if (badShare > 0) worth *= 1 - badShare * badShare * (1 - m_chance.predict(row).mean);
        worth += 1e-9 * guess.variance; // where no improvement is expected: what is known least
        if (worth <= most) continue;
        most = worth;
        chosen = i;
    }
    return drawn(std::move(points[chosen]));
}

void ModelBased::hear(const Heard& heard, Ground& ground) {
    m_balance.hear(heard.draw.point, ground);
    ++m_heard;
    m_drawn -= m_drawn > 0 ? 1 : 0;
    if (heard.draw.effort < 1 || (!heard.value && !heard.bad())) return;
    Row row = ground.axes().places(heard.draw.point);
    m_known.push_back(row);
    m_right.push_back(heard.value ? 1 : 0);
    m_anyBad = m_anyBad || !heard.value;
    if (heard.value) m_valued.push_back({heard.draw.point, std::move(row), *heard.value});
}

} // namespace kernelarium::tuning
