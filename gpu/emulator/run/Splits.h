// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// Puts the running split away into `others` with this state, and leaves the warp with none loaded.
void storeSplit(Warp& warp, Split::State state, std::uint32_t argument);
/// Makes others[index] the running split.
void loadSplit(Warp& warp, std::size_t index);
/// The lanes running now go on by themselves (a split in `others`, with this state); the warp continues with its
/// pending paths. False when there are none: the split is then merely stored.
bool splitOff(Warp& warp, Split::State state, std::uint32_t argument);
/// Joins splits that stand ready at the same place, so that they run together again.
void mergeSplits(Warp& warp);

} // namespace kernelarium::emulator
