// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/ProductBaselines.h"

#include "core/verify/CardSubject.h"
#include "gpu/device/CapturingMachine.h"
#include "gpu/device/TimingSampling.h"
#include "gpu/operators/DeviceGraph.h"
#include "gpu/operators/DeviceInputs.h"
#include "gpu/operators/PlanningMachine.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::device {

namespace {

using operators::MatrixProduct;

/// Evaluates the graph where nothing is computed. The product's operands lie in the inputs; its result has no place yet.
Result<std::optional<MatrixProduct>> productOf(const task::Card& card, const task::Symbols& symbols, operators::Machine& machine,
                                               std::span<const operators::DeviceTensor> inputs) {
    CapturingMachine capturing(machine);
    operators::Device device(capturing, nullptr);
    const bool narrow = std::any_of(card.tensors.begin(), card.tensors.end(), [](const task::CardTensor& t) {
        return t.dtype == tensor::DType::Float16 || t.dtype == tensor::DType::BFloat16;
    });
    operators::GraphOptions options;
    options.precision = narrow ? card.tensors.front().dtype : tensor::DType::Float32;
    Result<operators::DeviceValue> value = operators::evaluateGraph(device, card, symbols, inputs, options);
    if (!value) return value.error();
    std::optional<MatrixProduct> product = capturing.onlyProduct();
    if (!product || value->tensors.size() != 1 || value->tensors[0].address() != product->c) return std::optional<MatrixProduct>();
    return product;
}

/// One way of computing the product, queued and sampled as a kernel is.
class ProductTimer {
public:
    ProductTimer(std::shared_ptr<DeviceContext> context, TimingQueue& queue, const TimingRequest& request)
        : m_context(std::move(context))
        , m_queue(queue)
        , m_request(request)
        , m_limits{std::chrono::steady_clock::now() + request.timeLimit, request.stopToken} {}

    Result<BaselineTime> time(std::string name, std::string version, std::function<Result<void>()> work) const {
        BaselineTime out{std::move(name), std::move(version), {}, {}, m_queue.highestClockMHz()};
        const std::unique_ptr<TimedReplay> replay = TimedReplay::ofWork(m_context, out.name, std::move(work));
        TimingSampler sampler(m_queue, *replay, m_limits);
        if (Result<void> warm = sampler.warmUp(); !warm) return withRemark(std::move(out), warm.error());
        if (m_request.mode == TimingMode::server) {
            auto served = sampler.serve(m_request.requestsPerSecond, m_request.requests, m_request.seed);
            if (!served) return withRemark(std::move(out), served.error());
            out.samples = std::move(served->latency);
            return out;
        }
        auto samples = sampler.sample(m_request.mode == TimingMode::cold, m_request.stop, out.highestClockMHz);
        if (!samples) return withRemark(std::move(out), samples.error());
        out.samples = std::move(*samples);
        return out;
    }

    /// Seconds of one, roughly; the largest number where it does not run.
    [[nodiscard]] double roughly(const std::function<Result<void>()>& work) const {
        constexpr std::size_t times = 3;
        const std::vector<TimingQueue::Work> pieces(times, work);
        if (!work()) return std::numeric_limits<double>::max(); // not held: what is loaded at first use is not waited for
        if (!m_queue.drain(m_limits)) return std::numeric_limits<double>::max();
        const auto samples = m_queue.measure(pieces, {.cold = m_request.mode != TimingMode::hot, .clock = false}, m_limits);
        if (!samples) return std::numeric_limits<double>::max();
        double least = std::numeric_limits<double>::max();
        for (const perf::Sample& sample : *samples) least = std::min(least, sample.seconds);
        return least;
    }

private:
    /// What the library refuses is an answer, what happened to the device is not.
    static Result<BaselineTime> withRemark(BaselineTime out, const Error& error) {
        if (error.code != "launch_failed" && error.code != "unsupported") return error;
        out.remark = error.message;
        return out;
    }

