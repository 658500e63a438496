// SPDX-License-Identifier: GPL-3.0-or-later
//
// barrier.cluster (PTX ISA, "Parallel Synchronization and Communication Instructions: barrier.cluster"): all threads of
// a cluster arrive, and wait for one another. Threads that have ended count as having arrived. Arriving releases and
// waiting acquires, but for arrive.relaxed, which only orders execution, and the making of mbarriers that a
// fence.mbarrier_init came after.
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

const Inst* clusterArrive(Warp& w, const Inst* ip); ///< bits 1: relaxed
const Inst* clusterWait(Warp& w, const Inst* ip);
const Inst* fenceMade(Warp& w, const Inst* ip); ///< fence.mbarrier_init
/// Threads of the warp, whose block is in a cluster, have ended: the phase may have.
void clusterThreadsEnded(Warp& w);

} // namespace kernelarium::emulator
