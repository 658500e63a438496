// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kernelarium::perf {

/// What costs time, and beside each what the gain is reckoned against.
enum class FindingKind {
    uncoalescedLoad,  ///< ideal: sectors that the distinct bytes of each request need; the share that misses the L1
                      ///< stays
    uncoalescedStore, ///< likewise
    bankConflict,     ///< wavefronts without conflicts
    localMemory,      ///< no requests to local memory, and not the instructions that make them
    atomicContention, ///< one update for each request and address of a warp: its lanes added up before
    divergence,       ///< as many instructions as lanes that do something would fill whole warps with
    slowFunctions,    ///< one machine instruction for each division, root and exponential
    doublePrecision,  ///< FP64 instructions at the rate of FP32, and no conversions for them
    indexArithmetic,  ///< no integer instructions and conversions at all: an upper bound
    barriers,         ///< none
    imbalance,        ///< the longest warp as long as the mean: beyond the modelled time, which knows the mean
    redundantReads,   ///< each distinct sector read once, in whole lines
    sharedTraffic,    ///< one shared load for four multiply-adds, as an 8 by 8 tile to a thread has
    tensorCores,      ///< FP32 multiply-adds at the TF32 rate
    smallGrid,        ///< the same work over as many more blocks as fill the device
    lowOccupancy,     ///< one more block on each multiprocessor
    tail,             ///< whole waves only
    waiting,          ///< latency hidden: the launch as long as its next longest part, on a full device
    launchOverhead,   ///< all launches in one
    bound,            ///< no gain: which part of the device limits the longest launch, and how far the others are
};
[[nodiscard]] std::string_view name(FindingKind kind); ///< "uncoalesced_load", ...

/// How far the model is to be trusted in this.
enum class Confidence { high, medium, low };
[[nodiscard]] std::string_view name(Confidence confidence);

/// Something that costs a kernel time, and what could be gained by the model.
struct Finding {
    FindingKind kind = FindingKind::bound;
    std::string kernel;
    int line = 0;               ///< of the user's file; 0: of the whole launch
    std::uint32_t launches = 1; ///< that it was found in
    std::string what;           ///< "each load request touches 32 sectors where 4 would do: ..."
    std::string advice;         ///< what to try; may be empty
    double gainSeconds = 0;     ///< of a call
    double gainShare = 0;       ///< of the call's modelled time
    Confidence confidence = Confidence::medium;

    /// "line 31: each load request touches ..."
    [[nodiscard]] std::string text() const;
};

} // namespace kernelarium::perf
