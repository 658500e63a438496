// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisations. Statistics are taken in double, in two passes.
#include "core/task/operators/Nested.h"
#include "core/task/operators/Parallel.h"
#include "core/task/operators/Types.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

struct Statistics {
    double mean = 0, variance = 0; ///< biased
};
/// Over `rows` runs of `length` neighbouring elements, `stride` apart.
template <class T> Statistics statistics(const T* x, std::int64_t rows, std::int64_t length, std::int64_t stride) {
    Statistics s;
    const double n = double(rows) * double(length);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < length; ++i)
            s.mean += x[r * stride + i];
    s.mean /= n;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < length; ++i) {
            const double d = x[r * stride + i] - s.mean;
            s.variance += d * d;
        }
    s.variance /= n;
    return s;
}

/// to = (x - mean) / sqrt(variance + eps) * weight + bias over a run.
template <class T>
void normalizeRun(const T* x, T* to, std::int64_t n, const Statistics& s, double eps, double weight, double bias) {
    const double scale = weight / std::sqrt(s.variance + eps);
    for (std::int64_t i = 0; i < n; ++i)
        to[i] = T((double(x[i]) - s.mean) * scale + bias);
}

/// An optional vector per channel, in the type of the input; checks its length.
template <class T> const T* perChannel(const std::optional<Tensor>& t, std::int64_t channels, const char* what) {
    if (!t) return nullptr;
    if (t->count() != channels)
        badArgument(fmt::format("{} should contain {} elements not {}.", what, channels, t->count()));
    return t->data<T>();
}
std::optional<Tensor> like(const std::optional<Tensor>& t, DType type) {
    return t ? std::optional(t->to(type)) : std::nullopt;
}

/// An input seen as [batch, channels, run].
struct Layout3 {
    std::int64_t batch, channels, run;
};
Layout3 layoutOf(const Tensor& x) {
    require(x.dim() >= 2, "Expected an input of at least two dimensions (batch, channels, ...).");
    std::int64_t run = 1;
    for (std::size_t d = 2; d < x.shape().size(); ++d)
        run *= x.shape()[d];
    return {x.shape()[0], x.shape()[1], run};
}

Results batchNorm(const Call& call) {
    const Tensor x = call.tensor(0, "input");
    const DType type = x.dtype();
    const auto weight = like(call.optionalTensor(1, "weight"), type), bias = like(call.optionalTensor(2, "bias"), type);
    const auto mean = like(call.optionalTensor(3, "running_mean"), type),
               var = like(call.optionalTensor(4, "running_var"), type);
    const bool training = call.flag(5, "training", false);
    const double eps = call.number(7, "eps", 1e-5);
    const Layout3 l = layoutOf(x);
    require(training || (mean && var), "batch_norm outside of training needs running_mean and running_var.");
    if (training && l.batch * l.run == 1)
        badArgument(fmt::format("Expected more than 1 value per channel when training, got input size {}.",
                                tensor::toString(x.shape())));
    Tensor out = call.makeUnfilled(type, x.shape());
    withFloating(call, type, [&](auto tag) {
        using T = decltype(tag);
        if (call.shapesOnly()) return;
        const T* w = perChannel<T>(weight, l.channels, "weight");
        const T* b = perChannel<T>(bias, l.channels, "bias");
        const T* m = perChannel<T>(mean, l.channels, "running_mean");
        const T* v = perChannel<T>(var, l.channels, "running_var");
        parallelFor(call, l.channels, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t c = begin; c < end; ++c) {
                const std::int64_t stride = l.channels * l.run;
                const Statistics s = training ? statistics(x.data<T>() + c * l.run, l.batch, l.run, stride)
                                              : Statistics{double(m[c]), double(v[c])};
                for (std::int64_t n = 0; n < l.batch; ++n) {
                    const std::int64_t at = n * stride + c * l.run;
                    normalizeRun(x.data<T>() + at, out.data<T>() + at, l.run, s, eps, w ? w[c] : 1.0, b ? b[c] : 0.0);
                }
            }
        });
    });
    return {out};
}

