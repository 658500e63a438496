// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads, stores and atomics of other blocks' shared memory (PTX ISA, "mapa", ".shared::cluster"). Bounds, initialised
// bits and race records are those of that memory, and its block must not end before (FarVisits.h).
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

const Inst* farAccess(Warp& w, const Inst* ip); ///< aux: Code::farAccesses; the address as of the plain instruction
/// d = address a (bits 1: of 64 bits, generic ones too) in the block of rank b.
const Inst* mapAddress(Warp& w, const Inst* ip);
const Inst* rankOfAddress(Warp& w, const Inst* ip); ///< d = rank of the block of address a, bits as above
const Inst* isOwnShared(Warp& w, const Inst* ip);   ///< d = whether address a lies in the block's own shared memory
const Inst* inCluster(Warp& w, const Inst* ip);     ///< d = whether the block was launched in a cluster
const Inst* electLane(Warp& w, const Inst* ip);     ///< d, if any: the lowest active lane, e: whether it is this one

} // namespace kernelarium::emulator
