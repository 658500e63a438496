// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "gpu/device/memory/DevicePool.h"
#include "gpu/device/timing/PairedCalls.h"
#include "gpu/device/timing/RaceKernels.h"
#include "gpu/device/timing/TimingRun.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::device {

/// What racing one candidate gave.
struct RaceResult {
    std::string difference;             ///< of the outputs' bits, and after which calls; empty: there is none
    std::vector<perf::TimedPair> pairs; ///< the candidate is the first
};

/// One forward that stays on the GPU with its inputs and what it gives for them, so that other native code of its
/// kernels costs no more than a module and its calls: it is given the same inputs and the same output memory.
/// Before a candidate's first call all that forward allocates is filled with poison, what it returns as well as what it
/// keeps between its steps, the L2 cache flushed, and registers and shared memory scrubbed; its outputs are compared on
/// the device, bit by bit, after that call and after one behind all pairs.
class RaceBench {
public:
    /// Takes a run that has finished. Errors: "out_of_memory" for a copy of the outputs, those of the driver.
    static Result<std::unique_ptr<RaceBench>>
    create(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, std::unique_ptr<TimingQueue> queue,
           std::unique_ptr<TimingRun> original, const TimingQueue::Limits& limits);
    ~RaceBench();
    RaceBench(const RaceBench&) = delete;
    RaceBench& operator=(const RaceBench&) = delete;

    /// Empty: candidates can be raced. Else why they have to be run from the beginning, a sentence's end: memory that
    /// is not the run's, outputs that are no plain tensors, results that change from call to call.
    [[nodiscard]] const std::string& whyNot() const { return m_whyNot; }

    /// `slowest`: the candidate's first call is taken for hung after that. Errors: "timeout" (the context is lost
    /// then), those of the driver, of a cubin that it does not load, too.
    Result<RaceResult> race(std::span<const std::byte> cubin, const PairedCalls& how,
                            std::chrono::steady_clock::duration slowest, const TimingQueue::Limits& limits);

    /// Of one call of the original, queued alone.
    [[nodiscard]] std::chrono::steady_clock::duration callTime() const { return m_callTime; }
    [[nodiscard]] const DeviceMonitor* monitor() const { return m_queue->monitor(); }

private:
    RaceBench() = default;
    [[nodiscard]] std::string findWhyNot() const;
    Result<void> keepOutputs(const TimingQueue::Limits& limits);
    Result<void> poison();
    /// One call on poisoned memory, and which of them differ.
    Result<std::string> differenceOf(const TimedReplay& replay, const char* when, const TimingQueue::Limits& limits);

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    std::unique_ptr<TimingRun> m_original;
    std::unique_ptr<TimingQueue> m_queue;
    std::unique_ptr<RaceKernels> m_kernels;
    std::unique_ptr<TimedReplay> m_replay;
    std::vector<TimingRun::Piece> m_outputs;
    Slab m_kept; ///< a counter for each output, a word to scrub with, and the outputs as they should be
    std::uint64_t m_firstKept = 0;
    std::chrono::steady_clock::duration m_callTime{};
    std::string m_whyNot;
};

} // namespace kernelarium::device
