// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::verify {

/// Added to a schedule (RunRequest::schedule): it is of the warps of each block only.
constexpr std::uint64_t warpsOnly = std::uint64_t(1) << 63;

/// What is known of a race besides that nothing orders its two accesses.
enum class RaceEffect : std::uint8_t {
    order,            ///< which of the two comes first, and no more
    lost_update,      ///< both store what they made of the value that was there, neither atomically: one of the
                      ///< two can be lost
    undefined_winner, ///< two lanes store different values in one instruction: which one stays is not defined
    guarded,          ///< a load beside an atomic on the same place, for which the loading thread only prepares its
                      ///< own atomic
    lanes,            ///< a lane reads what another lane of its warp stored, and the two have not met since
    unfenced,         ///< both are volatile or the like: a store is seen in which a thread leaves data, after another
                      ///< store of the same thread, and no fence keeps the two in this order
};

} // namespace kernelarium::verify
