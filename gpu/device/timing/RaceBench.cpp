// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/RaceBench.h"

#include "core/verify/Poison.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t alignment = 256; // of what lies in one slab
constexpr std::uint64_t wordBytes = 4;

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

RaceBench::~RaceBench() {
    if (m_kept.bytes) m_pool->giveBack(m_kept);
}

Result<std::unique_ptr<RaceBench>> RaceBench::create(std::shared_ptr<DeviceContext> context,
                                                     std::shared_ptr<DevicePool> pool,
                                                     std::unique_ptr<TimingQueue> queue,
                                                     std::unique_ptr<TimingRun> original,
                                                     const TimingQueue::Limits& limits) {
    std::unique_ptr<RaceBench> bench(new RaceBench);
    bench->m_context = std::move(context);
    bench->m_pool = std::move(pool);
    bench->m_queue = std::move(queue);
    bench->m_original = std::move(original);
    bench->m_whyNot = bench->findWhyNot();
    if (!bench->m_whyNot.empty()) return bench;
    bench->m_outputs = *bench->m_original->outputPieces();
    Result<std::unique_ptr<TimedReplay>> replay = bench->m_original->replay();
    if (!replay) return replay.error();
    bench->m_replay = std::move(*replay);
    Result<std::unique_ptr<RaceKernels>> kernels = RaceKernels::load(bench->m_context);
    if (!kernels) return kernels.error();
    bench->m_kernels = std::move(*kernels);
    if (Result<void> kept = bench->keepOutputs(limits); !kept) return kept.error();
    return bench;
}

std::string RaceBench::findWhyNot() const {
    if (std::string why = m_original->whyNotReplayed(); !why.empty()) return why;
    if (std::string why = m_original->whyNotExchanged(); !why.empty()) return why;
    const std::optional<std::vector<TimingRun::Piece>> outputs = m_original->outputPieces();
    if (!outputs || outputs->empty()) return "its outputs do not all lie densely in device memory";
    for (const TimingRun::Piece& output : *outputs) {
        if (output.address % wordBytes != 0) return "an output does not begin at a whole word";
        for (const TimedTrace::Place& input : m_original->trace().before)
            if (output.address < input.address + input.bytes && input.address < output.address + output.bytes)
                return "it writes its results where an argument lies";
        const auto& made = m_original->trace().allocated;
        if (std::none_of(made.begin(), made.end(), [&](const TimedTrace::Place& place) {
                return place.address <= output.address && output.address + output.bytes <= place.address + place.bytes;
            }))
            return "an output is not of its own memory";
    }
    return {};
}

/// What the first call gave, which further ones have to give as well.
Result<void> RaceBench::keepOutputs(const TimingQueue::Limits& limits) {
    std::uint64_t bytes = aligned((m_outputs.size() + 1) * wordBytes);
    m_firstKept = bytes;
    for (const TimingRun::Piece& output : m_outputs)
        bytes += aligned(output.bytes);
    Result<Slab> slab = m_pool->take(bytes);
    if (!slab) return slab.error();
    m_kept = *slab;
    const DriverApi& api = m_context->api();
    Result<void> done =
        m_context->check(api.cuMemsetD32Async(m_kept.address, verify::firstPoison, m_firstKept / wordBytes, nullptr),
                         "Preparing a race");
    std::uint64_t at = m_kept.address + m_firstKept;
    for (const TimingRun::Piece& output : m_outputs) {
        if (done)
            done = m_context->check(api.cuMemcpyDtoDAsync(at, output.address, output.bytes, nullptr),
                                    "Copying an output on the device");
        at += aligned(output.bytes);
    }
    if (done) done = m_queue->drain(limits);
    if (!done) return done;
    // The driver may still have something to load, so that the first call's time is not taken.
    for (int call = 0; call < 3; ++call) {
        const Clock::time_point began = Clock::now();
        const Result<std::string> difference = differenceOf(*m_replay, "", limits);
        if (!difference) return difference.error();
        m_callTime = Clock::now() - began;
        if (!difference->empty()) {
            m_whyNot = "its results change from call to call";
            return {};
        }
    }
    return {};
}

Result<void> RaceBench::poison() {
    const DriverApi& api = m_context->api();
    for (const TimedTrace::Place& place : m_original->trace().allocated) {
        const std::uint64_t words = place.bytes / wordBytes, rest = place.bytes % wordBytes;
        DriverStatus status = driverSuccess;
        if (words) status = api.cuMemsetD32Async(place.address, verify::firstPoison, words, nullptr);
        if (rest && status == driverSuccess)
            status = api.cuMemsetD8Async(place.address + words * wordBytes, 0xff, rest, nullptr);
        if (Result<void> filled = m_context->check(status, "Poisoning what forward allocates"); !filled) return filled;
    }
    return {};
}

Result<std::string> RaceBench::differenceOf(const TimedReplay& replay, const char* when,
                                            const TimingQueue::Limits& limits) {
    const DriverApi& api = m_context->api();
    const std::size_t count = m_outputs.size();
    Result<void> done = poison();
    if (done) done = m_context->check(api.cuMemsetD32Async(m_kept.address, 0, count, nullptr), "Clearing counters");
    if (done) done = m_queue->flush(); // first: it may be a kernel of the driver's
    if (done) done = m_kernels->scrub(m_kept.address + count * wordBytes);
    if (done) done = replay.queue();
    std::uint64_t at = m_kept.address + m_firstKept;
    for (std::size_t i = 0; i < count; ++i) {
        if (done)
            done =
                m_kernels->countDifferent(m_outputs[i].address, at, m_outputs[i].bytes, m_kept.address + i * wordBytes);
        at += aligned(m_outputs[i].bytes);
    }
    if (done) done = m_queue->drain(limits);
    if (!done) return done.error();
    std::vector<std::uint32_t> differing(count);
    if (Result<void> read =
            m_context->check(api.cuMemcpyDtoH(differing.data(), m_kept.address, count * wordBytes), "Reading counters");
        !read)
        return read.error();
    for (std::size_t i = 0; i < count; ++i)
        if (differing[i])
            return fmt::format("output {} differs {}, in {} of {} words", i, when, differing[i],
                               (m_outputs[i].bytes + wordBytes - 1) / wordBytes);
    return std::string();
}

Result<RaceResult> RaceBench::race(std::span<const std::byte> cubin, const PairedCalls& how, Clock::duration slowest,
                                   const TimingQueue::Limits& limits) {
    // Without PTX: what the driver would compile of that is not the candidate.
    Result<std::unique_ptr<DeviceModule>> module = DeviceModule::load(m_context, cubin, {});
    if (!module) return module.error();
    Result<std::unique_ptr<TimedReplay>> replay = m_original->replayWith(**module);
    if (!replay) return replay.error();
    RaceResult out;
    TimingQueue::Limits first = limits;
    first.deadline = std::min(limits.deadline, Clock::now() + slowest);
    Result<std::string> difference = differenceOf(**replay, "after its first call", first);
    if (!difference) return difference.error();
    out.difference = std::move(*difference);
    if (!out.difference.empty()) return out;
    Result<std::vector<perf::TimedPair>> pairs = takePairs(*m_queue, **replay, *m_replay, how, limits);
    if (!pairs) return pairs.error();
    out.pairs = std::move(*pairs);
    difference = differenceOf(**replay, "after its last call", limits);
    if (!difference) return difference.error();
    out.difference = std::move(*difference);
    return out;
}

} // namespace kernelarium::device
