// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bulk copies (PTX ISA, "Non-tensor copy: cp.async.bulk", "cp.reduce.async.bulk", "Tensor copy: cp.async.bulk.tensor").
// Each active lane begins one. Those that tell an mbarrier wait in the block whose shared memory they fill until
// somebody needs them (AsyncWork.h); those of bulk groups are done when their thread waits for the group, in two steps:
// with wait_group.read the source is read, with wait_group the destination is written.
//
// Reductions take place element by element, in order of their addresses, each one atomic as far as other blocks are
// concerned; sums of floats are rounded to nearest even, subnormal numbers kept.
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

const Inst* bulkCopy(Warp& w, const Inst* ip); ///< aux: Code::bulkOps
const Inst* commitBulk(Warp& w, const Inst* ip);
const Inst* waitBulk(Warp& w, const Inst* ip); ///< imm: groups that may go on; bits 1: reading the sources is enough

/// Does the oldest copy into the block's shared memory. False where there is none.
bool performOldest(Block& block);
/// The block has ended: what is still under way is a fault "unwaited_copy", and takes place.
void endAsyncWork(Block& block);

} // namespace kernelarium::emulator
