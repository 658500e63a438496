// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/ModelledTime.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What costs a kernel time, in plain words.
///
/// A finding is a counter that is not at its ideal. What it would gain is the modelled time of the launch as it is
/// minus the modelled time with that counter at its ideal and nothing else changed:
///     gain = T(counters) - T(counters, this one ideal),                     T as in core/perf/ModelledTime.h
/// for all launches that are alike. The ideals stand at each kind in FindingKind. Findings about how the work is cut
/// (reuse, tensor cores, more blocks) are counted from where the access patterns are already ideal,
///     gain = T(patterns ideal) - T(patterns ideal, this one ideal),
/// so that one cause is not gained twice: a kernel that reads columns is told so before it is told to tile.
/// T is the largest of its parts, so gains do not add up, and a part that is not the longest gains nothing.
namespace kernelarium::perf {

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

/// Gains below this share of the call's time are not told, unless there are no others.
inline constexpr double leastGainShare = 0.02;

/// Findings of a call, greatest gain first; then, as the last (or the first, where nothing gains), what it is bound by.
/// `time` is modelRun() of the launches on the device. Empty where nothing was launched.
[[nodiscard]] std::vector<Finding> findingsOf(std::span<const LaunchCounters> launches, const ModelledTime& time,
                                              const DeviceSpec& device);

[[nodiscard]] nlohmann::json toJson(const Finding& finding);
[[nodiscard]] nlohmann::json toJson(std::span<const Finding> findings);
/// Error "bad_input".
Result<std::vector<Finding>> findingsFromJson(const nlohmann::json& json);

} // namespace kernelarium::perf
