// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Samples.h"
#include "gpu/device/driver/DeviceEvent.h"
#include "gpu/device/driver/DeviceModule.h"
#include "gpu/device/memory/DevicePool.h"
#include "gpu/device/timing/TimingMonitor.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace kernelarium::device {

/// Times pieces of work on the default stream by events, with this process's own time kept out: a kernel that waits for
/// a flag holds the stream up while everything is queued behind it, and is let go when all is there. It gives up by
/// itself after `patience`, so that nothing can hang on it.
class TimingQueue {
public:
    static constexpr std::chrono::milliseconds patience{500};
    /// Commands that are queued at once; drivers hold about a thousand before a launch waits.
    static constexpr std::size_t commandsAtOnce = 600;

    /// Errors: "out_of_memory" for the buffer that flushes the cache, those of the driver.
    static Result<std::unique_ptr<TimingQueue>> create(std::shared_ptr<DeviceContext> context,
                                                       std::shared_ptr<DevicePool> pool);
    /// Gives back the buffer that flushes the cache, until it is woken; nothing may be queued. Errors: as of create().
    void rest();
    Result<void> wake();
    ~TimingQueue();
    TimingQueue(const TimingQueue&) = delete;
    TimingQueue& operator=(const TimingQueue&) = delete;

    using Work = std::function<Result<void>()>; ///< queues something; held work never waits
    struct Limits {
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
        std::stop_token stop;
    };

    struct Style {
        bool cold = true;  ///< what a piece may find in the L2 cache is pushed out before by writing twice its size
        bool held = true;  ///< false for work of more commands than are queued at once: it runs as it comes
        bool clock = true; ///< whether it is read: asking takes a while
    };
    /// One sample for each piece, in order, all queued at once. The clock is read while they run. Errors: "timeout" and
    /// "cancelled" (the context is lost then), those of the driver.
    Result<std::vector<perf::Sample>> measure(std::span<const Work> pieces, Style style, const Limits& limits);
    /// The same for one piece that is given a `mark` to call: seconds between marks, the first from the beginning.
    using MarkedWork = std::function<Result<void>(const std::function<Result<void>()>& mark)>;
    Result<std::vector<double>> measureMarks(const MarkedWork& work, Style style, const Limits& limits);

    Result<void> flush(); ///< queues the cache's flush by itself
    /// Waits for all that is queued. Errors as of measure().
    Result<void> drain(const Limits& limits);

    /// How often the flag came too late: those samples contain time of this process.
    [[nodiscard]] std::size_t late() const { return m_late; }
    [[nodiscard]] const DeviceMonitor* monitor() const { return m_monitor.get(); } ///< null: why is in whyNoMonitor()
    [[nodiscard]] const std::string& whyNoMonitor() const { return m_whyNoMonitor; }
    [[nodiscard]] double highestClockMHz() const; ///< 0: not known
    [[nodiscard]] std::uint64_t flushBytes() const { return m_flushBytes; }

private:
    TimingQueue() = default;
    Result<void> prepare();
    Result<void> hold();
    void letGo();
    Result<void> record(std::size_t index);
    [[nodiscard]] double between(std::size_t from, std::size_t to) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    std::unique_ptr<DeviceModule> m_module;
    std::unique_ptr<DeviceMonitor> m_monitor;
    std::string m_whyNoMonitor;
    std::vector<std::unique_ptr<DeviceEvent>> m_events;
    Slab m_flush;
    std::uint64_t m_flushBytes = 0;
    volatile std::uint32_t* m_flag = nullptr; ///< two words that the GPU sees: go, gave up
    std::size_t m_late = 0;
};

/// The kernel that waits, for whoever wants to know that it assembles.
[[nodiscard]] const char* waitingKernelPtx();

} // namespace kernelarium::device
