// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/hgemm/ProductBench.h"

#include "core/hgemm/family/Launch.h"
#include "gpu/device/driver/KernelStart.h"
#include "gpu/device/timing/TimingReplay.h"
#include "gpu/device/timing/TimingSampling.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::device {

namespace {

constexpr int halfMap = 6, swizzle128 = 3, promote256 = 3; ///< CUtensorMapDataType, ...Swizzle, ...L2promotion
constexpr std::uint32_t seedA = 1, seedB = 2;

struct alignas(64) TensorMapBytes {
    std::array<std::byte, 128> bytes{};
};

/// FamilyArguments of a family kernel, kept where the launch points at them.
struct FamilyArguments {
    std::array<TensorMapBytes, 3> maps;
    std::uint64_t a = 0, b = 0, c = 0, partial = 0;
    int rows = 0, columns = 0, k = 0, items = 0;
};

} // namespace

Result<std::unique_ptr<ProductBench>> ProductBench::open(std::shared_ptr<DeviceContext> context,
                                                         std::shared_ptr<DevicePool> pool,
                                                         std::shared_ptr<VendorOperators> vendors,
                                                         const compile::Toolkit& toolkit) {
    std::unique_ptr<ProductBench> made(new ProductBench);
    if (Result<void> current = context->makeCurrent(); !current) return current.error();
    Result<std::unique_ptr<FamilyKernels>> kernels = FamilyKernels::open(context, toolkit);
    if (!kernels) return kernels.error();
    Result<std::unique_ptr<TimingQueue>> queue = TimingQueue::create(context, pool);
    if (!queue) return queue.error();
    made->m_context = std::move(context);
    made->m_pool = std::move(pool);
    made->m_vendors = std::move(vendors);
    made->m_kernels = std::move(*kernels);
    made->m_queue = std::move(*queue);
    return made;
}

ProductBench::~ProductBench() {
    giveBack();
}

void ProductBench::giveBack() {
    for (Slab* slab : {&m_a, &m_bTn, &m_bNn, &m_c, &m_other, &m_partial, &m_judged}) {
        if (slab->bytes) m_pool->giveBack(*slab);
        *slab = {};
    }
    m_shape = {};
}

Result<void> ProductBench::fill(std::uint64_t address, std::int64_t rows, std::int64_t columns, bool turned,
                                unsigned seed) {
    const Result<const DeviceModule*> checks = m_kernels->checks();
    if (!checks) return checks.error();
    long long lines = rows, length = columns;
    int isTurned = turned;
    void* parameters[] = {&address, &lines, &length, &isTurned, &seed};
    KernelStart how;
    how.grid = {m_context->info().multiprocessors * 8, 1, 1};
    how.block = {256, 1, 1};
    return m_context->check(startKernel(m_context->api(), (*checks)->function("fillOperand"), how, nullptr, parameters),
                            "Filling an operand");
}

Result<void> ProductBench::place(const hgemm::Shape& shape, const TimingQueue::Limits& limits) {
    if (m_shape == shape) return {};
    giveBack();
    const auto bytes = [](std::int64_t x, std::int64_t y) { return std::uint64_t(x) * std::uint64_t(y) * 2; };
    const std::array<std::pair<Slab*, std::uint64_t>, 6> wanted{{{&m_a, bytes(shape.m, shape.k)},
                                                                 {&m_bTn, bytes(shape.n, shape.k)},
                                                                 {&m_bNn, bytes(shape.n, shape.k)},
                                                                 {&m_c, bytes(shape.m, shape.n)},
                                                                 {&m_other, bytes(shape.m, shape.n)},
                                                                 {&m_judged, 256}}};
    for (const auto& [slab, size] : wanted) {
        Result<Slab> taken = m_pool->take(size);
        if (!taken) return taken.error();
        *slab = *taken;
    }
    // B is [k, n]; its turned form holds the same elements.
    Result<void> filled = fill(m_a.address, shape.m, shape.k, false, seedA);
    if (filled) filled = fill(m_bNn.address, shape.k, shape.n, false, seedB);
    if (filled) filled = fill(m_bTn.address, shape.k, shape.n, true, seedB);
    if (filled) filled = m_queue->drain(limits);
    if (!filled) return filled;
    m_shape = shape;
    m_prefix = 0;
    return {};
}

