// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::proof {

/// What one draw's value is.
enum class LaneState : std::uint8_t {
    finite,
    plusInfinity,
    minusInfinity,
    undefined, ///< what no law gives a value: infinity less infinity
    dropped,   ///< the draw is void: a divisor was 0, or an order could not be told
};

/// The state of a sum, or product, of two that are not both finite.
[[nodiscard]] inline LaneState worse(LaneState a, LaneState b) {
    if (a == LaneState::dropped || b == LaneState::dropped) return LaneState::dropped;
    return LaneState::undefined;
}
[[nodiscard]] inline bool isInfinite(LaneState s) {
    return s == LaneState::plusInfinity || s == LaneState::minusInfinity;
}
[[nodiscard]] inline LaneState opposite(LaneState s) {
    if (s == LaneState::plusInfinity) return LaneState::minusInfinity;
    return s == LaneState::minusInfinity ? LaneState::plusInfinity : s;
}
[[nodiscard]] inline LaneState stateOfSum(LaneState a, LaneState b) {
    if (a == LaneState::finite) return b;
    if (b == LaneState::finite || a == b) return a;
    return worse(a, b);
}

} // namespace kernelarium::proof
