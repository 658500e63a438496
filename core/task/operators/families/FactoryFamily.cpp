// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that make tensors: constants, ranges and random numbers.
#include "core/task/operators/Pointwise.h"
#include "core/tensor/Limits.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

Tensor filled(const Call& call, DType type, const Shape& shape, double value) {
    Tensor out = call.make(type, shape);
    if (call.shapesOnly() || value == 0.0 || out.count() == 0) return out;
    out.set(0, value);
    withBits(type, [&](auto tag) {
        using T = decltype(tag);
        std::fill_n(out.data<T>(), out.count(), *out.data<T>());
    });
    return out;
}

/// Positional arguments may hold the type after the shape (a schema's keyword-only argument, given by place).
DType typeOr(const Call& call, std::size_t index, DType missing) {
    return call.dtype(index, "dtype").value_or(missing);
}

Results zeros(const Call& call) {
    return {filled(call, typeOr(call, 1, DType::Float32), call.integers(0, "size"), 0.0)};
}
Results ones(const Call& call) {
    return {filled(call, typeOr(call, 1, DType::Float32), call.integers(0, "size"), 1.0)};
}
DType typeOfNumber(const Value* value) {
    if (value && value->as<bool>()) return DType::Bool;
    if (value && value->as<std::int64_t>()) return DType::Int64;
    return DType::Float32;
}
Results full(const Call& call) {
    return {filled(call, typeOr(call, 2, typeOfNumber(call.find(1, "fill_value"))), call.integers(0, "size"),
                   call.number(1, "fill_value"))};
}
Results scalarTensor(const Call& call) {
    return {filled(call, typeOr(call, 1, DType::Float32), {}, call.number(0, "s"))};
}

Results zerosLike(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {filled(call, typeOr(call, 1, self.dtype()), self.shape(), 0.0)};
}
Results onesLike(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {filled(call, typeOr(call, 1, self.dtype()), self.shape(), 1.0)};
}
Results fullLike(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {filled(call, typeOr(call, 2, self.dtype()), self.shape(), call.number(1, "fill_value"))};
}
Results newZeros(const Call& call) {
    return {filled(call, typeOr(call, 2, call.tensor(0, "self").dtype()), call.integers(1, "size"), 0.0)};
}
Results newOnes(const Call& call) {
    return {filled(call, typeOr(call, 2, call.tensor(0, "self").dtype()), call.integers(1, "size"), 1.0)};
}
Results newFull(const Call& call) {
    return {filled(call, typeOr(call, 3, call.tensor(0, "self").dtype()), call.integers(1, "size"),
                   call.number(2, "fill_value"))};
}
Results fill(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {filled(call, self.dtype(), self.shape(), call.number(1, "value"))};
}
Results zero(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {filled(call, self.dtype(), self.shape(), 0.0)};
}

Tensor range(const Call& call, double start, double end, double step, const Value* integralWitness) {
    require(step != 0.0 && (end - start) / step >= 0.0,
            "upper bound and larger bound inconsistent with step sign, or step is zero.");
    const DType type = call.dtype(9, "dtype").value_or(integralWitness ? DType::Float32 : DType::Int64);
    const double count = std::ceil((end - start) / step);
    require(count <= double(tensor::largestDimension), "arange would have more elements than a dimension can.");
    Tensor out = call.make(type, {std::int64_t(count)});
    if (!call.shapesOnly())
        for (std::int64_t i = 0; i < out.count(); ++i)
            out.set(i, start + double(i) * step);
    return out;
}
/// The first floating number among the arguments, or null where all are integers.
const Value* floatingNumber(const Call& call, std::initializer_list<std::pair<std::size_t, std::string_view>> places) {
    for (const auto& [index, key] : places)
        if (const Value* v = call.find(index, key); v && v->as<double>()) return v;
    return nullptr;
}
Results arange(const Call& call) {
    return {range(call, 0.0, call.number(0, "end"), 1.0, floatingNumber(call, {{0, "end"}}))};
}
Results arangeStart(const Call& call) {
    return {range(call, call.number(0, "start"), call.number(1, "end"), 1.0,
                  floatingNumber(call, {{0, "start"}, {1, "end"}}))};
}
Results arangeStep(const Call& call) {
    return {range(call, call.number(0, "start"), call.number(1, "end"), call.number(2, "step", 1.0),
                  floatingNumber(call, {{0, "start"}, {1, "end"}, {2, "step"}}))};
}
Results linspace(const Call& call) {
    const double start = call.number(0, "start"), end = call.number(1, "end");
    const std::int64_t steps = call.integer(2, "steps");
    Tensor out = call.make(typeOr(call, 3, DType::Float32), {steps});
    if (call.shapesOnly()) return {out};
    for (std::int64_t i = 0; i < steps; ++i)
        out.set(i, steps == 1 ? start : start + (end - start) * double(i) / double(steps - 1));
    return {out};
}
Results eye(const Call& call) {
    const std::int64_t n = call.integer(0, "n"), m = call.integer(1, "m", n);
    Tensor out = call.make(call.dtype(9, "dtype").value_or(DType::Float32), {n, m});
    if (!call.shapesOnly())
        for (std::int64_t i = 0; i < std::min(n, m); ++i)
            out.set(i * m + i, 1.0);
    return {out};
}