operators::MatrixProduct ProductBench::productOf(hgemm::Layout layout) const {
    operators::MatrixProduct p;
    p.dtype = tensor::DType::Float16;
    p.m = m_shape.m;
    p.n = m_shape.n;
    p.k = m_shape.k;
    p.a = m_a.address;
    p.aRow = m_shape.k;
    p.aColumn = 1;
    p.b = layout == hgemm::Layout::tn ? m_bTn.address : m_bNn.address;
    p.bRow = layout == hgemm::Layout::tn ? 1 : m_shape.n;
    p.bColumn = layout == hgemm::Layout::tn ? m_shape.k : 1;
    p.c = m_c.address;
    p.cRow = m_shape.n;
    return p;
}

Result<ProductBench::Work> ProductBench::familyWork(const hgemm::Configuration& c) {
    if (const std::string why = hgemm::refusal(c, m_shape); !why.empty()) return Error{"unsupported", why};
    const Result<const FamilyKernels::Kernel*> kernel = m_kernels->kernel(c);
    if (!kernel) return kernel.error();
    const hgemm::FamilyLaunch l = hgemm::launchOf(c, m_shape, int(m_context->info().multiprocessors));
    auto held = std::make_shared<FamilyArguments>();
    held->a = m_a.address;
    held->b = c.layout == hgemm::Layout::tn ? m_bTn.address : m_bNn.address;
    held->c = m_c.address;
    held->partial = m_partial.address;
    held->rows = int(l.rows);
    held->columns = int(l.columns);
    held->k = int(m_shape.k);
    held->items = int(l.items);
    if (c.engine == hgemm::Engine::wgmma)
        for (std::size_t i = 0; i < 3; ++i) {
            const hgemm::MapOf& m = l.maps[i];
            const std::uint64_t address = m.matrix == hgemm::Matrix::a   ? held->a
                                          : m.matrix == hgemm::Matrix::b ? held->b
                                                                         : held->c;
            const std::array<std::uint64_t, 2> extents{std::uint64_t(m.inner), std::uint64_t(m.outer)};
            const std::uint64_t stride = extents[0] * 2;
            const std::array<std::uint32_t, 2> box{std::uint32_t(m.boxInner), std::uint32_t(m.boxOuter)}, ones{1, 1};
            const DriverStatus made =
                m_context->api().cuTensorMapEncodeTiled(&held->maps[i], halfMap, 2, address, extents.data(), &stride,
                                                        box.data(), ones.data(), 0, swizzle128, promote256, 0);
            if (Result<void> done = m_context->check(made, "Making a tensor map"); !done) return done.error();
        }
    KernelStart how;
    how.grid = {l.blocks, 1, 1};
    how.block = {l.threads, 1, 1};
    how.dynamicSharedBytes = l.sharedBytes;
    if (l.cluster > 1) how.cluster = {l.cluster, 1, 1};
    const bool maps = c.engine == hgemm::Engine::wgmma;
    return Work([context = m_context, function = (*kernel)->function, held, how, maps]() -> Result<void> {
        FamilyArguments& a = *held;
        void* ofWgmma[] = {&a.maps[0], &a.maps[1], &a.maps[2], &a.c, &a.partial, &a.rows, &a.columns, &a.k, &a.items};
        void* ofMma[] = {&a.a, &a.b, &a.c, &a.rows, &a.columns, &a.k};
        return context->check(startKernel(context->api(), function, how, nullptr, maps ? ofWgmma : ofMma),
                              "Launching a product");
    });
}

