// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/WarpMembers.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

void checkMembers(Warp& w, const Inst* ip, const std::uint32_t* members) {
    std::uint32_t absent = 0, strangers = 0;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        absent |= members[lane] & w.live & ~w.active;
        strangers |= ~members[lane] & (1u << lane);
    }
    if ((absent | strangers) == 0 || !w.worker->reported.insert(ip).second) return;
    const std::uint32_t mask = members[std::countr_zero(strangers ? strangers : w.active)];
    if (absent)
        return reportFault(w, ip, w.active & (0 - w.active), "warp_mask",
                           fmt::format("A shuffle or vote of mask {:#010x} names lanes that do not execute it with the "
                                       "others ({:#010x}): what they give is undefined.",
                                       mask, absent),
                           false);
    reportFault(w, ip, strangers & (0 - strangers), "warp_mask",
                fmt::format("A lane executes a shuffle or vote of mask {:#010x}, which does not name the lane itself: "
                            "undefined.",
                            mask),
                false);
}

} // namespace kernelarium::emulator
