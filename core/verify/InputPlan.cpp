// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/InputPlan.h"

#include "core/verify/Philox.h"

#include <algorithm>
#include <cmath>
#include <thread>

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
        case Distribution::Kind::normal: {
            const auto n = normalPair(words);
            return {a + b * n[0], a + b * n[1]};
        }
        case Distribution::Kind::uniform: return {a + (b - a) * unit[0], a + (b - a) * unit[1]};
        case Distribution::Kind::integer:
            return {std::floor(a + (b - a) * unit[0]), std::floor(a + (b - a) * unit[1])};
        case Distribution::Kind::constant:
            if (stream == 0) return {a, a};
            if (a != 0) return {a * (1 + unit[0] / 4), a * (1 + unit[1] / 4)};
            {
                const auto n = normalPair(words);
                return {0.1 * n[0], 0.1 * n[1]};
            }
        case Distribution::Kind::listed: break;
        }
        const std::vector<double>& values = distribution.values;
        if (values.empty()) return {0, 0};
        return {values[2 * pair % values.size()], values[(2 * pair + 1) % values.size()]};
    }
};

/// A tensor that only whole numbers fit moves to other whole numbers near its constant or its list.
Distribution movedDistribution(const TensorPlan& plan, std::uint32_t stream) {
    Distribution d = plan.distribution;
    if (stream == 0) return d;
    if (d.kind == Distribution::Kind::listed && !d.values.empty()) {
        const auto [low, high] = std::minmax_element(d.values.begin(), d.values.end());
        if (*low == *high) return {Distribution::Kind::constant, *low, 0, {}};
        if (tensor::isFloating(plan.dtype)) return {Distribution::Kind::uniform, *low, *high, {}};
        return {Distribution::Kind::integer, *low, *high + 1, {}};
    }
    return d;
}

void drawPairs(Tensor& tensor, const PairDraw& draw, std::int64_t from, std::int64_t to) {
    const std::int64_t count = tensor.count();
    float* floats = tensor.dtype() == tensor::DType::Float32 ? tensor.data<float>() : nullptr;
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

Value build(const ArgumentPlan& plan, const std::vector<Tensor>& tensors) {
    if (const auto* t = std::get_if<ArgumentPlan::Tensor>(&plan.kind)) return tensors[t->index];
    if (const auto* l = std::get_if<ArgumentPlan::List>(&plan.kind)) {
        tensor::List list;
        for (const ArgumentPlan& item : l->items) list.push_back(build(item, tensors));
        return list;
    }
    if (const auto* d = std::get_if<ArgumentPlan::Dict>(&plan.kind)) {
        tensor::Dict dict;
        for (const auto& [key, item] : d->items) dict.emplace_back(key, build(item, tensors));
        return dict;
    }
    return std::get<Value>(plan.kind);
}

} // namespace

Tensor drawTensor(const TensorPlan& plan, std::size_t index, std::uint64_t seed, std::uint32_t stream) {
    Tensor result(plan.dtype, plan.shape);
    const PairDraw draw{movedDistribution(plan, stream), Philox(seed), std::uint32_t(index), stream};
    const std::int64_t pairs = (result.count() + 1) / 2;
    constexpr std::int64_t pairsPerThread = 1 << 17;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const std::int64_t threads = std::clamp<std::int64_t>(pairs / pairsPerThread, 1, cores);
    if (threads == 1) {
        drawPairs(result, draw, 0, pairs);
        return result;
    }
    std::vector<std::jthread> workers;
    for (std::int64_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] { drawPairs(result, draw, pairs * t / threads, pairs * (t + 1) / threads); });
    workers.clear();
    return result;
}

std::vector<Tensor> drawTensors(const InputPlan& plan, std::uint64_t seed) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i)
        tensors.push_back(drawTensor(plan.tensors[i], i, seed));
    return tensors;
}

std::vector<Value> argumentsOf(const InputPlan& plan, const std::vector<Tensor>& tensors) {
    std::vector<Value> arguments;
    for (const ArgumentPlan& argument : plan.arguments) arguments.push_back(build(argument, tensors));
    return arguments;
}

} // namespace kernelarium::verify