    std::shared_ptr<DeviceContext> m_context;
    TimingQueue& m_queue;
    const TimingRequest& m_request;
    TimingQueue::Limits m_limits;
};

BaselineTime absent(std::string name, std::string why) { return {std::move(name), {}, std::move(why), {}, 0}; }

Result<void> timeLt(const ProductTimer& timer, const OperatorParts& parts, const MatrixProduct& product, std::vector<BaselineTime>& out) {
    const auto plan = CublasLt::prepare(parts.products->cublasLt(), product, CublasLt::mostAlgorithms);
    if (!plan) {
        out.push_back(absent("cuBLASLt", plan.error().message));
        return {};
    }
    const auto with = [&plan](std::size_t algorithm) { return [plan = *plan, algorithm] { return plan->queue(algorithm); }; };
    auto first = timer.time("cuBLASLt", parts.products->cublasLt()->version(), with(0));
    if (!first) return first.error();
    out.push_back(std::move(*first));
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < (*plan)->algorithms(); ++i)
        if (const double seconds = timer.roughly(with(i)); seconds < least) least = seconds, best = i;
    auto fastest = timer.time("cuBLASLt, best algorithm", parts.products->cublasLt()->version(), with(best));
    if (!fastest) return fastest.error();
    fastest->remark = fmt::format("Number {} of {} that its heuristic offers.", best + 1, (*plan)->algorithms());
    out.push_back(std::move(*fastest));
    return {};
}

} // namespace

Result<bool> isOneProduct(const task::Card& card, const std::string& size) {
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    operators::PlanningMachine nowhere(operators::MachineFacts{"planning", "sm_90", false, 1});
    operators::Device device(nowhere, nullptr);
    std::vector<operators::DeviceTensor> inputs;
    for (std::size_t i = 0; i < shapes->size(); ++i) inputs.push_back(device.make(card.tensors[i].dtype, (*shapes)[i]));
    const auto product = productOf(card, *symbols, nowhere, inputs);
    if (!product) return product.error();
    return product->has_value();
}

Result<std::vector<BaselineTime>> timeProducts(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                               const OperatorParts& parts, const task::Card& card, const std::string& size,
                                               const TimingRequest& request) {
    const Result<task::Symbols> symbols = card.size(size);
    const Result<verify::InputPlan> plan = verify::planOf(card, size);
    if (!symbols) return symbols.error();
    if (!plan) return plan.error();
    const Result<bool> one = isOneProduct(card, size);
    if (!one || !*one) return std::vector<BaselineTime>();
    if (!parts.machine || !parts.products) return std::vector{absent("cuBLAS", parts.missing)};
    if (request.progress) request.progress("cuBLAS");
    operators::Device device(*parts.machine, parts.library, request.stopToken);
    const Result<std::vector<operators::DeviceTensor>> inputs = operators::drawTensors(device, *plan, request.seed);
    if (!inputs) return inputs.error();
    auto product = productOf(card, *symbols, *parts.machine, *inputs);
    if (!product) return product.error();
    if (!*product) return std::vector<BaselineTime>();
    std::vector<BaselineTime> out;
    try {
        MatrixProduct& p = **product;
        const operators::DeviceTensor result = device.make(p.dtype, {p.batches, p.m, p.n});
        p.c = result.address();
        Result<std::unique_ptr<TimingQueue>> queue = TimingQueue::create(context, pool);
        if (!queue) return queue.error();
        const ProductTimer timer(context, **queue, request);
        if (p.bias != 0) {
            out.push_back(absent("cuBLAS", "It adds no bias; cuBLASLt does."));
        } else if (!parts.products->cublas()) {
            out.push_back(absent("cuBLAS", "It was not found on this machine."));
        } else {
            auto timed = timer.time("cuBLAS", parts.products->cublas()->version(),
                                    [library = parts.products->cublas(), p] { return library->multiply(p); });
            if (!timed) return timed.error();
            out.push_back(std::move(*timed));
        }
        if (!parts.products->cublasLt()) out.push_back(absent("cuBLASLt", "It was not found on this machine."));
        else if (Result<void> timed = timeLt(timer, parts, p, out); !timed) return timed.error();
    } catch (const operators::Failure& failure) {
        return failure.error;
    }
    return out;
}

} // namespace kernelarium::device
