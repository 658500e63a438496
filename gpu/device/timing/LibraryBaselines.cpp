// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/LibraryBaselines.h"

#include "core/verify/CardSubject.h"
#include "gpu/device/timing/TimingSampling.h"
#include "gpu/device/vendor/CapturingMachine.h"
#include "gpu/operators/DeviceGraph.h"
#include "gpu/operators/DeviceInputs.h"
#include "gpu/operators/PlanningMachine.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::device {

namespace {

using operators::Convolution;
using operators::MatrixProduct;

/// What a graph is, where a library can do the whole of it.
struct LibraryCall {
    std::optional<MatrixProduct> product;
    std::optional<Convolution> convolution;
};

/// Evaluates the graph where nothing is computed. The operands lie in the inputs; the result has no place yet.
Result<LibraryCall> libraryCallOf(const task::Card& card, const task::Symbols& symbols, operators::Machine& machine,
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
    LibraryCall call{capturing.onlyProduct(), capturing.onlyConvolution()};
    const std::uint64_t result = value->tensors.size() == 1 ? value->tensors[0].address() : 0;
    if (call.product && call.product->c != result) call.product.reset();
    if (call.convolution && call.convolution->out != result) call.convolution.reset();
    return call;
}

/// One way of computing it, queued and sampled as a kernel is.
class LibraryTimer {
public:
    LibraryTimer(std::shared_ptr<DeviceContext> context, TimingQueue& queue, const TimingRequest& request)
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
        if (!work())
            return std::numeric_limits<double>::max(); // not held: what is loaded at first use is not waited for
        if (!m_queue.drain(m_limits)) return std::numeric_limits<double>::max();
        const auto samples =
            m_queue.measure(pieces, {.cold = m_request.mode != TimingMode::hot, .clock = false}, m_limits);
        if (!samples) return std::numeric_limits<double>::max();
        double least = std::numeric_limits<double>::max();
        for (const perf::Sample& sample : *samples)
            least = std::min(least, sample.seconds);
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

BaselineTime absent(std::string name, std::string why) {
    return {std::move(name), {}, std::move(why), {}, 0};
}

/// The first of a library's algorithms, and the fastest of all of them.
Result<void> timeAlgorithms(const LibraryTimer& timer, const std::string& name, const std::string& version,
                            std::size_t algorithms,
                            const std::function<std::function<Result<void>()>(std::size_t)>& with,
                            std::vector<BaselineTime>& out) {
    auto first = timer.time(name, version, with(0));
    if (!first) return first.error();
    out.push_back(std::move(*first));
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < algorithms; ++i)
        if (const double seconds = timer.roughly(with(i)); seconds < least) least = seconds, best = i;
    auto fastest = timer.time(name + ", best algorithm", version, with(best));
    if (!fastest) return fastest.error();
    fastest->remark = fmt::format("Number {} of {} that its heuristic offers.", best + 1, algorithms);
    out.push_back(std::move(*fastest));
    return {};
}

Result<void> timeLt(const LibraryTimer& timer, const OperatorParts& parts, const MatrixProduct& product,
                    std::vector<BaselineTime>& out) {
    const auto plan = CublasLt::prepare(parts.vendors->cublasLt(), product, CublasLt::mostAlgorithms);
    if (!plan) {
        out.push_back(absent("cuBLASLt", plan.error().message));
        return {};
    }
    const auto with = [&plan](std::size_t algorithm) -> std::function<Result<void>()> {
        return [plan = *plan, algorithm] { return plan->queue(algorithm); };
    };
    return timeAlgorithms(timer, "cuBLASLt", parts.vendors->cublasLt()->version(), (*plan)->algorithms(), with, out);
}

Result<void> timeProduct(const LibraryTimer& timer, const OperatorParts& parts, operators::Device& device,
                         MatrixProduct p, std::vector<BaselineTime>& out) {
    const operators::DeviceTensor result = device.make(p.dtype, {p.batches, p.m, p.n});
    p.c = result.address();
    if (p.bias != 0) {
        out.push_back(absent("cuBLAS", "It adds no bias; cuBLASLt does."));
    } else if (!parts.vendors->cublas()) {
        out.push_back(absent("cuBLAS", "It was not found on this machine."));
    } else {
        auto timed = timer.time("cuBLAS", parts.vendors->cublas()->version(),
                                [library = parts.vendors->cublas(), p] { return library->multiply(p); });
        if (!timed) return timed.error();
        out.push_back(std::move(*timed));
    }
    if (parts.vendors->cublasLt()) return timeLt(timer, parts, p, out);
    out.push_back(absent("cuBLASLt", "It was not found on this machine."));
    return {};
}

Result<void> timeConvolution(const LibraryTimer& timer, const OperatorParts& parts, operators::Device& device,
                             Convolution c, std::vector<BaselineTime>& out) {
    if (!parts.vendors->cudnn()) {
        out.push_back(absent("cuDNN", "It was not found on this machine."));
        return {};
    }
    const auto& s = c.shape;
    const operators::DeviceTensor result =
        device.make(s.dtype, {s.batch, s.channelsOut, s.outSize[0], s.outSize[1], s.outSize[2]});
    c.out = result.address();
    const std::string& version = parts.vendors->cudnn()->version();
    const auto plan = Cudnn::prepare(parts.vendors->cudnn(), s);
    if (!plan) {
        out.push_back(absent("cuDNN", plan.error().message));
    } else {
        const auto with = [&](std::size_t algorithm) -> std::function<Result<void>()> {
            return [plan = *plan, c, algorithm] { return plan->queue(c, algorithm); };
        };
        if (Result<void> timed = timeAlgorithms(timer, "cuDNN", version, (*plan)->algorithms(), with, out); !timed)
            return timed;
    }
    if (s.dtype != tensor::DType::Float32) return {};
    const auto rounded = Cudnn::prepare(parts.vendors->cudnn(), s, CudnnPrecision::tf32);
    if (!rounded) return {};
    auto timed = timer.time("cuDNN, TF32", version, [plan = *rounded, c] { return plan->queue(c); });
    if (!timed) return timed.error();
    if (timed->remark.empty())
        timed->remark =
            "Rounds float32 to TF32 before it multiplies, as PyTorch's convolutions do unless told otherwise.";
    out.push_back(std::move(*timed));
    return {};
}

} // namespace

