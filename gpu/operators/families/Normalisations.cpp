// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisations: statistics by a fold in float64, then one elementwise pass.
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;

namespace {

/// Parameters 0 of the fold "Moments": factors 1 / sqrt(variance + eps), or 1 / sqrt(mean square + eps).
constexpr double aroundMean = 1.0, aroundZero = 2.0;

struct Statistics {
    DeviceTensor mean, scale;
};
Statistics statisticsOver(Device& device, const DeviceTensor& x, const Shape& dims, double eps, double around) {
    const Folded f = foldDims(device, {"Moments", {around, eps}, DType::Float64, DType::Float64, true}, x, dims, true);
    return {f.first, f.second};
}
/// A vector per channel, its dimension at place 1 of `rank`; or the number where there is none.
Operand perChannel(const std::optional<DeviceTensor>& t, std::int64_t rank, double missing) {
    if (!t) return missing;
    DeviceTensor v = *t;
    while (v.dim() < rank - 1)
        v = withUnit(v, v.dim());
    return v;
}
/// (x - mean) * scale * weight + bias, in float64.
DeviceTensor normalized(Device& device, const DeviceTensor& x, const Statistics& s, Operand weight, Operand bias) {
    return compute(device, {"Normalize", DType::Float64}, x.dtype,
                   {x, s.mean, s.scale, std::move(weight), std::move(bias)});
}
Shape dimsFrom(std::int64_t first, std::int64_t rank) {
    Shape dims;
    for (std::int64_t d = first; d < rank; ++d)
        dims.push_back(d);
    return dims;
}

/// Without addresses.
BatchNormalisation normalisationOf(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "input");
    BatchNormalisation n;
    n.dtype = x.dtype, n.dimensions = int(x.dim()), n.training = call.host.flag(5, "training", false);
    n.batch = x.shape[0], n.channels = x.shape[1],
    n.run = tensor::elementCount(Shape(x.shape.begin() + 2, x.shape.end()));
    n.momentum = call.host.number(6, "momentum", 0.1), n.eps = call.host.number(7, "eps", 1e-5);
    return n;
}

/// By a library of the machine's, where it has one for this: the result; in training the running statistics move in
/// place.
std::optional<DeviceTensor> batchNormByLibrary(const DeviceCall& call, const std::optional<DeviceTensor>& mean,
                                               const std::optional<DeviceTensor>& variance) {
    const DeviceTensor x = call.tensor(0, "input");
    const auto weight = call.optionalTensor(1, "weight"), bias = call.optionalTensor(2, "bias");
    BatchNormalisation n = normalisationOf(call);
    if (!weight || !bias || !call.device.machine().normalises(n)) return std::nullopt;
    for (const DeviceTensor* t : {&*weight, &*bias, mean ? &*mean : nullptr, variance ? &*variance : nullptr})
        if (t && (t->dtype != x.dtype || !t->isContiguous())) return std::nullopt;
    const DeviceTensor out = call.make();
    const DeviceTensor in = dense(call.device, x);
    n.in = in.address(), n.weight = weight->address(), n.bias = bias->address(), n.out = out.address();
    if (mean && variance) n.mean = mean->address(), n.variance = variance->address();
    valueOf(call.device.machine().normalise(n));
    return out;
}

DeviceResults batchNorm(const DeviceCall& call) {
    const bool training = call.host.flag(5, "training", false);
    const auto mean = training ? std::nullopt : call.optionalTensor(3, "running_mean"),
               variance = training ? std::nullopt : call.optionalTensor(4, "running_var");
    if (std::optional<DeviceTensor> out = batchNormByLibrary(call, mean, variance)) return {*out};
    const DeviceTensor x = call.tensor(0, "input");
    const double eps = call.host.number(7, "eps", 1e-5);
    const std::int64_t rank = x.dim();
    Statistics s;
    if (training) {
        Shape dims = dimsFrom(1, rank);
        dims[0] = 0; // every dimension but the channels'
        s = statisticsOver(call.device, x, dims, eps, aroundMean);
    } else {
        s.mean = *perChannel(call.optionalTensor(3, "running_mean"), rank, 0.0).tensor;
        const DeviceTensor shifted =
            compute(call.device, {"Add", DType::Float64}, DType::Float64, {call.tensor(4, "running_var"), eps});
        s.scale =
            *perChannel(compute(call.device, {"Rsqrt", DType::Float64}, DType::Float64, {shifted}), rank, 1.0).tensor;
    }
    return {normalized(call.device, x, s, perChannel(call.optionalTensor(1, "weight"), rank, 1.0),
                       perChannel(call.optionalTensor(2, "bias"), rank, 0.0))};
}

/// What training makes of the running statistics: (1 - momentum) * running + momentum * of the batch.
DeviceResults batchNormRunning(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "input");
    Shape dims = dimsFrom(1, x.dim());
    dims[0] = 0;
    constexpr double unbiased = 1.0;
    const Folded batch =
        foldDims(call.device, {"Moments", {0.0, unbiased, 0.0}, DType::Float64, DType::Float64, true}, x, dims, false);
    const double momentum = call.host.number(6, "momentum", 0.1);
    const auto moved = [&](std::size_t at, std::size_t result, std::string_view key, const DeviceTensor& now) {
        const DeviceTensor old =
            compute(call.device, {"Scale", DType::Float64, {1.0 - momentum}}, DType::Float64, {call.tensor(at, key)});
        return compute(call.device, {"AddScaled", DType::Float64, {momentum}}, call.type(result), {old, now});
    };
    const std::size_t before = call.resultCount() - 2; // results: what there is before them
    return {moved(3, before, "running_mean", batch.first), moved(4, before + 1, "running_var", batch.second)};
}