/// The least of a few; of short calls, the least mean of a few of them back to back.
Result<double> ProductBench::roughly(const Work& work, bool cold, const TimingQueue::Limits& limits) {
    constexpr std::size_t pieces = 4, callsOfShort = 8;
    constexpr double shortCall = 50e-6;
    if (Result<void> once = work(); !once) return once.error(); // not held: what is loaded at first use
    if (Result<void> drained = m_queue->drain(limits); !drained) return drained.error();
    const auto least = [&](std::size_t calls) -> Result<double> {
        const Work several = [&work, calls]() -> Result<void> {
            for (std::size_t i = 0; i < calls; ++i)
                if (Result<void> queued = work(); !queued) return queued;
            return {};
        };
        const std::vector<Work> all(pieces, several);
        const auto samples = m_queue->measure(all, {.cold = cold, .clock = false}, limits);
        if (!samples) return samples.error();
        double seconds = std::numeric_limits<double>::max();
        for (const perf::Sample& sample : *samples)
            seconds = std::min(seconds, sample.seconds / double(calls));
        return seconds;
    };
    const Result<double> first = least(1);
    if (!first || cold || *first > shortCall) return first;
    return least(callsOfShort);
}

/// Memory for splits by last arriver: as much as any of the subjects needs, before any of them is made ready.
Result<void> ProductBench::makeRoom(const hgemm::MeasureRequest& request) {
    std::uint64_t bytes = 0;
    for (const hgemm::Subject& s : request.subjects)
        if (s.kind == hgemm::Subject::Kind::family && hgemm::refusal(s.configuration, m_shape).empty())
            bytes = std::max(
                bytes,
                std::uint64_t(
                    hgemm::launchOf(s.configuration, m_shape, int(m_context->info().multiprocessors)).partialFloats) *
                    4);
    if (bytes <= m_partial.bytes) return {};
    if (m_partial.bytes) m_pool->giveBack(m_partial);
    m_partial = {};
    Result<Slab> taken = m_pool->take(bytes);
    if (!taken) return taken.error();
    m_partial = *taken;
    return {};
}

Result<ProductBench::Work> ProductBench::ltWork(const hgemm::MeasureRequest& request, const hgemm::Subject& subject,
                                                const TimingQueue::Limits& limits, std::string& note) {
    const std::shared_ptr<CublasLt>& library = m_vendors->cublasLt();
    if (!library) return Error{"unsupported", "cuBLASLt was not found on this machine."};
    const auto plan = CublasLt::prepare(library, productOf(subject.layout), CublasLt::mostAlgorithms);
    if (!plan) return plan.error();
    const auto with = [plan = *plan](std::size_t algorithm) -> Work {
        return [plan, algorithm] { return plan->queue(algorithm); };
    };
    std::size_t best = 0;
    if (subject.kind == hgemm::Subject::Kind::ltFastest) {
        const bool cold = request.mode == hgemm::Mode::cold || request.mode == hgemm::Mode::server;
        double least = std::numeric_limits<double>::max();
        for (std::size_t i = 0; i < (*plan)->algorithms(); ++i) {
            const Result<double> seconds = roughly(with(i), cold, limits);
            if (!seconds) {
                if (seconds.error().code == "launch_failed") continue; // it refuses its own algorithm
                return seconds.error();
            }
            if (*seconds < least) least = *seconds, best = i;
        }
    }
    note = fmt::format("algorithm {} of {}", best + 1, (*plan)->algorithms());
    return with(best);
}

Result<ProductBench::Work> ProductBench::workOf(const hgemm::MeasureRequest& request, const hgemm::Subject& subject,
                                                const TimingQueue::Limits& limits, std::string& note) {
    if (subject.kind == hgemm::Subject::Kind::family) return familyWork(subject.configuration);
    if (subject.halfSums) return Error{"unsupported", "The libraries are asked for sums in float32 only."};
    if (subject.kind != hgemm::Subject::Kind::cublas) return ltWork(request, subject, limits, note);
    const std::shared_ptr<Cublas>& library = m_vendors->cublas();
    if (!library) return Error{"unsupported", "cuBLAS was not found on this machine."};
    return Work([library, product = productOf(subject.layout)] { return library->multiply(product); });
}

