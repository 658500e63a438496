// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Space.h"
#include "core/tuning/strategies/Random.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::tuning {

/// Goes through the allowed points of a space parameter by parameter. A restriction is asked as soon as what it reads
/// (Space::Restriction::reads) is set, so that all points with those values are passed over at once.
class AllowedInOrder {
public:
    /// In the order of the points' numbers; with `random`, the values of each parameter from one drawn at random on.
    explicit AllowedInOrder(const Space& space, std::optional<Random> random = std::nullopt);

    /// The next one. `looks` is what may be spent on it, one for each value tried, and what is left then. Nothing
    /// behind the last one, or where the looks are spent: the next call goes on.
    [[nodiscard]] std::optional<Point> next(std::uint64_t& looks);
    /// There are no more.
    [[nodiscard]] bool ended() const { return m_ended; }

private:
    void enter();
    bool setAllowed();
    void leave();

    const Space& m_space;
    std::optional<Random> m_random;
    std::vector<std::vector<const Space::Restriction*>> m_askedAt; ///< by the last parameter that they read
    std::vector<std::uint32_t> m_tried;                            ///< values of each parameter, by order
    std::vector<std::uint32_t> m_first;                            ///< the value that is tried first
    Space::Values m_values;
    std::size_t m_depth = 0;
    bool m_ended = false;
};

} // namespace kernelarium::tuning
