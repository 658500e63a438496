// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Samples.h"
#include "gpu/device/timing/TimingQueue.h"
#include "gpu/device/timing/TimingReplay.h"

#include <functional>
#include <optional>
#include <vector>

namespace kernelarium::device {

/// Takes samples of what a replay queues.
class TimingSampler {
public:
    TimingSampler(TimingQueue& queue, const TimedReplay& replay, TimingQueue::Limits limits)
        : m_queue(queue)
        , m_replay(replay)
        , m_limits(std::move(limits)) {}

    /// A few calls that do not count, until the card has its highest clock. Sets seconds().
    Result<void> warmUp();
    [[nodiscard]] double seconds() const { return m_seconds; } ///< of one call, roughly
    [[nodiscard]] bool fits() const; ///< whether one call can be queued while the stream is held up, as far as is known

    using Early = std::function<void(const std::vector<perf::Sample>& samples)>;
    /// Until the rule is met. `early` is called once on the way, with the least that the rule asks for: these are
    /// queued by themselves, since somebody waits for them.
    Result<std::vector<perf::Sample>> sample(bool cold, const perf::StopRule& rule, double highestClockMHz,
                                             Early early = {});
    /// Median seconds of each step; empty where they are too many to be queued at once.
    Result<std::vector<double>> steps(bool cold);
    /// Of one call, from about a second of calls back to back; empty where energy is not told.
    Result<std::optional<double>> joulesPerCall();
    struct Served {
        std::vector<perf::Sample> latency;
        std::vector<double> service;
    };
    Result<Served> serve(double requestsPerSecond, std::size_t requests, std::uint64_t seed);
    /// Pieces for TimingQueue::measure: so many that they are queued at once and take a quarter of a second at most.
    [[nodiscard]] std::size_t batch() const;
    [[nodiscard]] TimingQueue::Work work() const {
        return [this] { return m_replay.queue(); };
    }

private:
    TimingQueue& m_queue;
    const TimedReplay& m_replay;
    TimingQueue::Limits m_limits;
    /// All pieces, held up together or, where a library's call turns out to be more commands than the driver queues,
    /// one at a time or freely: a sample with this process's own time in it is not kept.
    Result<std::vector<perf::Sample>> measured(bool cold, std::size_t most);

    double m_seconds = 0;
    bool m_singly = false, m_freely = false;
};

} // namespace kernelarium::device
