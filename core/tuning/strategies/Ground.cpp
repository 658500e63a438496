// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Ground.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {
constexpr std::size_t manyValues = 64;
}

std::size_t PointHash::operator()(const Point& point) const {
    std::uint64_t hash = 0xcbf29ce484222325U; // FNV-1a, 32 bits at a time
    for (const std::uint32_t at : point.at) {
        hash = (hash ^ at) * 0x100000001b3U;
        hash ^= hash >> 29;
    }
    return std::size_t(hash);
}

Ground::Ground(const Space& space, Shard drawnShard, double horizon)
    : m_space(space)
    , m_axes(space)
    , m_allowed(space)
    , m_shard(drawnShard)
    , m_horizon(horizon) {}

bool Ground::isFree(const Point& point) const {
    // The number wraps where the space is too large for one, which divides as well.
    return !m_taken.contains(point) && m_shard.has(m_shard.whole() ? 0 : m_space.number(point));
}

bool Ground::serves(const Point& point) const {
    return isFree(point) && m_space.forbids(point) == nullptr;
}

std::optional<double> Ground::valueOf(const Point& point) const {
    const auto at = m_taken.find(point);
    return at == m_taken.end() ? std::nullopt : at->second;
}

std::optional<Point> Ground::any() {
    return m_allowed.any(random, [&](const Point& point) { return isFree(point); });
}

std::vector<Point> Ground::neighbours(const Point& point) const {
    std::vector<Point> near, far;
    const auto add = [&](std::vector<Point>& to, std::size_t parameter, std::uint32_t value) {
        Point next = point;
        next.at[parameter] = value;
        if (m_space.forbids(next) == nullptr) to.push_back(std::move(next));
    };
    for (std::size_t i = 0; i < point.at.size(); ++i) {
        const Axes::Axis& axis = m_axes[i];
        const auto count = std::int64_t(axis.byRank.size());
        const std::int64_t rank = axis.rankOf[point.at[i]];
        const auto addRank = [&](std::int64_t other) {
            if (other < 0 || other >= count || other == rank) return;
            const bool step = axis.ordered && (other == rank - 1 || other == rank + 1);
            add(step ? near : far, i, axis.byRank[std::size_t(other)]);
        };
        if (count <= std::int64_t(manyValues)) {
            for (std::int64_t other = 0; other < count; ++other)
                addRank(other);
        } else {
            for (std::int64_t step = 1; step < count; step *= 2) {
                addRank(rank - step);
                addRank(rank + step);
            }
        }
    }
    near.insert(near.end(), far.begin(), far.end());
    return near;
}

void Ground::change(Point& point) {
    if (point.at.empty()) return;
    const std::size_t i = random.below(point.at.size());
    const Axes::Axis& axis = m_axes[i];
    const std::size_t count = axis.byRank.size();
    if (count < 2) return;
    const std::uint32_t rank = axis.rankOf[point.at[i]];
    if (axis.ordered && random.uniform() < 0.7) {
        const bool up = rank == 0 || (rank + 1 < count && random.uniform() < 0.5);
        point.at[i] = axis.byRank[up ? rank + 1 : rank - 1];
    } else {
        point.at[i] = axis.byRank[(rank + 1 + random.below(count - 1)) % count];
    }
}

std::size_t differences(const Point& a, const Point& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(a.at.size(), b.at.size()); ++i)
        count += a.at[i] != b.at[i] ? 1 : 0;
    return count;
}

} // namespace kernelarium::tuning
