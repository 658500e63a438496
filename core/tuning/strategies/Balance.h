// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Ground.h"

#include <optional>
#include <unordered_set>
#include <vector>

namespace kernelarium::tuning {

/// Draws points so that each value of each parameter comes up as often as the others, as far as the restrictions let
/// it: a latin hypercube (McKay, Beckman, Conover 1979) over discrete values that can be gone on with for ever.
class Balance {
public:
    [[nodiscard]] std::optional<Point> draw(Ground& ground);
    /// The text as it stands where it serves, else as draw().
    [[nodiscard]] std::optional<Point> drawFirst(Ground& ground);
    /// A point that was heard of counts as well, unless it was drawn here.
    void hear(const Point& point, const Ground& ground);

private:
    void count(const Point& point, const Ground& ground);
    [[nodiscard]] Point leastUsed(Ground& ground) const;
    [[nodiscard]] double cost(const Point& point) const;
    void begin(const Ground& ground);

    std::vector<std::vector<std::uint32_t>> m_used; ///< by parameter and value
    std::unordered_set<Point, PointHash> m_drawn;   ///< and not heard of
};

} // namespace kernelarium::tuning
