// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of ProductBench: whether a result is right, and samples of the four modes.
#include "gpu/device/driver/KernelStart.h"
#include "gpu/device/hgemm/ProductBench.h"
#include "gpu/device/timing/TimingReplay.h"
#include "gpu/device/timing/TimingSampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace kernelarium::device {

namespace {

using WallClock = std::chrono::steady_clock;

constexpr std::uint16_t poison = 0xfdfd; ///< a NaN
constexpr int samplesJudged = 4096;
/// Of what a partial sum rounds by for each 16 elements of k. Hopper's tensor cores align 16 products and the sum to
/// the largest and cut off two bits below float32's last one: 17 times 2^-25 of it at most. Sums in float16 round once.
constexpr float unitOfFloat = 0x1p-20f, unitOfHalf = 0x1p-10f;

struct JudgedProduct {
    std::uint32_t wrong = 0, unwritten = 0, worst = 0, prefix = 0;
};

double wallSecondsSince(WallClock::time_point begin) {
    return std::chrono::duration<double>(WallClock::now() - begin).count();
}

} // namespace

Result<hgemm::Check> ProductBench::check(const Work& work, bool halfSums, const TimingQueue::Limits& limits) {
    const Result<const DeviceModule*> checks = m_kernels->checks();
    if (!checks) return checks.error();
    const DriverApi& api = m_context->api();
    const std::int64_t count = m_shape.m * m_shape.n;
    hgemm::Check out;
    const auto judged = [&](const char* kernel, std::uint32_t blocks, void** parameters) -> Result<JudgedProduct> {
        KernelStart how;
        how.grid = {blocks, 1, 1};
        how.block = {128, 1, 1};
        Result<void> done = m_context->check(
            api.cuMemsetD32Async(m_judged.address, 0, sizeof(JudgedProduct) / 4, nullptr), "Clearing a verdict");
        if (done)
            done = m_context->check(startKernel(api, (*checks)->function(kernel), how, nullptr, parameters),
                                    "Judging a product");
        if (done) done = m_queue->drain(limits);
        JudgedProduct found;
        if (done)
            done = m_context->check(api.cuMemcpyDtoH(&found, m_judged.address, sizeof found), "Reading a verdict");
        if (!done) return done.error();
        return found;
    };
    const auto run = [&](const Work& one) -> Result<void> {
        const std::uint32_t word = std::uint32_t(poison) << 16 | poison;
        Result<void> done = m_context->check(
            api.cuMemsetD32Async(m_c.address, word, std::size_t((count + 1) / 2), nullptr), "Filling with poison");
        if (done) done = one();
        if (done) done = m_queue->drain(limits);
        return done;
    };
    if (Result<void> ran = run(work); !ran) return ran.error();
    float unit = halfSums ? unitOfHalf : unitOfFloat;
    long long m = m_shape.m, n = m_shape.n, k = m_shape.k, elements = count;
    int samples = samplesJudged;
    std::uint32_t seed = 7;
    void* judging[] = {&m_a.address, &m_bTn.address, &m_c.address, &m,    &n,
                       &k,           &unit,          &samples,     &seed, &m_judged.address};
    const Result<JudgedProduct> sampled = judged("judge", samplesJudged / 128, judging);
    if (!sampled) return sampled.error();
    out.samples = samplesJudged;
    out.wrong = sampled->wrong;
    out.worst = double(std::bit_cast<float>(sampled->worst));
    m_prefix = std::max(m_prefix, double(std::bit_cast<float>(sampled->prefix)));
    // The whole against the library's, which is judged itself whenever it is a subject.
    if (!m_vendors->cublasLt()) return out;
    operators::MatrixProduct product = productOf(hgemm::Layout::tn);
    product.c = m_other.address;
    const auto plan = CublasLt::prepare(m_vendors->cublasLt(), product, 1);
    if (!plan) return plan.error();
    if (Result<void> queued = (*plan)->queue(); !queued) return queued.error();
    float relative = 0x1p-10f, absolute = float(2.0 * double(k / 16 + 9) * unit * (1.5 * m_prefix + 1) + 1.2e-7);
    unsigned short before = poison;
    void* comparing[] = {&m_c.address, &m_other.address, &elements, &before, &relative, &absolute, &m_judged.address};
    const Result<JudgedProduct> whole = judged("compare", m_context->info().multiprocessors * 8, comparing);
    if (!whole) return whole.error();
    out.elements = std::uint64_t(count);
    out.differing = whole->wrong;
    out.unwritten = whole->unwritten;
    return out;
}

