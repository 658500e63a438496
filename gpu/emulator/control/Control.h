// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

// Handlers of control flow. They are the same for every instruction set.

/// Starts a basic block. aux: block index, imm: instructions in it, bits 1: lanes may meet here.
const Inst* enterBlock(Warp& w, const Inst* ip);
/// Runs the next instruction for the lanes where a holds (bits 1: does not hold).
const Inst* predicated(Warp& w, const Inst* ip);
const Inst* branch(Warp& w, const Inst* ip);        ///< unconditional, to target
const Inst* branchIf(Warp& w, const Inst* ip);      ///< a: predicate, bits 1: negated; target, reconverge
const Inst* branchIndexed(Warp& w, const Inst* ip); ///< a: index, aux: branch table
const Inst* callFunction(Warp& w, const Inst* ip);  ///< aux: call site; a: target of an indirect call
const Inst* returnFrom(Warp& w, const Inst* ip);
const Inst* exitThread(Warp& w, const Inst* ip);
const Inst* trapInstruction(Warp& w, const Inst* ip);
const Inst* nothing(Warp& w, const Inst* ip); ///< hints
const Inst* sleep(Warp& w, const Inst* ip);   ///< the others get their turn
const Inst* fence(Warp& w, const Inst* ip);   ///< bits 1: reaches other blocks
/// a: barrier number, b: thread count (bits 1: there is one). bits 2: arrive only; 4: reduction into d of predicate e,
/// imm 0 popc, 1 and, 2 or; bits 8: e is negated.
const Inst* barrier(Warp& w, const Inst* ip);
const Inst* warpBarrier(Warp& w, const Inst* ip);  ///< a: member mask
const Inst* frameAddress(Warp& w, const Inst* ip); ///< d = address of local memory at imm; bits 1: generic
const Inst* readClock(Warp& w, const Inst* ip);    ///< bits: 4 or 8 bytes; imm 1: globaltimer

const Inst* testSpace(Warp& w, const Inst* ip); ///< d = whether address a lies in window imm

/// Takes the next pending path, returning from functions as needed; null when the split has ended.
const Inst* nextPath(Warp& warp);

/// Removes lanes from every pending path of the warp.
void removeLanes(Warp& w, std::uint32_t lanes);
/// Enters a frame of the function for the lanes in `mask`. False when the stack is exhausted (and the warp trapped).
bool pushFrame(Warp& w, std::uint32_t function, std::uint32_t mask, const Inst* call);
/// Copies parameters or results of a call between the frames, for the lanes in `mask`.
void moveValues(Warp& w, const std::vector<CallSite::Move>& moves, std::uint32_t callerBase, std::uint32_t calleeBase,
                bool toCallee, std::uint32_t mask);

} // namespace kernelarium::emulator