Result<LibraryWork> libraryWorkOf(const task::Card& card, const std::string& size) {
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    operators::PlanningMachine nowhere(operators::MachineFacts{"planning", "sm_90", false, 1});
    operators::Device device(nowhere, nullptr);
    std::vector<operators::DeviceTensor> inputs;
    for (std::size_t i = 0; i < shapes->size(); ++i)
        inputs.push_back(device.make(card.tensors[i].dtype, (*shapes)[i]));
    const auto call = libraryCallOf(card, *symbols, nowhere, inputs);
    if (!call) return call.error();
    return call->product ? LibraryWork::product : call->convolution ? LibraryWork::convolution : LibraryWork::none;
}

Result<std::vector<BaselineTime>> timeLibraries(std::shared_ptr<DeviceContext> context,
                                                std::shared_ptr<DevicePool> pool, const OperatorParts& parts,
                                                const task::Card& card, const std::string& size,
                                                const TimingRequest& request) {
    const Result<task::Symbols> symbols = card.size(size);
    const Result<verify::InputPlan> plan = verify::planOf(card, size);
    if (!symbols) return symbols.error();
    if (!plan) return plan.error();
    const Result<LibraryWork> work = libraryWorkOf(card, size);
    if (!work || *work == LibraryWork::none) return std::vector<BaselineTime>();
    const char* name = *work == LibraryWork::product ? "cuBLAS" : "cuDNN";
    if (!parts.machine || !parts.vendors) return std::vector{absent(name, parts.missing)};
    if (request.progress) request.progress(name);
    operators::Device device(*parts.machine, parts.library, request.stopToken);
    const Result<std::vector<operators::DeviceTensor>> inputs = operators::drawTensors(device, *plan, request.seed);
    if (!inputs) return inputs.error();
    const auto call = libraryCallOf(card, *symbols, *parts.machine, *inputs);
    if (!call) return call.error();
    std::vector<BaselineTime> out;
    try {
        Result<std::unique_ptr<TimingQueue>> queue = TimingQueue::create(context, pool);
        if (!queue) return queue.error();
        const LibraryTimer timer(context, **queue, request);
        Result<void> timed;
        if (call->product) timed = timeProduct(timer, parts, device, *call->product, out);
        if (call->convolution) timed = timeConvolution(timer, parts, device, *call->convolution, out);
        if (!timed) return timed.error();
    } catch (const operators::Failure& failure) {
        return failure.error;
    }
    return out;
}

} // namespace kernelarium::device