/// SplitMix64's output function (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014) of
/// a counter.
std::uint64_t random64(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
double uniform(std::uint64_t seed, std::uint64_t index) {
    return double(random64(seed, index) >> 11) * 0x1p-53;
}
double normal(std::uint64_t seed, std::uint64_t index) { // Box and Muller
    return std::sqrt(-2.0 * std::log(1.0 - uniform(seed, 2 * index))) *
           std::cos(2.0 * std::numbers::pi * uniform(seed, 2 * index + 1));
}
template <class F> Tensor drawn(const Call& call, DType type, const Shape& shape, F f) {
    Tensor out = call.make(type, shape);
    if (!call.shapesOnly())
        for (std::int64_t i = 0; i < out.count(); ++i)
            out.set(i, f(call.context().seed, std::uint64_t(i)));
    return out;
}
Results rand(const Call& call) {
    return {drawn(call, typeOr(call, 1, DType::Float32), call.integers(0, "size"), uniform)};
}
Results randn(const Call& call) {
    return {drawn(call, typeOr(call, 1, DType::Float32), call.integers(0, "size"), normal)};
}
Results randLike(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {drawn(call, typeOr(call, 1, self.dtype()), self.shape(), uniform)};
}
Results randnLike(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {drawn(call, typeOr(call, 1, self.dtype()), self.shape(), normal)};
}
Tensor integersBetween(const Call& call, std::int64_t low, std::int64_t high, const Shape& shape) {
    require(high > low, "random_ expects 'from' to be less than 'to'.");
    return drawn(call, call.dtype(9, "dtype").value_or(DType::Int64), shape, [&](std::uint64_t seed, std::uint64_t i) {
        return double(low + std::int64_t(random64(seed, i) % std::uint64_t(high - low)));
    });
}
Results randint(const Call& call) {
    return {integersBetween(call, 0, call.integer(0, "high"), call.integers(1, "size"))};
}
Results randintLow(const Call& call) {
    return {integersBetween(call, call.integer(0, "low"), call.integer(1, "high"), call.integers(2, "size"))};
}

/// Dropped elements are 0, the others scaled so that the mean stays.
Results dropout(const Call& call) {
    const Tensor x = call.tensor(0, "input");
    const double p = call.number(1, "p", 0.5);
    if (p < 0.0 || p > 1.0) badArgument(fmt::format("dropout probability has to be between 0 and 1, but got {}.", p));
    if (!call.flag(2, "train", true) || p == 0.0) return {x};
    const std::uint64_t seed = call.context().seed;
    Tensor mask = drawn(call, floating(x).dtype(), x.shape(),
                        [&](std::uint64_t, std::uint64_t i) { return uniform(seed, i) < p ? 0.0 : 1.0 / (1.0 - p); });
    return {zip(call, x, mask, mask.dtype(), [](auto a, auto b) { return a * b; })};
}

constexpr Entry factoryEntries[] = {
    {"aten.zeros.default", zeros, Narrow::keep},
    {"aten.ones.default", ones, Narrow::keep},
    {"aten.full.default", full, Narrow::keep},
    {"aten.scalar_tensor.default", scalarTensor, Narrow::keep},
    {"aten.zeros_like.default", zerosLike, Narrow::keep},
    {"aten.ones_like.default", onesLike, Narrow::keep},
    {"aten.full_like.default", fullLike, Narrow::keep},
    {"aten.new_zeros.default", newZeros, Narrow::keep},
    {"aten.new_ones.default", newOnes, Narrow::keep},
    {"aten.new_full.default", newFull, Narrow::keep},
    {"aten.fill.Scalar", fill, Narrow::keep},
    {"aten.fill.Tensor", fill, Narrow::keep},
    {"aten.zero.default", zero, Narrow::keep},
    {"aten.arange.default", arange, Narrow::keep},
    {"aten.arange.start", arangeStart, Narrow::keep},
    {"aten.arange.start_step", arangeStep, Narrow::keep},
    {"aten.linspace.default", linspace, Narrow::keep},
    {"aten.eye.default", eye, Narrow::keep},
    {"aten.eye.m", eye, Narrow::keep},
    {"aten.rand.default", rand, Narrow::keep},
    {"aten.randn.default", randn, Narrow::keep},
    {"aten.rand_like.default", randLike, Narrow::keep},
    {"aten.randn_like.default", randnLike, Narrow::keep},
    {"aten.randint.default", randint, Narrow::keep},
    {"aten.randint.low", randintLow, Narrow::keep},
    {"aten.dropout.default", dropout},
};

} // namespace

Family factoryFamily() {
    return factoryEntries;
}

} // namespace kernelarium::task::operators
