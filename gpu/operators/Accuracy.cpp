// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/Accuracy.h"

#include "core/verify/inputs/Philox.h"
#include "gpu/operators/DeviceComparison.h"

#include <cmath>
#include <limits>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Tensor;

namespace {

double readElement(Device& device, const DeviceTensor& t, std::int64_t element) {
    Tensor one(t.dtype, {});
    valueOf(device.machine().read(t.address() + std::uint64_t(element) * tensor::byteSize(t.dtype), one.bytes()));
    return one.at(0);
}

double errorOfSample(const AccuracySample& s, double rms) {
    if (s.inFloat32 == s.inFloat64 || (std::isnan(s.inFloat32) && std::isnan(s.inFloat64))) return 0;
    const bool overflowed = std::isinf(s.inFloat32) && std::abs(s.inFloat64) > verify::largestFinite(DType::Float32) &&
                            std::signbit(s.inFloat32) == std::signbit(s.inFloat64);
    if (overflowed) return 0;
    if (!std::isfinite(s.inFloat32) || !std::isfinite(s.inFloat64)) return std::numeric_limits<double>::infinity();
    const double scale = std::max(rms, verify::Tolerance::smallestScale) + std::abs(s.inFloat64);
    return std::abs(s.inFloat32 - s.inFloat64) / scale;
}

/// The output and element that the n-th number of a seed names.
AccuracySample drawnSample(const std::vector<DeviceTensor>& outputs, std::int64_t total, std::uint64_t seed,
                           std::uint32_t n) {
    constexpr std::uint32_t ownCounters = 0x53616d70; // apart from the inputs'
    const auto words = verify::Philox(seed)({n, 0, 0, ownCounters});
    std::int64_t element =
        std::min<std::int64_t>(std::int64_t(verify::unitInterval(words[0], words[1]) * double(total)), total - 1);
    AccuracySample s;
    while (element >= outputs[s.output].count())
        element -= outputs[s.output++].count();
    s.element = element;
    return s;
}

Accuracy sampled(Device& device, std::vector<DeviceTensor> wide, std::vector<AccuracySample> samples) {
    Accuracy out{std::move(samples), 0, {}};
    std::vector<double> rms;
    for (DeviceTensor& t : wide) {
        t = dense(device, t);
        rms.push_back(valueOf(rootMeanSquare(device, t)));
    }
    for (AccuracySample& s : out.samples) {
        if (s.output >= wide.size() || s.element >= wide[s.output].count())
            throw Failure{{"internal", "float32 and float64 give different outputs."}};
        s.inFloat64 = readElement(device, wide[s.output], s.element);
        out.largestError = std::max(out.largestError, errorOfSample(s, rms[s.output]));
    }
    return out;
}

} // namespace

std::vector<AccuracySample> drawSamples(Device& device, const DeviceValue& inFloat32, std::size_t count,
                                        std::uint64_t seed) {
    std::vector<DeviceTensor> narrow;
    std::int64_t total = 0;
    for (const DeviceTensor& t : inFloat32.tensors) {
        narrow.push_back(dense(device, t));
        total += t.count();
    }
    std::vector<AccuracySample> samples;
    for (std::size_t n = 0; total > 0 && n < count; ++n) {
        samples.push_back(drawnSample(narrow, total, seed, std::uint32_t(n)));
        samples.back().inFloat32 = readElement(device, narrow[samples.back().output], samples.back().element);
    }
    return samples;
}

Result<Accuracy> sampleAccuracy(Device& device, const task::Card& card, const task::Symbols& symbols,
                                std::span<const DeviceTensor> inputs, std::vector<AccuracySample> samples,
                                GraphOptions options) {
    options.precision = DType::Float64;
    const Result<DeviceValue> wide = evaluateGraph(device, card, symbols, inputs, options);
    if (!wide && wide.error().code == "out_of_memory") return Accuracy{{}, 0, wide.error().message};
    if (!wide) return wide.error();
    try {
        return sampled(device, wide->tensors, std::move(samples));
    } catch (const Failure& failure) {
        return failure.error;
    }
}

} // namespace kernelarium::operators
