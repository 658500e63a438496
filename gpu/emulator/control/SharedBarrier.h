// SPDX-License-Identifier: GPL-3.0-or-later
//
// mbarrier objects (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"). The ISA
// leaves their 64 bits open; here: bits 0 to 19 arrivals that are pending in this phase, 20 to 39 arrivals
// expected in the next one, 40 to 62 bytes that are expected, 63 the phase's parity.
#pragma once

#include "gpu/emulator/code/Code.h"

namespace kernelarium::emulator {

struct SharedBarrier {
    enum Kind : std::uint32_t {
        init, ///< b: count
        invalidate,
        arrive,              ///< d: state before; b: count, if any
        drop,                ///< the same, and expects as many fewer from now on
        arriveExpecting,     ///< b: bytes
        expectBytes,         ///< b: bytes
        completeBytes,       ///< b: bytes
        wait,                ///< d: predicate; b: state
        waitParity,          ///< d: predicate; b: parity
        copiesArrive,        ///< once the warp's copies are done, as part of the expected count
        copiesArriveCounted, ///< the same, beyond the expected count
    };
};

const Inst* sharedBarrier(Warp& w,
                          const Inst* ip);         ///< aux: SharedBarrier::Kind; address as a memory instruction's
const Inst* pendingCount(Warp& w, const Inst* ip); ///< d = pending arrivals of state a

} // namespace kernelarium::emulator