/// A training step: the result, and the running statistics after it.
DeviceResults batchNormTraining(const DeviceCall& call) {
    const auto copied = [&](std::size_t at, std::string_view key, std::size_t result) {
        const DeviceTensor own = call.make(result);
        copyInto(call.device, own, call.tensor(at, key));
        return own;
    };
    if (call.device.machine().normalises(normalisationOf(call))) {
        const DeviceTensor mean = copied(3, "running_mean", 1), variance = copied(4, "running_var", 2);
        if (std::optional<DeviceTensor> out = batchNormByLibrary(call, mean, variance)) return {*out, mean, variance};
    }
    DeviceResults results = batchNorm(call);
    for (DeviceValue& moved : batchNormRunning(call))
        results.push_back(std::move(moved));
    return results;
}

/// Groups of channels of one sample are normalised together.
DeviceTensor groupNormed(const DeviceCall& call, std::int64_t groups, const std::optional<DeviceTensor>& weight,
                         const std::optional<DeviceTensor>& bias, double eps) {
    const DeviceTensor x = call.tensor(0, "input");
    const std::int64_t batch = x.shape[0], each = x.shape[1] / groups;
    Shape shape{batch, groups, each};
    shape.insert(shape.end(), x.shape.begin() + 2, x.shape.end());
    const DeviceTensor grouped = reshaped(call.device, x, shape);
    const Statistics s = statisticsOver(call.device, grouped, dimsFrom(2, grouped.dim()), eps, aroundMean);
    const auto spread = [&](const std::optional<DeviceTensor>& t, double missing) -> Operand {
        if (!t) return missing;
        Shape own(shape.size(), 1);
        own[1] = groups, own[2] = each;
        return reshaped(call.device, *t, own);
    };
    return reshaped(call.device, normalized(call.device, grouped, s, spread(weight, 1.0), spread(bias, 0.0)), x.shape);
}
DeviceResults groupNorm(const DeviceCall& call) {
    return {groupNormed(call, call.host.integer(1, "num_groups"), call.optionalTensor(2, "weight"),
                        call.optionalTensor(3, "bias"), call.host.number(4, "eps", 1e-5))};
}
DeviceResults instanceNorm(const DeviceCall& call) {
    const double eps = call.host.number(7, "eps", 1e-5);
    if (call.host.flag(5, "use_input_stats", true))
        return {groupNormed(call, call.tensor(0, "input").shape[1], call.optionalTensor(1, "weight"),
                            call.optionalTensor(2, "bias"), eps)};
    std::vector<DeviceValue> arguments{call.tensor(0, "input")};
    for (std::size_t i = 1; i <= 4; ++i) {
        const DeviceValue* v = call.find(i, "");
        arguments.push_back(v ? *v : DeviceValue());
    }
    for (tensor::Value v :
         {tensor::Value(false), tensor::Value(call.host.number(6, "momentum", 0.1)), tensor::Value(eps)})
        arguments.emplace_back(std::move(v));
    return call.applyAll("aten.batch_norm.default", std::move(arguments));
}

/// The last dimensions are normalised together.
DeviceResults lastDimsNormed(const DeviceCall& call, const std::optional<DeviceTensor>& bias, double eps,
                             double around) {
    const DeviceTensor x = call.tensor(0, "input");
    const std::int64_t own = std::int64_t(call.host.integers(1, "normalized_shape").size());
    const Statistics s = statisticsOver(call.device, x, dimsFrom(x.dim() - own, x.dim()), eps, around);
    const auto weight = call.optionalTensor(2, "weight");
    return {
        normalized(call.device, x, s, weight ? Operand(*weight) : Operand(1.0), bias ? Operand(*bias) : Operand(0.0))};
}
DeviceResults layerNorm(const DeviceCall& call) {
    return lastDimsNormed(call, call.optionalTensor(3, "bias"), call.host.number(4, "eps", 1e-5), aroundMean);
}
DeviceResults rmsNorm(const DeviceCall& call) {
    const double missing = call.type() == DType::Float64 ? 0x1p-52 : 0x1p-23; // the type's machine epsilon
    return lastDimsNormed(call, std::nullopt, call.host.number(3, "eps", missing), aroundZero);
}

constexpr DeviceEntry normalisationEntries[] = {
    {"aten.batch_norm.default", batchNorm},
    {"aten.instance_norm.default", instanceNorm},
    {"aten.group_norm.default", groupNorm},
    {"aten.layer_norm.default", layerNorm},
    {"aten.rms_norm.default", rmsNorm},
    {"aten.batch_norm_update.running", batchNormRunning},
    {"aten.batch_norm_training.running", batchNormTraining},
};

} // namespace

DeviceFamily deviceNormalisations() {
    return normalisationEntries;
}

} // namespace kernelarium::operators