bool ProductBench::allQuiet(const std::vector<Contender>& contenders, const perf::StopRule& rule,
                            double seconds) const {
    return std::all_of(contenders.begin(), contenders.end(), [&](const Contender& c) {
        return rule.isMet(perf::summarise(c.samples, m_queue->highestClockMHz()), seconds);
    });
}

Result<hgemm::MeasureAnswer> ProductBench::measure(const hgemm::MeasureRequest& request,
                                                   const TimingQueue::Limits& limits) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current.error();
    if (Result<void> placed = place(request.shape, limits); !placed) {
        giveBack();
        return placed.error();
    }
    if (Result<void> room = makeRoom(request); !room) return room.error();
    hgemm::MeasureAnswer answer;
    answer.device = m_context->info().name;
    answer.driver = m_queue->monitor() ? m_queue->monitor()->driverVersion() : m_context->info().driver;
    if (m_vendors->cublasLt()) answer.library = m_vendors->cublasLt()->version();
    std::vector<Contender> contenders;
    const auto isFatal = [&](const Error& e) {
        return m_context->isLost() || e.code == "timeout" || e.code == "cancelled" || e.code == "out_of_memory";
    };
    for (const hgemm::Subject& subject : request.subjects) {
        hgemm::Measured& m = answer.measured.emplace_back();
        m.subject = subject;
        Result<Work> work = workOf(request, subject, limits, m.note);
        Result<hgemm::Check> checked = hgemm::Check{};
        if (work && request.check) checked = check(*work, subject.halfSums, limits);
        Result<double> seconds = 0.0;
        if (work && checked && (!request.check || checked->right())) seconds = roughly(*work, false, limits);
        for (const Error* error : {work ? nullptr : &work.error(), checked ? nullptr : &checked.error(),
                                   seconds ? nullptr : &seconds.error()})
            if (error) {
                if (isFatal(*error)) return *error;
                m.error = error->message + (error->detail.empty() ? "" : " " + error->detail.substr(0, 400));
                break;
            }
        if (request.check && work && checked) m.check = *checked;
        if (m.error.empty() && request.check && !checked->right())
            m.error =
                fmt::format("Its result is wrong: {} of {} samples, {} of {} elements, {} unwritten.", checked->wrong,
                            checked->samples, checked->differing, checked->elements, checked->unwritten);
        if (m.error.empty()) contenders.push_back({answer.measured.size() - 1, std::move(*work), *seconds, {}});
    }
    Result<void> sampled;
    if (!contenders.empty())
        sampled = request.mode == hgemm::Mode::server    ? sampleServer(contenders, request, limits)
                  : request.mode == hgemm::Mode::offline ? sampleOffline(contenders, request, limits)
                                                         : sampleDevice(contenders, request, limits);
    if (!sampled) return sampled.error();
    for (Contender& c : contenders)
        answer.measured[c.subject].time = perf::summarise(c.samples, m_queue->highestClockMHz());
    if (request.energy) {
        if (!m_queue->monitor())
            answer.energyRefusal = m_queue->whyNoMonitor();
        else if (!m_queue->monitor()->energyJoules())
            answer.energyRefusal = "This card tells no energy.";
        for (const Contender& c : contenders) {
            if (!answer.energyRefusal.empty()) break;
            const auto replay = TimedReplay::ofWork(m_context, "product", c.work);
            TimingSampler sampler(*m_queue, *replay, limits);
            if (Result<void> warm = sampler.warmUp(); !warm) return warm.error();
            Result<std::optional<double>> joules = sampler.joulesPerCall();
            if (!joules) return joules.error();
            answer.measured[c.subject].joules = *joules;
        }
    }
    return answer;
}

} // namespace kernelarium::device
