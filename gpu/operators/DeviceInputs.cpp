// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceInputs.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using DrawnKind = verify::Distribution::Kind;

namespace {

void launchDraw(Device& device, const DeviceTensor& t, std::string_view function, std::int64_t threads,
                const DrawArguments& a) {
    device.launchOver({"inputs", fmt::format("{}<{}>", function, cudaName(t.dtype)), "DrawArguments", true}, threads,
                      a);
}

DeviceTensor drawn(Device& device, const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                   std::uint32_t stream) {
    DeviceTensor t = device.make(plan.dtype, plan.shape);
    const verify::Distribution& d = plan.distribution;
    DrawArguments a{};
    a.out = t.address();
    a.seed = seed;
    a.index = std::uint32_t(index);
    a.stream = stream;
    a.a = d.a;
    a.b = d.b;
    a.count = t.count();
    a.kind = int(d.kind);
    a.slices = t.dim() > 0 ? t.shape[0] : 1;
    a.columns = t.dim() > 0 ? t.shape.back() : 1;
    a.rows = t.dim() > 1 ? t.shape[t.shape.size() - 2] : 1;
    DeviceTensor values;
    if (d.kind == DrawnKind::values) {
        tensor::Tensor list(tensor::DType::Float64, {std::int64_t(d.values.size())});
        std::copy(d.values.begin(), d.values.end(), list.data<double>());
        values = device.upload(list);
        a.values = values.address();
        a.valueCount = values.count();
    }
    launchDraw(device, t, "drawPairs", (a.count + 1) / 2, a);
    if (d.kind == DrawnKind::varied || d.kind == DrawnKind::variedProbabilities)
        launchDraw(device, t, "varySlices", a.count, a);
    a.shift = d.ramp.shift, a.from = d.ramp.from, a.to = d.ramp.to;
    a.signs = int(d.ramp.signs);
    static_assert(verify::Ramp::dimensions == std::size_t(maxRank));
    a.rank = int(std::min(t.shape.size(), verify::Ramp::dimensions));
    for (int k = 0; k < a.rank; ++k)
        a.sizes[k] = t.shape[t.shape.size() - 1 - std::size_t(k)];
    if (d.ramp.changesAnything()) launchDraw(device, t, "rampElements", a.count, a);
    a.lower = d.kind != DrawnKind::upperTriangular;
    if (d.kind == DrawnKind::probabilities || d.kind == DrawnKind::variedProbabilities)
        launchDraw(device, t, "normalizeRows", a.columns ? a.count / a.columns : 0, a);
    if (t.dim() < 2) return t;
    if (d.kind == DrawnKind::upperTriangular || d.kind == DrawnKind::lowerTriangular || d.kind == DrawnKind::causalMask)
        launchDraw(device, t, "zeroTriangle", a.count, a);
    if (d.kind == DrawnKind::symmetric) launchDraw(device, t, "mirror", a.count, a);
    return t;
}

} // namespace

Result<DeviceTensor> drawTensor(Device& device, const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                std::uint32_t stream) {
    try {
        return drawn(device, plan, index, seed, stream);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

Result<std::vector<DeviceTensor>> drawTensors(Device& device, const verify::InputPlan& plan, std::uint64_t seed) {
    std::vector<DeviceTensor> tensors;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        Result<DeviceTensor> t = drawTensor(device, plan.tensors[i], i, seed);
        if (!t) return t.error();
        tensors.push_back(std::move(*t));
    }
    return tensors;
}

} // namespace kernelarium::operators
