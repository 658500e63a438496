// SPDX-License-Identifier: GPL-3.0-or-later
//
// mbarrier objects (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"). The ISA
// leaves their 64 bits open; here: bits 0 to 19 arrivals that are pending in this phase, 20 to 39 arrivals
// expected in the next one, 40 to 62 bytes that are expected (modulo 2^23; the ISA's range is +-(2^20 - 1)), 63 the
// phase's parity. What the word has no room for (number of the phase, who made it, who waits) is kept beside it, in
// AsyncWork.
//
// A wait that is not over sets its warp aside until some phase ends; where nothing can end one any more it comes back
// false, as try_wait does when its time is up, and is a deadlock when that has led to nothing many times
// (gpu/emulator/run/PhaseWaits.h).
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

struct SharedBarrier {
    enum Kind : std::uint32_t {
        init, ///< b: count
        invalidate,
        arrive,              ///< d: state before; b: count, if any
        drop,                ///< the same, and expects as many fewer from now on
        arriveExpecting,     ///< b: bytes
        dropExpecting,       ///< the same, and expects one arrival fewer from now on
        expectBytes,         ///< b: bytes
        completeBytes,       ///< b: bytes
        wait,                ///< d: predicate; b: state
        waitParity,          ///< d: predicate; b: parity
        copiesArrive,        ///< once the warp's copies are done, as part of the expected count
        copiesArriveCounted, ///< the same, beyond the expected count
    };
    /// Inst::vector of arrivals that may not end a phase (.noComplete).
    static constexpr std::uint8_t noComplete = 2;
};

/// aux: SharedBarrier::Kind; address as a memory instruction's, in this block's or another one's shared memory
/// (SharedWindow.h).
const Inst* sharedBarrier(Warp& w, const Inst* ip);
const Inst* pendingCount(Warp& w, const Inst* ip); ///< d = pending arrivals of state a

/// Whether the lane may use the barrier at this offset of a block's shared memory: a barrier of the block, or the like,
/// of the cluster where it is another one's, has to come after its making. Reports the first use for which none does.
void checkMade(Warp& w, const Inst* ip, std::uint32_t lane, Block& block, std::uint32_t offset);

/// A barrier's state, in words: "2 of 128 arrivals and 4096 bytes are missing".
[[nodiscard]] std::string missingOf(std::uint64_t word);

/// Bytes of a copy of this thread of another block or the same arrive at the barrier at this offset of the block's
/// shared memory, as of complete_tx. False where no barrier lies there.
bool completeBytes(Block& block, std::uint32_t offset, std::uint32_t bytes, const Block& issuer,
                   const struct AsyncParty& by);

} // namespace kernelarium::emulator