/// (1 - momentum) * old + momentum * what `of` gives for each channel, of the running mean and variance.
/// `of(elements, layout, channel)`.
template <class Of> Results moveRunning(const Call& call, Of of) {
    const Tensor x = call.tensor(0, "input");
    const Layout3 l = layoutOf(x);
    const Tensor oldMean = call.tensor(3, "running_mean"), oldVar = call.tensor(4, "running_var");
    const double momentum = call.number(6, "momentum", 0.1);
    require(oldMean.count() == l.channels && oldVar.count() == l.channels,
            "running_mean and running_var need one element per channel.");
    Tensor mean = call.make(oldMean.dtype(), oldMean.shape()), var = call.make(oldVar.dtype(), oldVar.shape());
    if (call.shapesOnly()) return {mean, var};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t c = 0; c < l.channels; ++c) {
            const Statistics s = of(x.data<T>(), l, c);
            mean.set(c, (1.0 - momentum) * oldMean.at(c) + momentum * s.mean);
            var.set(c, (1.0 - momentum) * oldVar.at(c) + momentum * s.variance);
        }
    });
    return {mean, var};
}

/// After a training step: with the batch's mean and its unbiased variance.
Results batchNormRunning(const Call& call) {
    return moveRunning(call, [](const auto* x, const Layout3& l, std::int64_t c) {
        const double n = double(l.batch * l.run);
        Statistics s = statistics(x + c * l.run, l.batch, l.run, l.channels * l.run);
        s.variance = s.variance * n / (n - 1.0);
        return s;
    });
}

/// The same of instance_norm: the mean over the samples of what each would leave.
Results instanceNormRunning(const Call& call) {
    return moveRunning(call, [](const auto* x, const Layout3& l, std::int64_t c) {
        const double n = double(l.run), samples = double(l.batch);
        Statistics all{};
        for (std::int64_t b = 0; b < l.batch; ++b) {
            const Statistics s = statistics(x + (b * l.channels + c) * l.run, 1, l.run, 0);
            all.mean += s.mean / samples;
            all.variance += s.variance * n / (n - 1.0) / samples;
        }
        return all;
    });
}

/// A training step: the result, and the running statistics after it.
Results batchNormTraining(const Call& call) {
    Results results = batchNorm(call);
    for (tensor::Value& moved : batchNormRunning(call))
        results.push_back(std::move(moved));
    return results;
}

/// Groups of channels of one sample are normalised together.
Tensor groupNormed(const Call& call, const Tensor& x, std::int64_t groups, const std::optional<Tensor>& weightIn,
                   const std::optional<Tensor>& biasIn, double eps) {
    const Layout3 l = layoutOf(x);
    if (groups <= 0 || l.channels % groups)
        badArgument(
            fmt::format("Expected number of channels in input to be divisible by num_groups, but got {} channels "
                        "and num_groups={}.",
                        l.channels, groups));
    const auto weight = like(weightIn, x.dtype()), bias = like(biasIn, x.dtype());
    Tensor out = call.makeUnfilled(x.dtype(), x.shape());
    if (call.shapesOnly()) return out;
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* w = perChannel<T>(weight, l.channels, "weight");
        const T* b = perChannel<T>(bias, l.channels, "bias");
        const std::int64_t each = l.channels / groups;
        parallelFor(call, l.batch * groups, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t g = begin; g < end; ++g) {
                const std::int64_t at = g * each * l.run;
                const Statistics s = statistics(x.data<T>() + at, 1, each * l.run, 0);
                for (std::int64_t c = 0; c < each; ++c) {
                    const std::int64_t channel = g % groups * each + c;
                    normalizeRun(x.data<T>() + at + c * l.run, out.data<T>() + at + c * l.run, l.run, s, eps,
                                 w ? w[channel] : 1.0, b ? b[channel] : 0.0);
                }
            }
        });
    });
    return out;
}
Results groupNorm(const Call& call) {
    return {groupNormed(call, call.tensor(0, "input"), call.integer(1, "num_groups"), call.optionalTensor(2, "weight"),
                        call.optionalTensor(3, "bias"), call.number(4, "eps", 1e-5))};
}
Results instanceNorm(const Call& call) {
    const Tensor x = call.tensor(0, "input");
    if (!call.flag(5, "use_input_stats", true)) { // as batch_norm outside of training
        std::vector<Value> arguments{x};
        for (std::size_t i = 1; i <= 4; ++i) {
            const Value* v = call.find(i, "");
            arguments.push_back(v ? *v : Value());
        }
        arguments.insert(arguments.end(), {false, call.number(6, "momentum", 0.1), call.number(7, "eps", 1e-5)});
        return {apply(call, "aten.batch_norm.default", arguments)};
    }
    const Layout3 l = layoutOf(x);
    if (l.run == 1)
        badArgument(fmt::format("Expected more than 1 spatial element when training, got input size {}.",
                                tensor::toString(x.shape())));
    return {groupNormed(call, x, l.channels, call.optionalTensor(1, "weight"), call.optionalTensor(2, "bias"),
                        call.number(7, "eps", 1e-5))};
}

