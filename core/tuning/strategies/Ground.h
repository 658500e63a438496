// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Shard.h"
#include "core/tuning/strategies/AllowedPoints.h"
#include "core/tuning/strategies/Axes.h"
#include "core/tuning/strategies/Random.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace kernelarium::tuning {

struct PointHash {
    std::size_t operator()(const Point& point) const;
};

/// What a strategy draws from: a space, what of it was drawn, and the numbers of chance for one draw.
class Ground {
public:
    /// `horizon`: how many points the search will look at, as far as one knows: what cools or divides goes by it.
    Ground(const Space& space, Shard drawnShard, double horizon);

    [[nodiscard]] const Space& space() const { return m_space; }
    [[nodiscard]] const Axes& axes() const { return m_axes; }
    [[nodiscard]] double horizon() const { return m_horizon; }
    Random random; ///< begun anew for each draw

    /// Not drawn or heard of yet, and of this shard where points are divided.
    [[nodiscard]] bool isFree(const Point& point) const;
    /// Free, and no restriction forbids it.
    [[nodiscard]] bool serves(const Point& point) const;
    void take(const Point& point) { m_taken.try_emplace(point); }
    void learn(const Point& point, std::optional<double> value) { m_taken[point] = value; }
    /// The value heard of a point; nothing where it has none.
    [[nodiscard]] std::optional<double> valueOf(const Point& point) const;

    /// Any one that serves, at random.
    [[nodiscard]] std::optional<Point> any();
    /// Allowed points that differ in one parameter, free or not: first those one step up or down, then the others. Of
    /// parameters with many values those 1, 2, 4 ... steps away.
    [[nodiscard]] std::vector<Point> neighbours(const Point& point) const;
    /// One value changed at random, mostly by a step; perhaps a forbidden point.
    void change(Point& point);
    [[nodiscard]] AllowedPoints& allowed() { return m_allowed; }

    /// Looking for allowed points was given up, though there may be more.
    void giveUp() { m_gaveUp = true; }
    [[nodiscard]] bool gaveUp() const { return m_gaveUp || m_allowed.gaveUp(); }

private:
    const Space& m_space;
    Axes m_axes;
    AllowedPoints m_allowed;
    Shard m_shard;
    double m_horizon;
    bool m_gaveUp = false;
    std::unordered_map<Point, std::optional<double>, PointHash> m_taken;
};

/// In how many parameters two points differ.
[[nodiscard]] std::size_t differences(const Point& a, const Point& b);

} // namespace kernelarium::tuning
