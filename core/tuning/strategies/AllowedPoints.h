// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Space.h"
#include "core/tuning/strategies/Random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kernelarium::tuning {

/// Finds points at random that no restriction forbids, also where few are allowed: first by trying any, each allowed
/// one being as likely as the others; then from the list of all allowed ones, where these are at most `mostListed` and
/// found in `mostLooks`; then by going through the space from a random point on, which finds the sooner the fewer
/// parameters a restriction reads; then by walks that change one value at a time so that fewer restrictions are broken
/// (min-conflicts: Minton, Johnston, Philips, Laird 1992). The list is made once, when it is first needed. What is
/// found depends on nothing but the arguments.
class AllowedPoints {
public:
    static constexpr std::size_t mostListed = std::size_t(1) << 20;
    static constexpr std::uint64_t mostLooks = 4'000'000;

    explicit AllowedPoints(const Space& space)
        : m_space(space) {}

    /// One that `accepts` accepts as well. Nothing where the list has none; or, without a list, where none was found in
    /// a long search (gaveUp() then).
    [[nodiscard]] std::optional<Point> any(Random& random, const std::function<bool(const Point&)>& accepts);
    /// All allowed ones by number, in their order, where they could be listed.
    [[nodiscard]] const std::vector<std::uint64_t>* listed();
    [[nodiscard]] bool gaveUp() const { return m_gaveUp; }

private:
    [[nodiscard]] Point anyAtAll(Random& random) const;
    [[nodiscard]] std::optional<Point> goThrough(Random& random,
                                                 const std::function<bool(const Point&)>& accepts) const;
    [[nodiscard]] std::optional<Point> walk(Random& random) const;
    [[nodiscard]] std::size_t broken(const Point& point) const;

    const Space& m_space;
    std::optional<std::vector<std::uint64_t>> m_list;
    bool m_triedToList = false;
    bool m_gaveUp = false;
};

} // namespace kernelarium::tuning
