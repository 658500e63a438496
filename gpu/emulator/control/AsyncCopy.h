// SPDX-License-Identifier: GPL-3.0-or-later
//
// cp.async: a copy takes place when its warp waits for it, so that a kernel that forgets to wait reads what
// was there before (poison, which the checks report) and not what hardware may or may not have brought by
// then. Copies that nobody waits for take place when the warp ends.
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

const Inst* copyAsync(Warp& w, const Inst* ip); ///< aux: Code::copyOps
const Inst* commitCopies(Warp& w, const Inst* ip);
const Inst* waitCopies(Warp& w, const Inst* ip); ///< imm: groups that may go on; -1: wait for all copies
/// Performs all copies that are under way.
void finishCopies(Warp& w);
/// The same as the warp ends, which nobody waited with: a fault "unwaited_copy" where memory is checked.
void abandonCopies(Warp& w);

} // namespace kernelarium::emulator
