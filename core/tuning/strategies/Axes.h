// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Space.h"

#include <cstdint>
#include <vector>

namespace kernelarium::tuning {

/// The values of each parameter as places on an axis, for what has to know which are near each other.
class Axes {
public:
    explicit Axes(const Space& space);

    struct Axis {
        bool ordered = true;               ///< numbers or truth values; else words, of which none is near another
        std::vector<std::uint32_t> byRank; ///< numbers of the values, the least value first
        std::vector<std::uint32_t> rankOf; ///< by the number of the value
        std::vector<double> place;         ///< by the number of the value, 0 to 1: its logarithm's where the values
                                           ///< are positive and the largest is at least 8 times the least
    };
    [[nodiscard]] std::size_t count() const { return m_axes.size(); }
    [[nodiscard]] const Axis& operator[](std::size_t parameter) const { return m_axes[parameter]; }
    /// The places of a point's values.
    [[nodiscard]] std::vector<double> places(const Point& point) const;

private:
    std::vector<Axis> m_axes;
};

} // namespace kernelarium::tuning