/// Elements of the last dimensions are normalised together; `center` off gives the root-mean-square norm.
Tensor lastDimsNormed(const Call& call, const Tensor& x, const std::optional<Tensor>& weightIn,
                      const std::optional<Tensor>& biasIn, double eps, bool center) {
    const Shape shape = call.integers(1, "normalized_shape");
    if (std::int64_t(shape.size()) > x.dim() || !std::equal(shape.rbegin(), shape.rend(), x.shape().rbegin()))
        badArgument(fmt::format(
            "Given normalized_shape={}, expected input with that shape at its end, but got input of size {}.",
            tensor::toString(shape), tensor::toString(x.shape())));
    const std::int64_t length = tensor::elementCount(shape);
    const auto weight = like(weightIn, x.dtype()), bias = like(biasIn, x.dtype());
    Tensor out = call.makeUnfilled(x.dtype(), x.shape());
    if (call.shapesOnly() || x.count() == 0) return out;
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* w = perChannel<T>(weight, length, "weight");
        const T* b = perChannel<T>(bias, length, "bias");
        parallelFor(call, x.count() / length, std::max<std::int64_t>(1, elementPiece / length),
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t r = begin; r < end; ++r) {
                            const T* from = x.data<T>() + r * length;
                            T* to = out.data<T>() + r * length;
                            Statistics s = statistics(from, 1, length, 0);
                            if (!center) s = {0.0, s.variance + s.mean * s.mean};
                            const double scale = 1.0 / std::sqrt(s.variance + eps);
                            for (std::int64_t i = 0; i < length; ++i)
                                to[i] = T((double(from[i]) - s.mean) * scale * (w ? w[i] : T(1)) + (b ? b[i] : T(0)));
                        }
                    });
    });
    return out;
}
Results layerNorm(const Call& call) {
    return {lastDimsNormed(call, call.tensor(0, "input"), call.optionalTensor(2, "weight"),
                           call.optionalTensor(3, "bias"), call.number(4, "eps", 1e-5), true)};
}
Results rmsNorm(const Call& call) {
    const Tensor x = call.tensor(0, "input");
    const double missing = x.dtype() == DType::Float64 ? 0x1p-52 : 0x1p-23; // the type's machine epsilon
    return {
        lastDimsNormed(call, x, call.optionalTensor(2, "weight"), std::nullopt, call.number(3, "eps", missing), false)};
}

constexpr Entry normalizationEntries[] = {
    {"aten.batch_norm.default", batchNorm},
    {"aten.batch_norm_update.running", batchNormRunning},
    {"aten.batch_norm_training.running", batchNormTraining},
    {"aten.instance_norm.default", instanceNorm},
    {"aten.instance_norm_update.running", instanceNormRunning},
    {"aten.group_norm.default", groupNorm},
    {"aten.layer_norm.default", layerNorm},
    {"aten.rms_norm.default", rmsNorm},
};

} // namespace

Family normalizationFamily() {
    return normalizationEntries;
}

} // namespace kernelarium::task::operators
