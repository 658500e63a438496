// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingQueue.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace kernelarium::device {

namespace {

using Clock = std::chrono::steady_clock;

// One thread: until the first word is set, or the time is over, which the second word then says.
constexpr const char* waitingKernel = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry kl_wait(.param .u64 flag, .param .u64 nanoseconds)
{
    .reg .pred %p<3>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [flag];
    ld.param.u64 %rd2, [nanoseconds];
    mov.u64 %rd3, %globaltimer;
    add.u64 %rd3, %rd3, %rd2;
LOOK:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra GO;
    mov.u64 %rd4, %globaltimer;
    setp.lt.u64 %p2, %rd4, %rd3;
    @%p2 bra LOOK;
    mov.u32 %r2, 1;
    st.volatile.global.u32 [%rd1+4], %r2;
GO:
    ret;
}
)";

} // namespace

const char* waitingKernelPtx() {
    return waitingKernel;
}

Result<std::unique_ptr<TimingQueue>> TimingQueue::create(std::shared_ptr<DeviceContext> context,
                                                         std::shared_ptr<DevicePool> pool) {
    std::unique_ptr<TimingQueue> queue(new TimingQueue);
    queue->m_context = std::move(context);
    queue->m_pool = std::move(pool);
    if (Result<void> prepared = queue->prepare(); !prepared) return prepared.error();
    return queue;
}

Result<void> TimingQueue::prepare() {
    Result<std::unique_ptr<DeviceModule>> module = DeviceModule::load(m_context, {}, waitingKernel);
    if (!module) return module.error();
    m_module = std::move(*module);
    void* flag = nullptr;
    const DriverStatus status = m_context->api().cuMemAllocHost(&flag, 2 * sizeof(std::uint32_t));
    if (auto made = m_context->check(status, "Allocating pinned memory"); !made) return made;
    m_flag = static_cast<volatile std::uint32_t*>(flag);
    m_flushBytes = std::max<std::uint64_t>(2 * m_context->info().l2Bytes, 32ull << 20);
    if (Result<void> awake = wake(); !awake) return awake;
    Result<std::unique_ptr<DeviceMonitor>> monitor = DeviceMonitor::open(*m_context);
    if (monitor)
        m_monitor = std::move(*monitor);
    else
        m_whyNoMonitor = monitor.error().text();
    // What the driver loads at first use would otherwise be loaded behind the kernel that waits, and wait for it.
    if (Result<void> flushed = flush(); !flushed) return flushed;
    if (Result<void> held = hold(); !held) return held;
    letGo();
    return drain({});
}

void TimingQueue::rest() {
    if (m_flush.bytes) m_pool->giveBack(m_flush);
    m_flush = {};
}

Result<void> TimingQueue::wake() {
    if (m_flush.bytes) return {};
    Result<Slab> slab = m_pool->take(m_flushBytes);
    if (!slab) return slab.error();
    m_flush = *slab;
    return {};
}

TimingQueue::~TimingQueue() {
    rest();
    if (m_flag && !m_context->isLost()) m_context->api().cuMemFreeHost(const_cast<std::uint32_t*>(m_flag));
}

double TimingQueue::highestClockMHz() const {
    const double told = m_monitor ? m_monitor->highestClockMHz() : 0;
    return told > 0 ? told : m_context->info().clockKHz / 1000.0;
}

Result<void> TimingQueue::hold() {
    m_flag[0] = 0;
    m_flag[1] = 0;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::uint64_t address = reinterpret_cast<std::uintptr_t>(m_flag);
    std::uint64_t nanoseconds = std::chrono::nanoseconds(patience).count();
    void* parameters[] = {&address, &nanoseconds};
    const FunctionHandle function = m_module->function("kl_wait");
    if (!function) return Error{"internal", "The kernel that holds the stream up was not loaded."};
    return m_context->check(
        m_context->api().cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr),
        "Launching the kernel that holds the stream up");
}

void TimingQueue::letGo() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (m_flag[1] != 0) ++m_late;
    m_flag[0] = 1;
}

Result<void> TimingQueue::flush() {
    return m_context->check(m_context->api().cuMemsetD32Async(m_flush.address, 0x5eed, m_flushBytes / 4, nullptr),
                            "Flushing the L2 cache");
}

Result<void> TimingQueue::record(std::size_t index) {
    while (m_events.size() <= index)
        m_events.push_back(std::make_unique<DeviceEvent>(*m_context));
    DeviceEvent& event = *m_events[index];
    if (event.record()) return {};
    return m_context->check(event.status() == driverSuccess ? driverInvalidValue : event.status(),
                            "Recording an event");
}

double TimingQueue::between(std::size_t from, std::size_t to) const {
    return DeviceEvent::secondsBetween(*m_events[from], *m_events[to]);
}

Result<void> TimingQueue::drain(const Limits& limits) {
    constexpr std::size_t last = 0; // an event that nothing else uses
    if (Result<void> recorded = record(last); !recorded) return recorded;
    const Clock::time_point begin = Clock::now();
    for (;;) {
        const DriverStatus status = m_context->api().cuEventQuery(m_events[last]->handle());
        if (status != driverNotReady) return m_context->check(status, "Running the kernel that is timed");
        const Clock::time_point now = Clock::now();
        const bool stopped = limits.stop.stop_requested();
        if (stopped || now > limits.deadline) {
            m_context->lose("a kernel was still running when its timing ended, and a GPU cannot be told to stop one");
            if (stopped) return Error{"cancelled", "Cancelled."};
            return Error{"timeout", "The kernel was still running when the time limit was reached.",
                         "Give it more with --time-limit."};
        }
        if (now - begin > std::chrono::milliseconds(1)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

Result<std::vector<perf::Sample>> TimingQueue::measure(std::span<const Work> pieces, Style style,
                                                       const Limits& limits) {
    Result<void> queued = style.held ? hold() : Result<void>();
    for (std::size_t i = 0; i < pieces.size() && queued; ++i) {
        if (style.cold) queued = flush();
        if (queued) queued = record(1 + 2 * i);
        if (queued) queued = pieces[i]();
        if (queued) queued = record(2 + 2 * i);
    }
    if (style.held) letGo();
    const double clock = style.clock && m_monitor ? m_monitor->clockMHz() : 0;
    if (!queued) return queued.error();
    if (Result<void> drained = drain(limits); !drained) return drained.error();
    std::vector<perf::Sample> samples;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        samples.push_back({between(1 + 2 * i, 2 + 2 * i), clock});
    return samples;
}

Result<std::vector<double>> TimingQueue::measureMarks(const MarkedWork& work, Style style, const Limits& limits) {
    if (Result<void> held = style.held ? hold() : Result<void>(); !held) return held.error();
    std::size_t marks = 0;
    Result<void> queued = style.cold ? flush() : Result<void>();
    if (queued) queued = record(1);
    if (queued) queued = work([&] { return record(1 + ++marks); });
    if (style.held) letGo();
    if (!queued) return queued.error();
    if (Result<void> drained = drain(limits); !drained) return drained.error();
    std::vector<double> seconds;
    for (std::size_t i = 1; i <= marks; ++i)
        seconds.push_back(between(i, i + 1));
    return seconds;
}

} // namespace kernelarium::device
