// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "core/perf/Samples.h"
#include "gpu/device/timing/RaceBench.h"
#include "gpu/device/timing/TimingQueue.h"
#include "gpu/device/timing/TimingRun.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::device {

/// cold: every call finds an L2 cache without its operands. hot: calls run back to back. server: requests come at
/// random times of a given rate (exponential gaps), find a cold cache, and wait for those before them.
enum class TimingMode { cold, hot, server };

/// What is called, and how its time is taken.
struct TimingRequest {
    TimingMode mode = TimingMode::cold;
    double requestsPerSecond = 100; ///< of `server`
    std::size_t requests = 300;     ///< of `server`
    /// forward's arguments, drawn from a seed; the same shapes for every seed.
    std::function<std::vector<tensor::Value>(std::uint64_t seed)> arguments;
    verify::OutputArguments outputs; ///< of each call
    std::uint64_t seed = 1;
    perf::StopRule stop;
    bool energy = true;                         ///< of a call, through a second of calls back to back
    std::chrono::milliseconds timeLimit{60000}; ///< of everything
    std::stop_token stopToken;
    std::function<void(const std::string& stage)> progress;
    /// Called once by time(), for work of the device alone (not `server`), with the fewest samples that `stop`
    /// asks for: enough for somebody who waits to see what the rest only refines.
    std::function<void(const std::vector<perf::Sample>& samples, double highestClockMHz)> early;
};

/// One thing that forward has the device do, timed by itself between events (which add a microsecond or so).
struct StepTime {
    std::string name; ///< of a kernel, demangled; else "copy of 4096 bytes"
    bool isKernel = false;
    std::array<std::uint32_t, 3> grid{}, block{};
    double seconds = 0; ///< median
};

/// What timing a kernel gave. Seconds.
struct TimingResult {
    verify::RunEnd end = verify::RunEnd::finished; ///< of forward; anything else leaves no samples
    std::string reason;
    /// Whether samples are of device work alone; else they contain host code, which is interpreted here.
    bool deviceOnly = true;
    std::vector<perf::Sample> samples;  ///< of whole calls; in server mode from a request's arrival to its completion
    std::vector<double> serviceSeconds; ///< in server mode: of the device work of each request
    std::vector<StepTime> steps;
    double highestClockMHz = 0;
    std::uint64_t peakBytes = 0;         ///< of device memory, arguments and outputs included
    std::optional<double> joulesPerCall; ///< of the whole card, back to back; idle power included
    /// Output elements that were compared between a queued call and a fresh one with the same new inputs, and how many
    /// differ: a kernel that gives remembered results shows there.
    std::size_t comparedElements = 0;
    std::size_t differingElements = 0;
    std::vector<std::string> remarks; ///< a sentence each
};

/// What compare() does beside taking pairs for a while.
struct PairedRule {
    /// Whether one more pair is wanted; none: as long as the request's samples take.
    std::function<bool(std::span<const perf::TimedPair>)> another = {};
    bool sameBits = false; ///< the outputs of both are compared, of their first calls and as they lie after the last
    /// The second kernel runs first, and the first one's first calls are taken for hung after so many times as long,
    /// and two seconds. 0: both have what the request has.
    double timesSlower = 0;
};

/// What timing two kernels in turn gave.
struct PairedResult {
    verify::RunEnd end = verify::RunEnd::finished;
    std::string reason; ///< names which of the two
    bool endedInSecond = false;
    std::string difference; ///< of the outputs' bits; empty: none, or nobody asked
    std::vector<perf::TimedPair> pairs;
};

/// A bench for races, or how forward ended that was to be raced against.
struct MadeBench {
    std::unique_ptr<RaceBench> bench; ///< null: forward did not finish
    verify::RunEnd end = verify::RunEnd::finished;
    std::string reason;
};

/// Times whole calls of forward on a GPU. Host code is interpreted once for a set of inputs; the device
/// work that it asked for is then queued again for every sample, so that the interpreter's time is not in it. Inputs
/// and addresses change half way.
class KernelTimer {
public:
    /// `spare`: where a queue rests between timings, since making one takes tens of milliseconds; it outlives the
    /// timer. Null: each timing makes its own.
    KernelTimer(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, CudaSettings settings,
                std::unique_ptr<TimingQueue>* spare = nullptr)
        : m_context(std::move(context))
        , m_pool(std::move(pool))
        , m_settings(settings)
        , m_spare(spare) {}

    /// Errors: "unsupported" (forward computes with library operators, which run on this machine's processor here),
    /// "out_of_memory", "timeout", "cancelled", those of the driver.
    Result<TimingResult> time(const CudaProgram& program, const TimingRequest& request);
    /// A/B, B/A, A/B, ... in request.mode, of which server counts as cold. Errors: as of time(), and "unsupported"
    /// where one of the two cannot be queued again.
    Result<PairedResult> compare(const CudaProgram& first, const CudaProgram& second, const TimingRequest& request,
                                 const PairedRule& rule = {});
    /// Runs forward once on request's inputs and keeps it for races. Errors: as of time(), and of RaceBench::create.
    Result<MadeBench> bench(const CudaProgram& program, const TimingRequest& request);

    /// Of the GPU's management library, after a timing; empty where it is not there.
    [[nodiscard]] const std::string& driverVersion() const { return m_driverVersion; }

private:
    struct Job;
    Result<void> open(Job& job, const TimingRequest& request);
    Result<std::unique_ptr<TimingQueue>> takeQueue();
    Result<std::unique_ptr<TimingRun>> run(const CudaProgram& program, Job& job, std::uint64_t seed,
                                           std::uint64_t addresses);
    Result<void> timeRound(const CudaProgram& program, Job& job, std::uint64_t round);
    Result<void> timeCalls(const CudaProgram& program, Job& job, std::unique_ptr<TimingRun> first);
    Result<void> checkNewValues(Job& job, TimingRun& run, const TimedReplay& replay, std::uint64_t nextSeed);
    void describe(Job& job, const TimingRun& run) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    CudaSettings m_settings;
    std::unique_ptr<TimingQueue>* m_spare;
    std::string m_driverVersion;
};

} // namespace kernelarium::device