/// In turn, beginning with another one each time. Hot, a sample is the mean of as many calls back to back as take 30 us
/// and more, since two events stand a microsecond or two apart by themselves.
Result<void> ProductBench::sampleDevice(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                                        const TimingQueue::Limits& limits) {
    const bool cold = request.mode == hgemm::Mode::cold;
    constexpr double longEnough = 30e-6;
    constexpr std::size_t mostCalls = 32;
    const std::size_t room = TimingQueue::commandsAtOnce / 2 / contenders.size();
    std::vector<std::size_t> calls;
    for (const Contender& c : contenders)
        calls.push_back(cold ? 1
                             : std::clamp<std::size_t>(std::size_t(std::ceil(longEnough / std::max(c.seconds, 1e-7))),
                                                       1, std::clamp<std::size_t>(room, 1, mostCalls)));
    const WallClock::time_point begin = WallClock::now();
    for (std::size_t round = 0;
         round <= request.stop.least || !allQuiet(contenders, request.stop, wallSecondsSince(begin)); ++round) {
        std::vector<Work> pieces;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            const std::size_t which = (i + round) % contenders.size();
            order.push_back(which);
            pieces.emplace_back([&work = contenders[which].work, times = calls[which]]() -> Result<void> {
                for (std::size_t call = 0; call < times; ++call)
                    if (Result<void> queued = work(); !queued) return queued;
                return {};
            });
        }
        const auto samples = m_queue->measure(pieces, {.cold = cold, .clock = round % 8 == 0}, limits);
        if (!samples) return samples.error();
        if (round == 0) continue; // they come from elsewhere
        for (std::size_t i = 0; i < order.size(); ++i)
            contenders[order[i]].samples.push_back(
                {(*samples)[i].seconds / double(calls[order[i]]), (*samples)[i].clockMHz});
    }
    return {};
}

Result<void> ProductBench::sampleOffline(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                                         const TimingQueue::Limits& limits) {
    std::mt19937 random(1);
    std::vector<std::size_t> order(contenders.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const WallClock::time_point begin = WallClock::now();
    for (std::size_t round = 0;
         round <= request.stop.least || !allQuiet(contenders, request.stop, wallSecondsSince(begin)); ++round) {
        std::shuffle(order.begin(), order.end(), random);
        const double clock = round % 16 == 1 && m_queue->monitor() ? m_queue->monitor()->clockMHz() : 0;
        for (const std::size_t which : order) {
            if (limits.stop.stop_requested()) return Error{"cancelled", "Cancelled."};
            const WallClock::time_point called = WallClock::now();
            if (Result<void> queued = contenders[which].work(); !queued) return queued;
            const DriverStatus ended = m_context->api().cuCtxSynchronize();
            const double seconds = wallSecondsSince(called);
            if (Result<void> done = m_context->check(ended, "Waiting for a product"); !done) return done;
            if (round > 0) contenders[which].samples.push_back({seconds, clock});
        }
    }
    return {};
}

Result<void> ProductBench::sampleServer(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                                        const TimingQueue::Limits& limits) {
    std::uint64_t seed = 1;
    for (Contender& c : contenders) {
        const auto replay = TimedReplay::ofWork(m_context, "product", c.work);
        TimingSampler sampler(*m_queue, *replay, limits);
        if (Result<void> warm = sampler.warmUp(); !warm) return warm;
        auto served = sampler.serve(request.requestsPerSecond, request.requests, seed);
        if (!served) return served.error();
        c.samples = std::move(served->latency);
    }
    return {};
}

} // namespace kernelarium::device
