// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/code/Code.h"

namespace kernelarium::emulator {

/// Reports what an instruction that names its members (shfl, vote, match, redux) may not do: name a lane that has not
/// ended and is elsewhere, or leave out a lane that executes it. `members` is by lane.
void checkMembers(Warp& warp, const Inst* ip, const std::uint32_t* members);

/// Lanes execute such an instruction together.
inline void meetMembers(Warp& warp, const Inst* ip) {
    meetLanes(warp);
    if (ip->imm == noMembers || !warp.worker->checks) return;
    const auto at = std::uint32_t(ip->imm);
    Opd operand;
    operand.value = at;
    const auto* members = reinterpret_cast<const std::uint32_t*>(warp.base[operand.segment()] + operand.offset());
    // All lanes that there are, and all of them named: nearly always.
    if (warp.active == warp.live && members[__builtin_ctz(warp.active)] == ~0u) return;
    checkMembers(warp, ip, members);
}

} // namespace kernelarium::emulator
