// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, logic, bits and choice.
#include "core/task/operators/Pointwise.h"

#include <cmath>

namespace kernelarium::task::operators {

namespace {

template <class F> Results compare(const Call& call, F f) {
    const Input a = input(call, 0, "self"), b = input(call, 1, "other");
    return {zip(call, a.tensor, b.tensor, computeType(promote(std::array{a.operand, b.operand})), f)};
}
Results eq(const Call& call) {
    return compare(call, [](auto x, auto y) { return x == y; });
}
Results ne(const Call& call) {
    return compare(call, [](auto x, auto y) { return x != y; });
}
Results lt(const Call& call) {
    return compare(call, [](auto x, auto y) { return x < y; });
}
Results le(const Call& call) {
    return compare(call, [](auto x, auto y) { return x <= y; });
}
Results gt(const Call& call) {
    return compare(call, [](auto x, auto y) { return x > y; });
}
Results ge(const Call& call) {
    return compare(call, [](auto x, auto y) { return x >= y; });
}
Results logicalAnd(const Call& call) {
    return compare(call, [](auto x, auto y) { return bool(x) && bool(y); });
}
Results logicalOr(const Call& call) {
    return compare(call, [](auto x, auto y) { return bool(x) || bool(y); });
}
Results logicalXor(const Call& call) {
    return compare(call, [](auto x, auto y) { return bool(x) != bool(y); });
}

Results logicalNot(const Call& call) {
    Tensor one(DType::Bool, {});
    one.set(0, 1);
    return {zip(call, call.tensor(0, "self").to(DType::Bool), one, DType::Int64,
                [](auto x, auto) { return x == decltype(x)(0); })};
}
Results bitwiseNot(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (x.dtype() == DType::Bool) return logicalNot(call);
    require(!isFloating(x.dtype()), "bitwise_not is not implemented for floating types.");
    return {mapAny(call, x, [](auto v) { return decltype(v)(~std::int64_t(v)); })};
}

template <class F> Results bits(const Call& call, F f) {
    const Input a = input(call, 0, "self"), b = input(call, 1, "other");
    const DType type = promote(std::array{a.operand, b.operand});
    require(!isFloating(type), "Bitwise operators are not implemented for floating types.");
    return {zip(call, a.tensor, b.tensor, DType::Int64, [f](auto x, auto y) {
                return decltype(x)(f(std::int64_t(x), std::int64_t(y)));
            }).to(type)};
}
Results bitwiseAnd(const Call& call) {
    return bits(call, [](std::int64_t x, std::int64_t y) { return x & y; });
}
Results bitwiseOr(const Call& call) {
    return bits(call, [](std::int64_t x, std::int64_t y) { return x | y; });
}
Results bitwiseXor(const Call& call) {
    return bits(call, [](std::int64_t x, std::int64_t y) { return x ^ y; });
}

template <class F> Results classify(const Call& call, F f) {
    const Tensor x = call.tensor(0, "self");
    return {zip(call, x, Tensor(DType::Float64, {}), DType::Float64, [f](auto v, auto) { return bool(f(double(v))); })};
}
Results isnan(const Call& call) {
    return classify(call, [](double x) { return std::isnan(x); });
}
Results isinf(const Call& call) {
    return classify(call, [](double x) { return std::isinf(x); });
}
Results isfinite(const Call& call) {
    return classify(call, [](double x) { return std::isfinite(x); });
}

/// condition ? a : b, all three broadcast; elements are moved as bits.
Tensor choose(const Call& call, const Tensor& condition, const Tensor& a, const Tensor& b) {
    require(condition.dtype() == DType::Bool || condition.dtype() == DType::UInt8,
            "The condition has to be a bool tensor.");
    const Shape shape = broadcastShape(std::array{condition.shape(), a.shape(), b.shape()});
    Tensor out = call.make(a.dtype(), shape);
    if (call.shapesOnly()) return out;
    const auto walk =
        mergeDimensions<3>(shape, {broadcastStrides(condition.shape(), shape), broadcastStrides(a.shape(), shape),
                                   broadcastStrides(b.shape(), shape)});
    withBits(a.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const std::int64_t sc = walk.strides[0].back(), sa = walk.strides[1].back(), sb = walk.strides[2].back();
        forRows(call, walk, [&](const auto& offsets, std::int64_t n, std::int64_t start) {
            const std::uint8_t* c = condition.data<std::uint8_t>() + offsets[0];
            const T* x = a.data<T>() + offsets[1];
            const T* y = b.data<T>() + offsets[2];
            T* to = out.data<T>() + start;
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = c[i * sc] ? x[i * sa] : y[i * sb];
        });
    });
    return out;
}
Results where(const Call& call) {
    const Input a = input(call, 1, "self"), b = input(call, 2, "other");
    const DType type = promote(std::array{a.operand, b.operand});
    return {choose(call, call.tensor(0, "condition"), a.tensor.to(type), b.tensor.to(type))};
}
Results maskedFill(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    const Tensor value = call.tensorOrScalar(2, "value");
    require(value.dim() == 0, "masked_fill only supports a 0-dimensional value tensor.");
    return {choose(call, call.tensor(1, "mask"), value.to(self.dtype()), self)};
}

constexpr Entry comparisonEntries[] = {
    {"aten.eq.Tensor", eq},
    {"aten.eq.Scalar", eq},
    {"aten.ne.Tensor", ne},
    {"aten.ne.Scalar", ne},
    {"aten.lt.Tensor", lt},
    {"aten.lt.Scalar", lt},
    {"aten.le.Tensor", le},
    {"aten.le.Scalar", le},
    {"aten.gt.Tensor", gt},
    {"aten.gt.Scalar", gt},
    {"aten.ge.Tensor", ge},
    {"aten.ge.Scalar", ge},
    {"aten.logical_and.default", logicalAnd},
    {"aten.logical_or.default", logicalOr},
    {"aten.logical_xor.default", logicalXor},
    {"aten.logical_not.default", logicalNot},
    {"aten.bitwise_not.default", bitwiseNot},
    {"aten.bitwise_and.Tensor", bitwiseAnd},
    {"aten.bitwise_and.Scalar", bitwiseAnd},
    {"aten.bitwise_or.Tensor", bitwiseOr},
    {"aten.bitwise_or.Scalar", bitwiseOr},
    {"aten.bitwise_xor.Tensor", bitwiseXor},
    {"aten.bitwise_xor.Scalar", bitwiseXor},
    {"aten.isnan.default", isnan},
    {"aten.isinf.default", isinf},
    {"aten.isfinite.default", isfinite},
    {"aten.where.self", where, Narrow::keep},
    {"aten.where.ScalarSelf", where, Narrow::keep},
    {"aten.where.ScalarOther", where, Narrow::keep},
    {"aten.where.Scalar", where, Narrow::keep},
    {"aten.masked_fill.Scalar", maskedFill, Narrow::keep},
    {"aten.masked_fill.Tensor", maskedFill, Narrow::keep},
};

} // namespace

Family comparisonFamily() {
    return comparisonEntries;
}

} // namespace kernelarium::task::operators
