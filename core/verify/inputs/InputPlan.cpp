// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/InputPlan.h"

#include "core/threads/FanOut.h"
#include "core/verify/inputs/NormalDraws.h"
#include "core/verify/inputs/Philox.h"
#include "core/verify/inputs/TensorStructure.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::verify {

namespace {

using tensor::Tensor;
using tensor::Value;

/// Elements from 2 * pair on come in pairs, each pair from one counter.
struct PairDraw {
    Distribution distribution;
    Philox generator;
    std::uint32_t index;
    std::uint32_t stream;

    std::array<double, 2> operator()(std::uint64_t pair) const {
        const auto words = generator({std::uint32_t(pair), std::uint32_t(pair >> 32), index, stream});
        const double a = distribution.a;
        const double b = distribution.b;
        const std::array<double, 2> unit = {unitInterval(words[0], words[1]), unitInterval(words[2], words[3])};
        switch (distribution.kind) {
        case Distribution::Kind::uniform: return {a + (b - a) * unit[0], a + (b - a) * unit[1]};
        case Distribution::Kind::integer:
            return {std::floor(a + (b - a + 1) * unit[0]), std::floor(a + (b - a + 1) * unit[1])};
        case Distribution::Kind::boolean: return {unit[0] < a ? 1.0 : 0.0, unit[1] < a ? 1.0 : 0.0};
        case Distribution::Kind::sign: return {unit[0] < 0.5 ? -1.0 : 1.0, unit[1] < 0.5 ? -1.0 : 1.0};
        case Distribution::Kind::constant:
            if (stream == 0) return {a, a};
            if (a != 0) return {a * (1 + unit[0] / 4), a * (1 + unit[1] / 4)};
            return scaled(normalPair(words), 0, 0.1);
        case Distribution::Kind::probabilities: return normalPair(words);
        case Distribution::Kind::symmetric: return scaled(normalPair(words), a, b * 1.4142135623730951);
        case Distribution::Kind::variedProbabilities: return normalPair(words);
        case Distribution::Kind::varied:
        case Distribution::Kind::normal:
        case Distribution::Kind::upperTriangular:
        case Distribution::Kind::lowerTriangular: return scaled(normalPair(words), a, b);
        case Distribution::Kind::causalMask: return {1, 1};
        case Distribution::Kind::values: {
            const std::vector<double>& v = distribution.values;
            return {v.at(2 * pair % v.size()), v.at((2 * pair + 1) % v.size())};
        }
        }
        return {0, 0};
    }

