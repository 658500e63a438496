// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/Ceiling.h"

#include "gpu/device/timing/CeilingKernels.h"
#include "resources/ceilings/Arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kernelarium::device {

namespace {

using ceilings::CeilingArguments;
using Work = CeilingProbe::Work;

constexpr double launchSeconds = 0.003; ///< long against a launch, short against a card's thermal limits
constexpr std::size_t launchesTimed = 16;
constexpr std::uint64_t elementBytes = 16;

/// The device while it is probed.
class ProbeBench {
public:
    ProbeBench(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
               const TimingQueue::Limits& limits)
        : m_context(std::move(context))
        , m_pool(std::move(pool))
        , m_limits(limits) {}
    ~ProbeBench() {
        for (const Slab& slab : {m_in, m_out})
            if (slab.bytes) m_pool->giveBack(slab);
    }
    ProbeBench(const ProbeBench&) = delete;
    ProbeBench& operator=(const ProbeBench&) = delete;

    Result<void> open(const std::vector<CeilingModule>& compiled);
    [[nodiscard]] const TimingQueue& queue() const { return *m_queue; }
    [[nodiscard]] FunctionHandle function(const CeilingProbe& probe) const;
    Result<perf::Ceiling> measure(const CeilingProbe& probe);

private:
    [[nodiscard]] std::uint64_t threadsOf(const CeilingProbe& probe) const {
        return std::uint64_t(probe.blocksPerMultiprocessor) * m_context->info().multiprocessors * probe.threads;
    }
    [[nodiscard]] CeilingArguments argumentsOf(const CeilingProbe& probe) const;
    [[nodiscard]] double workOf(const CeilingProbe& probe, const CeilingArguments& arguments) const;
    Result<std::vector<perf::Sample>> time(const CeilingProbe& probe, const CeilingArguments& arguments,
                                           std::size_t launches);

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    TimingQueue::Limits m_limits;
    std::unique_ptr<TimingQueue> m_queue;
    std::map<std::string, std::unique_ptr<DeviceModule>, std::less<>> m_modules;
    Slab m_in, m_out;
};

Result<void> ProbeBench::open(const std::vector<CeilingModule>& compiled) {
    Result<std::unique_ptr<TimingQueue>> queue = TimingQueue::create(m_context, m_pool);
    if (!queue) return queue.error();
    m_queue = std::move(*queue);
    for (const CeilingModule& module : compiled) {
        Result<std::unique_ptr<DeviceModule>> loaded = DeviceModule::load(m_context, module.cubin, module.ptx);
        if (!loaded) return loaded.error();
        m_modules[module.file] = std::move(*loaded);
    }
    // Far beyond any cache, so that what is left there from before does not count; at most an eighth of what is free.
    const std::uint64_t bytes =
        std::min<std::uint64_t>(8ull << 30, m_pool->capacity() / 8) / elementBytes * elementBytes;
    for (Slab* slab : {&m_in, &m_out}) {
        Result<Slab> taken = m_pool->take(bytes);
        if (!taken) return taken.error();
        *slab = *taken;
        slab->bytes = taken->bytes;
        const DriverStatus filled =
            m_context->api().cuMemsetD32Async(slab->address, 0x3f8ccccd, slab->bytes / 4, nullptr);
        if (auto done = m_context->check(filled, "Filling device memory"); !done) return done;
    }
    return {};
}

FunctionHandle ProbeBench::function(const CeilingProbe& probe) const {
    const auto module = m_modules.find(probe.file);
    return module == m_modules.end() ? nullptr : module->second->function(probe.kernel);
}

CeilingArguments ProbeBench::argumentsOf(const CeilingProbe& probe) const {
    CeilingArguments a;
    a.in = m_in.address;
    a.out = m_out.address;
    a.seed = probe.seed;
    a.factor = probe.factor;
    a.term = probe.term;
    if (probe.work == Work::bytesOnce) a.count = std::min(m_in.bytes, m_out.bytes) / elementBytes;
    if (probe.work == Work::bytesAgain) { // a third of the cache, in whole rounds of four loads of every thread
        const std::uint64_t round = 4 * threadsOf(probe);
        a.count = std::max<std::uint64_t>(1, m_context->info().l2Bytes / 3 / elementBytes / round) * round;
    }
    a.iterations = probe.work == Work::bytesOnce ? 1 : 32;
    return a;
}

double ProbeBench::workOf(const CeilingProbe& probe, const CeilingArguments& a) const {
    if (probe.work == Work::operations) return probe.each * double(threadsOf(probe)) * a.iterations;
    return probe.each * double(a.count) * elementBytes * a.iterations;
}

Result<std::vector<perf::Sample>> ProbeBench::time(const CeilingProbe& probe, const CeilingArguments& arguments,
                                                   std::size_t launches) {
    const FunctionHandle kernel = function(probe);
    const unsigned blocks = probe.blocksPerMultiprocessor * m_context->info().multiprocessors;
    const TimingQueue::Work one = [&]() -> Result<void> {
        CeilingArguments copy = arguments;
        void* parameters[] = {&copy};
        const DriverStatus status =
            m_context->api().cuLaunchKernel(kernel, blocks, 1, 1, probe.threads, 1, 1, 0, nullptr, parameters, nullptr);
        return m_context->check(status, fmt::format("Launching {}", probe.kernel));
    };
    const std::vector<TimingQueue::Work> pieces(launches, one);
    return m_queue->measure(pieces, {.cold = false, .held = true}, m_limits);
}

Result<perf::Ceiling> ProbeBench::measure(const CeilingProbe& probe) {
    CeilingArguments arguments = argumentsOf(probe);
    Result<std::vector<perf::Sample>> first = time(probe, arguments, 2);
    if (!first) return first.error();
    const double seconds = std::max(1e-6, first->back().seconds);
    if (probe.work != Work::bytesOnce)
        arguments.iterations = std::uint32_t(std::clamp(arguments.iterations * launchSeconds / seconds, 1.0, 1e8));
    Result<std::vector<perf::Sample>> samples = time(probe, arguments, launchesTimed);
    if (!samples) return samples.error();
    const auto best = std::min_element(samples->begin(), samples->end(),
                                       [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    if (!(best->seconds > 0)) return Error{"device", fmt::format("The GPU gave no time for {}.", probe.kernel)};
    return perf::Ceiling{std::string(probe.key), workOf(probe, arguments) / best->seconds, best->clockMHz,
                         std::string(probe.method)};
}

void keepBetter(perf::MeasuredCeilings& measured, perf::Ceiling ceiling) {
    for (perf::Ceiling& known : measured.ceilings) {
        if (known.key != ceiling.key) continue;
        if (ceiling.rate > known.rate) known = std::move(ceiling);
        return;
    }
    measured.ceilings.push_back(std::move(ceiling));
}

} // namespace

Result<perf::MeasuredCeilings> measureCeilings(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                               const compile::Toolkit& toolkit, const TimingQueue::Limits& limits,
                                               const std::function<void(const std::string& stage)>& progress) {
    const auto begin = std::chrono::steady_clock::now();
    if (context->isLost()) return context->lostError();
    if (Result<void> current = context->makeCurrent(); !current) return current.error();
    progress("compile");
    const Result<std::vector<CeilingModule>> compiled =
        compileCeilings(toolkit, context->info().major, context->info().minor);
    if (!compiled) return compiled.error();
    ProbeBench bench(context, pool, limits);
    if (Result<void> opened = bench.open(*compiled); !opened) return opened.error();
    perf::MeasuredCeilings measured;
    measured.device = context->info().name;
    measured.arch = context->info().arch();
    measured.highestClockMHz = bench.queue().highestClockMHz();
    const DeviceMonitor* monitor = bench.queue().monitor();
    measured.driver = monitor ? monitor->driverVersion() : std::string();
    if (measured.driver.empty()) measured.driver = context->info().driver;
    if (!monitor) measured.remarks.push_back(bench.queue().whyNoMonitor());
    for (const CeilingProbe& probe : ceilingProbes()) {
        if (limits.stop.stop_requested()) return Error{"cancelled", "Cancelled."};
        if (!bench.function(probe)) continue; // another probe of the key has it, or the device does not: see below
        progress(std::string(perf::ceilingName(probe.key)));
        Result<perf::Ceiling> ceiling = bench.measure(probe);
        if (!ceiling) return ceiling.error();
        keepBetter(measured, std::move(*ceiling));
    }
    for (const CeilingProbe& probe : ceilingProbes())
        if (!measured.find(probe.key)) {
            const std::string text =
                fmt::format("{}: {} has no such instructions.", perf::ceilingName(probe.key), measured.arch);
            if (std::find(measured.remarks.begin(), measured.remarks.end(), text) == measured.remarks.end())
                measured.remarks.push_back(text);
        }
    measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return measured;
}

} // namespace kernelarium::device
