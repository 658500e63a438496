// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/Region.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// As trackLoad() of Races.h, for a read that has only begun: whoever stores there from now on is not held against it.
void checkLoad(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes);
/// Such a read of [from, from + bytes) by `reader`'s lane at ip has ended, and `warp` has waited for it: another warp
/// that has stored there since it began races with it. `then`: who had stored there when it began, by word. What is
/// left is that `warp` has read.
void endLoad(Warp& warp, Warp& reader, const Inst* ip, std::uint32_t lane, const Region& region, std::uint64_t from,
             std::uint32_t bytes, const race::Record* then);

} // namespace kernelarium::emulator
