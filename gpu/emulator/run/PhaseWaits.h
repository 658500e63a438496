// SPDX-License-Identifier: GPL-3.0-or-later
//
// Warps that wait for a phase of an mbarrier or of a cluster's barrier, and the bulk copies that they may wait for.
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <optional>
#include <string_view>

namespace kernelarium::emulator {

/// Lets those go on that wait for a phase, where one has ended since the last time. False where none has.
bool wakeWaiting(Block& block);

/// Nobody of the block gets on by themselves: does copies, the oldest first, until a phase ends by it. With `idle`
/// (no thread of the block, or of its cluster, is on its way) and no copies left, waits come back false, as try_wait
/// does when its time is up. False where that has led to nothing so often that it never will, or nobody waits.
bool relieve(Block& block, bool idle);

/// Where a block's threads wait when none gets on: "at mbarriers", "at barriers".
[[nodiscard]] std::string_view placeOfWaits(Block& block);

/// The deadlock of a block in which somebody waits for a phase: which barrier, what it lacks, who waits elsewhere. None
/// where nobody does.
[[nodiscard]] std::optional<Fault> phaseDeadlock(Block& block);

} // namespace kernelarium::emulator
