// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Space.h"
#include "core/tuning/strategies/Random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kernelarium::tuning {

/// Finds points at random that no restriction forbids, also where few are allowed: first by trying any, then from the
/// list of all allowed ones (spaces up to `mostListed` points), or by walks that change one value at a time so that
/// fewer restrictions are broken (min-conflicts: Minton, Johnston, Philips, Laird 1992). The list is made once, when it
/// is first needed. What is found depends on nothing but the arguments.
class AllowedPoints {
public:
    static constexpr std::uint64_t mostListed = std::uint64_t(1) << 21;

    explicit AllowedPoints(const Space& space)
        : m_space(space) {}

    /// One that `accepts` accepts as well. Nothing where the list has none; or, in a larger space, where none was found
    /// in a long search (gaveUp() then).
    [[nodiscard]] std::optional<Point> any(Random& random, const std::function<bool(const Point&)>& accepts);
    /// All allowed ones by number, where the space is small enough to be listed.
    [[nodiscard]] const std::vector<std::uint64_t>* listed();
    [[nodiscard]] bool gaveUp() const { return m_gaveUp; }

private:
    [[nodiscard]] Point anyAtAll(Random& random) const;
    [[nodiscard]] std::optional<Point> walk(Random& random) const;
    [[nodiscard]] std::size_t broken(const Point& point) const;

    const Space& m_space;
    std::optional<std::vector<std::uint64_t>> m_list;
    bool m_gaveUp = false;
};

} // namespace kernelarium::tuning
