// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/AllowedPoints.h"

#include "core/tuning/strategies/AllowedInOrder.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernelarium::tuning {

namespace {
constexpr int firstTries = 200;
constexpr int moreTries = 10000; // where there is no list
constexpr int goings = 10;       // through the space, and the looks of each
constexpr std::uint64_t goingLooks = 5000;
constexpr int walks = 100;
constexpr std::size_t mostTriedValues = 32; // of a parameter, in a step of a walk
} // namespace

const std::vector<std::uint64_t>* AllowedPoints::listed() {
    if (!m_triedToList) {
        m_triedToList = true;
        if (m_space.size() == std::numeric_limits<std::uint64_t>::max()) return nullptr; // its points have no numbers
        std::vector<std::uint64_t> list;
        AllowedInOrder points(m_space);
        std::uint64_t looks = mostLooks;
        while (const auto point = points.next(looks)) {
            if (list.size() == mostListed) return nullptr;
            list.push_back(m_space.number(*point));
        }
        if (points.ended()) m_list = std::move(list);
    }
    return m_list ? &*m_list : nullptr;
}

Point AllowedPoints::anyAtAll(Random& random) const {
    Point point;
    point.at.reserve(m_space.parameters().size());
    for (const Parameter& parameter : m_space.parameters())
        point.at.push_back(std::uint32_t(random.below(parameter.values.size())));
    return point;
}

std::optional<Point> AllowedPoints::any(Random& random, const std::function<bool(const Point&)>& accepts) {
    const auto serves = [&](const Point& point) { return accepts(point) && m_space.forbids(point) == nullptr; };
    for (int i = 0; i < firstTries; ++i)
        if (Point point = anyAtAll(random); serves(point)) return point;
    if (const auto* list = listed()) {
        if (list->empty()) return std::nullopt;
        const std::size_t from = random.below(list->size());
        for (std::size_t i = 0; i < list->size(); ++i)
            if (Point point = m_space.point((*list)[(from + i) % list->size()]); accepts(point)) return point;
        return std::nullopt;
    }
    if (auto point = goThrough(random, accepts)) return point;
    for (int i = 0; i < moreTries; ++i)
        if (Point point = anyAtAll(random); serves(point)) return point;
    for (int i = 0; i < walks; ++i)
        if (auto point = walk(random); point && accepts(*point)) return point;
    m_gaveUp = true;
    return std::nullopt;
}

std::optional<Point> AllowedPoints::goThrough(Random& random, const std::function<bool(const Point&)>& accepts) const {
    for (int i = 0; i < goings; ++i) {
        AllowedInOrder points(m_space, Random(random.next()));
        std::uint64_t looks = goingLooks;
        while (auto point = points.next(looks))
            if (accepts(*point)) return point;
        if (points.ended()) return std::nullopt;
    }
    return std::nullopt;
}

std::size_t AllowedPoints::broken(const Point& point) const {
    Space::Values values;
    values.reserve(m_space.parameters().size());
    for (std::size_t i = 0; i < m_space.parameters().size(); ++i)
        values.push_back(&m_space.value(point, i));
    return std::size_t(std::count_if(m_space.restrictions().begin(), m_space.restrictions().end(),
                                     [&](const Space::Restriction& r) { return !r.allows(values); }));
}

std::optional<Point> AllowedPoints::walk(Random& random) const {
    Point point = anyAtAll(random);
    std::size_t now = broken(point);
    std::vector<std::size_t> order(point.at.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    for (int round = 0; round < 8 && now > 0; ++round) {
        random.shuffle(order);
        for (const std::size_t i : order) {
            const std::size_t count = m_space.parameters()[i].values.size();
            const std::size_t tries = std::min(count, mostTriedValues);
            const std::uint32_t from = std::uint32_t(random.below(count));
            std::uint32_t best = point.at[i];
            for (std::size_t k = 0; k < tries && now > 0; ++k) {
                point.at[i] = std::uint32_t((from + k * count / tries) % count);
                const std::size_t then = broken(point);
                if (then > now) continue; // equal ones are taken: they lead off a plateau
                now = then;
                best = point.at[i];
            }
            point.at[i] = best;
            if (now == 0) break;
        }
    }
    return now == 0 ? std::optional(std::move(point)) : std::nullopt;
}

} // namespace kernelarium::tuning