    static std::array<double, 2> scaled(const std::array<double, 2>& n, double mean, double deviation) {
        return {mean + deviation * n[0], mean + deviation * n[1]};
    }
};

/// Draws whole batches of pairs where they are normal or uniform float32 numbers: nearly always. Returns the pair that
/// comes after the last one drawn.
std::int64_t drawBatches(float* floats, const PairDraw& draw, std::int64_t from, std::int64_t to) {
    using Kind = Distribution::Kind;
    const Kind kind = draw.distribution.kind;
    const bool uniform = kind == Kind::uniform;
    const bool normal =
        kind == Kind::normal || kind == Kind::varied || kind == Kind::upperTriangular || kind == Kind::lowerTriangular;
    constexpr auto batch = std::int64_t(pairsAtATime);
    const double a = draw.distribution.a, b = draw.distribution.b, scale = uniform ? b - a : b;
    DrawnPairs drawn;
    for (; (uniform || normal) && from + batch <= to; from += batch) {
        (uniform ? drawUnits : drawNormals)(draw.generator, std::uint64_t(from), draw.index, draw.stream, drawn);
        for (std::size_t i = 0; i < drawn.size(); ++i)
            floats[2 * from + std::int64_t(i)] = float(a + scale * drawn[i]);
    }
    return from;
}

void drawPairs(Tensor& tensor, const PairDraw& draw, std::int64_t from, std::int64_t to) {
    const std::int64_t count = tensor.count();
    float* floats = tensor.dtype() == tensor::DType::Float32 ? tensor.data<float>() : nullptr;
    if (floats) from = drawBatches(floats, draw, from, std::min(to, count / 2));
    for (std::int64_t pair = from; pair < to; ++pair) {
        const auto values = draw(std::uint64_t(pair));
        for (std::int64_t k = 0; k < 2 && 2 * pair + k < count; ++k) {
            if (floats)
                floats[2 * pair + k] = float(values[std::size_t(k)]);
            else
                tensor.set(2 * pair + k, values[std::size_t(k)]);
        }
    }
}

/// Stretches and moves every slice of the first dimension by numbers of its own.
void varySlices(Tensor& tensor, const PairDraw& draw) {
    const std::int64_t slices = tensor.dim() > 0 ? tensor.shape()[0] : 1;
    const std::int64_t length = slices ? tensor.count() / slices : 0;
    constexpr std::uint32_t ownCounters = 0x80000000u; // apart from those of the elements
    const bool logits = draw.distribution.kind == Distribution::Kind::variedProbabilities;
    const double spread = logits ? 1.0 : draw.distribution.b;
    for (std::int64_t s = 0; s < slices; ++s) {
        const auto words =
            draw.generator({std::uint32_t(s), ownCounters + std::uint32_t(s >> 32), draw.index, draw.stream});
        const double factor = 0.5 + 1.5 * unitInterval(words[0], words[1]);
        const double offset = spread * (2 * unitInterval(words[2], words[3]) - 1);
        for (std::int64_t i = s * length; i < (s + 1) * length; ++i)
            tensor.set(i, factor * tensor.at(i) + offset);
    }
}

double withSign(double value, Signs signs, std::int64_t place) {
    constexpr std::int64_t stretch = 251;
    if (signs == Signs::stretches)
        signs = place / stretch % 4 == 0 ? Signs::positive : place / stretch % 4 == 1 ? Signs::negative : Signs::drawn;
    if (signs == Signs::drawn) return value;
    return signs == Signs::positive ? std::abs(value) : -std::abs(value);
}

/// u^4 of every place along a dimension.
std::vector<double> weightsAlong(std::int64_t size) {
    std::vector<double> weights(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        const double u = double(i + 1) / double(size), square = u * u;
        weights[std::size_t(i)] = square * square;
    }
    return weights;
}

void rampElements(Tensor& tensor, const Ramp& ramp) {
    if (tensor.count() == 0) return;
    const tensor::Shape& shape = tensor.shape();
    const std::size_t rank = std::min(shape.size(), Ramp::dimensions);
    std::vector<std::vector<double>> weights; // the last dimension's first
    for (std::size_t d = 0; d < rank; ++d)
        weights.push_back(weightsAlong(shape[shape.size() - 1 - d]));
    if (rank == 0) weights.push_back({1.0});
    float* floats = tensor.dtype() == tensor::DType::Float32 ? tensor.data<float>() : nullptr;
    const std::vector<double>& last = weights.front();
    const auto length = std::int64_t(last.size());
    const double dimensions = double(std::max<std::size_t>(rank, 1)), growth = ramp.to - ramp.from;
    std::vector<double> outer(weights.size() - 1);
    for (std::int64_t begin = 0; begin < tensor.count(); begin += length) {
        std::int64_t rest = begin / length;
        for (std::size_t d = 1; d < weights.size(); rest /= std::int64_t(weights[d++].size()))
            outer[d - 1] = weights[d][std::size_t(rest % std::int64_t(weights[d].size()))];
        for (std::int64_t k = 0; k < length; ++k) {
            double sum = last[std::size_t(k)];
            for (const double weight : outer)
                sum += weight;
            const std::int64_t i = begin + k;
            const double element = floats ? floats[i] : tensor.at(i);
            const double value = (ramp.from + growth * (sum / dimensions)) * (element + ramp.shift);
            if (floats)
                floats[i] = float(withSign(value, ramp.signs, i));
            else
                tensor.set(i, withSign(value, ramp.signs, i));
        }
    }
}

Value build(const ArgumentPlan& plan, const std::vector<Tensor>& tensors) {
    if (const auto* t = std::get_if<ArgumentPlan::Tensor>(&plan.kind)) return tensors[t->index];
    if (const auto* l = std::get_if<ArgumentPlan::List>(&plan.kind)) {
        tensor::List list;
        for (const ArgumentPlan& item : l->items)
            list.push_back(build(item, tensors));
        return list;
    }
    if (const auto* d = std::get_if<ArgumentPlan::Dict>(&plan.kind)) {
        tensor::Dict dict;
        for (const auto& [key, item] : d->items)
            dict.emplace_back(key, build(item, tensors));
        return dict;
    }
    return std::get<Value>(plan.kind);
}

} // namespace

Tensor drawTensor(const TensorPlan& plan, std::size_t index, std::uint64_t seed, std::uint32_t stream) {
    Tensor result = Tensor::uninitialised(plan.dtype, plan.shape);
    const PairDraw draw{plan.distribution, Philox(seed), std::uint32_t(index), stream};
    const std::int64_t pairs = (result.count() + 1) / 2;
    constexpr std::int64_t pairsPerThread = 1 << 17;
    const std::int64_t parts = std::clamp<std::int64_t>(pairs / pairsPerThread, 1, threads::cores());
    threads::forEach(std::size_t(parts), std::size_t(parts), [&](std::size_t item, std::size_t) {
        const auto part = std::int64_t(item);
        drawPairs(result, draw, pairs * part / parts, pairs * (part + 1) / parts);
    });
    using Kind = Distribution::Kind;
    if (plan.distribution.kind == Kind::varied || plan.distribution.kind == Kind::variedProbabilities)
        varySlices(result, draw);
    if (plan.distribution.ramp.changesAnything()) rampElements(result, plan.distribution.ramp);
    applyStructure(result, plan.distribution.kind);
    return result;
}

std::vector<Tensor> drawTensors(const InputPlan& plan, std::uint64_t seed) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i)
        tensors.push_back(drawTensor(plan.tensors[i], i, seed));
    return tensors;
}

OutputArguments outputsOf(const InputPlan& plan) {
    OutputArguments outputs{{}, plan.outputs.places, plan.outputs.updated};
    for (const OutputPlan::Fresh& fresh : plan.outputs.fresh)
        outputs.fresh.push_back(Tensor::shapeOnly(fresh.dtype, fresh.shape));
    return outputs;
}

std::vector<Value> argumentsOf(const InputPlan& plan, const std::vector<Tensor>& tensors) {
    std::vector<Value> arguments;
    for (const ArgumentPlan& argument : plan.arguments)
        arguments.push_back(build(argument, tensors));
    return arguments;
}

} // namespace kernelarium::verify
