// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of two operands, and functions of one that keep the operand's type.
#include "core/task/operators/ArgumentReading.h"
#include "core/task/operators/Pointwise.h"

#include <cmath>

namespace kernelarium::task::operators {

namespace {

/// How the result type of two operands is found.
enum class Rule {
    same,    ///< the promoted type
    divides, ///< the promoted type, integers to float32 (true division)
};

template <class F> Tensor combine(const Call& call, const Input& a, const Input& b, F f, Rule rule = Rule::same) {
    DType type = promote(std::array{a.operand, b.operand});
    if (rule == Rule::divides && !isFloating(type)) type = DType::Float32;
    return zip(call, a.tensor, b.tensor, computeType(type), f).to(type);
}

/// x + alpha * y with alpha read from the call.
Results addScaled(const Call& call, const Input& a, const Input& b, double sign) {
    const double alpha = addedScale(call, sign);
    if (alpha == 1.0) return {combine(call, a, b, [](auto x, auto y) { return x + y; })};
    if (alpha == -1.0) return {combine(call, a, b, [](auto x, auto y) { return x - y; })};
    return {combine(call, a, b, [alpha](auto x, auto y) { return x + decltype(x)(alpha) * y; })};
}
Results add(const Call& call) {
    return addScaled(call, input(call, 0, "self"), input(call, 1, "other"), 1.0);
}
Results sub(const Call& call) {
    const Input a = input(call, 0, "self"), b = input(call, 1, "other");
    require(a.tensor.dtype() != DType::Bool || b.tensor.dtype() != DType::Bool,
            "Subtraction, the `-` operator, with two bool tensors is not supported.");
    return addScaled(call, a, b, -1.0);
}
Results rsub(const Call& call) {
    return addScaled(call, input(call, 1, "other"), input(call, 0, "self"), -1.0);
}
Results mul(const Call& call) {
    return {combine(call, input(call, 0, "self"), input(call, 1, "other"), [](auto x, auto y) { return x * y; })};
}

template <class T> T floorDivide(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
        if (y == 0) badArgument("ZeroDivisionError: integer division by zero.");
        const T q = x / y;
        return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
    } else
        return std::floor(x / y);
}
template <class T> T truncDivide(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
        if (y == 0) badArgument("ZeroDivisionError: integer division by zero.");
        return x / y;
    } else
        return std::trunc(x / y);
}
Results div(const Call& call) {
    const Input a = input(call, 0, "self"), b = input(call, 1, "other");
    const Rounding rounding = roundingOf(call);
    if (rounding == Rounding::floor) return {combine(call, a, b, [](auto x, auto y) { return floorDivide(x, y); })};
    if (rounding == Rounding::trunc) return {combine(call, a, b, [](auto x, auto y) { return truncDivide(x, y); })};
    return {combine(
        call, a, b,
        [](auto x, auto y) {
            if constexpr (std::is_integral_v<decltype(x)>)
                return y ? x / y : x; // not reached: integers were promoted
            else
                return x / y;
        },
        Rule::divides)};
}
Results floorDiv(const Call& call) {
    return {combine(call, input(call, 0, "self"), input(call, 1, "other"),
                    [](auto x, auto y) { return floorDivide(x, y); })};
}
Results remainder(const Call& call) {
    return {combine(call, input(call, 0, "self"), input(call, 1, "other"),
                    [](auto x, auto y) { return x - floorDivide(x, y) * y; })};
}
Results fmod(const Call& call) {
    return {combine(call, input(call, 0, "self"), input(call, 1, "other"), [](auto x, auto y) {
        if constexpr (std::is_integral_v<decltype(x)>)
            return x - truncDivide(x, y) * y;
        else
            return std::fmod(x, y);
    })};
}

template <class T> T power(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
        if (y < 0) badArgument("Integers to negative integer powers are not allowed.");
        T result = 1;
        for (; y; y >>= 1, x *= x)
            if (y & 1) result *= x;
        return result;
    } else {
        if (y == T(2)) return x * x;
        if (y == T(3)) return x * x * x;
        if (y == T(0.5)) return std::sqrt(x);
        return std::pow(x, y);
    }
}
Results pow(const Call& call) {
    return {
        combine(call, input(call, 0, "self"), input(call, 1, "exponent"), [](auto x, auto y) { return power(x, y); })};
}
Results atan2(const Call& call) {
    return {combine(
        call, input(call, 0, "self"), input(call, 1, "other"),
        [](auto x, auto y) { return decltype(x)(std::atan2(x, y)); }, Rule::divides)};
}

/// NaN wins, as in torch.maximum and torch.clamp.
template <class T> T larger(T x, T y) {
    return x != x || x > y ? x : y != y ? y : x > y ? x : y;
}
template <class T> T smaller(T x, T y) {
    return x != x || x < y ? x : y != y ? y : x < y ? x : y;
}
Results maximum(const Call& call) {
    return {
        combine(call, input(call, 0, "self"), input(call, 1, "other"), [](auto x, auto y) { return larger(x, y); })};
}
Results minimum(const Call& call) {
    return {
        combine(call, input(call, 0, "self"), input(call, 1, "other"), [](auto x, auto y) { return smaller(x, y); })};
}

/// self clamped by bounds that may each be missing, numbers or tensors.
Results clampBetween(const Call& call, const Value* low, const Value* high, std::size_t lowAt, std::size_t highAt) {
    require(low || high, "torch.clamp: At least one of 'min' or 'max' must not be None.");
    Input x = input(call, 0, "self");
    if (low) x.tensor = combine(call, x, input(call, lowAt, "min"), [](auto a, auto b) { return larger(a, b); });
    x.operand.dtype = x.tensor.dtype();
    if (high) x.tensor = combine(call, x, input(call, highAt, "max"), [](auto a, auto b) { return smaller(a, b); });
    return {x.tensor};
}
Results clamp(const Call& call) {
    return clampBetween(call, call.find(1, "min"), call.find(2, "max"), 1, 2);
}
Results clampMin(const Call& call) {
    return clampBetween(call, call.find(1, "min"), nullptr, 1, 1);
}
Results clampMax(const Call& call) {
    return clampBetween(call, nullptr, call.find(1, "max"), 1, 1);
}
Results hardtanh(const Call& call) {
    const double low = call.number(1, "min_val", -1.0), high = call.number(2, "max_val", 1.0);
    return {mapAny(call, call.tensor(0, "self"), [low, high](auto x) {
        using T = decltype(x);
        return smaller(larger(x, T(low)), T(high));
    })};
}

Results relu(const Call& call) {
    return {mapAny(call, call.tensor(0, "self"), [](auto x) { return larger(x, decltype(x)(0)); })};
}
Results relu6(const Call& call) {
    return {mapAny(call, call.tensor(0, "self"), [](auto x) {
        using T = decltype(x);
        return smaller(larger(x, T(0)), T(6));
    })};
}
Results threshold(const Call& call) {
    const double limit = call.number(1, "threshold"), value = call.number(2, "value");
    return {mapAny(call, call.tensor(0, "self"),
                   [limit, value](auto x) { return x <= decltype(x)(limit) ? decltype(x)(value) : x; })};
}
Results abs(const Call& call) {
    return {mapAny(call, call.tensor(0, "self"), [](auto x) { return std::abs(x); })};
}
Results neg(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    require(x.dtype() != DType::Bool, "Negation, the `-` operator, on a bool tensor is not supported.");
    return {mapAny(call, x, [](auto v) { return -v; })};
}
Results sign(const Call& call) {
    return {mapAny(call, call.tensor(0, "self"), [](auto x) {
        using T = decltype(x);
        return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
    })};
}
Results square(const Call& call) {
    return {mapAny(call, call.tensor(0, "self"), [](auto x) { return x * x; })};
}
template <class F> Results rounding(const Call& call, F f) {
    const Tensor x = call.tensor(0, "self");
    return {isFloating(x.dtype()) ? mapFloating(call, x, f) : x};
}
Results floor(const Call& call) {
    return rounding(call, [](auto x) { return std::floor(x); });
}
Results ceil(const Call& call) {
    return rounding(call, [](auto x) { return std::ceil(x); });
}
Results trunc(const Call& call) {
    return rounding(call, [](auto x) { return std::trunc(x); });
}
Results round(const Call& call) {
    if (call.integer(1, "decimals", 0) != 0) unsupported("aten.round with decimals is not supported.");
    return rounding(call, [](auto x) { return std::nearbyint(x); });
}

Tensor scaledBy(const Call& call, const Tensor& t, double factor) {
    return factor == 1.0 ? t : mapFloating(call, t, [factor](auto x) { return x * decltype(x)(factor); });
}
/// self + value * t1 (* or /) t2
template <class F> Results fused(const Call& call, F f) {
    const Tensor self = call.tensor(0, "self"), t1 = call.tensor(1, "tensor1"), t2 = call.tensor(2, "tensor2");
    const DType type = promoteTypes(self.dtype(), promoteTypes(t1.dtype(), t2.dtype()));
    const Tensor product = scaledBy(call, zip(call, t1, t2, computeType(type), f), call.number(3, "value", 1.0));
    return {zip(call, self, product, computeType(type), [](auto x, auto y) { return x + y; }).to(type)};
}
Results addcmul(const Call& call) {
    return fused(call, [](auto x, auto y) { return x * y; });
}
Results addcdiv(const Call& call) {
    return fused(call,
                 [](auto x, auto y) { return y == decltype(y)(0) && std::is_integral_v<decltype(y)> ? x : x / y; });
}
Results lerp(const Call& call) {
    const Input a = input(call, 0, "self"), b = input(call, 1, "end"), w = input(call, 2, "weight");
    const Tensor distance = combine(call, b, a, [](auto x, auto y) { return x - y; });
    const Tensor step = combine(call, Input{distance, {distance.dtype(), distance.dim() > 0, false}}, w,
                                [](auto x, auto y) { return x * y; });
    return {combine(call, a, Input{step, {step.dtype(), step.dim() > 0, false}}, [](auto x, auto y) { return x + y; })};
}

constexpr Entry arithmeticEntries[] = {
    {"aten.add.Tensor", add},
    {"aten.add.Scalar", add},
    {"aten.sub.Tensor", sub},
    {"aten.sub.Scalar", sub},
    {"aten.subtract.Tensor", sub},
    {"aten.rsub.Tensor", rsub},
    {"aten.rsub.Scalar", rsub},
    {"aten.mul.Tensor", mul},
    {"aten.mul.Scalar", mul},
    {"aten.multiply.Tensor", mul},
    {"aten.multiply.Scalar", mul},
    {"aten.div.Tensor", div},
    {"aten.div.Scalar", div},
    {"aten.div.Tensor_mode", div},
    {"aten.div.Scalar_mode", div},
    {"aten.divide.Tensor", div},
    {"aten.true_divide.Tensor", div},
    {"aten.floor_divide.default", floorDiv},
    {"aten.floor_divide.Scalar", floorDiv},
    {"aten.remainder.Tensor", remainder},
    {"aten.remainder.Scalar", remainder},
    {"aten.fmod.Tensor", fmod},
    {"aten.fmod.Scalar", fmod},
    {"aten.pow.Tensor_Scalar", pow},
    {"aten.pow.Tensor_Tensor", pow},
    {"aten.pow.Scalar", pow},
    {"aten.atan2.default", atan2},
    {"aten.maximum.default", maximum},
    {"aten.minimum.default", minimum},
    {"aten.max.other", maximum},
    {"aten.min.other", minimum},
    {"aten.clamp.default", clamp},
    {"aten.clamp.Tensor", clamp},
    {"aten.clip.default", clamp},
    {"aten.clamp_min.default", clampMin},
    {"aten.clamp_max.default", clampMax},
    {"aten.hardtanh.default", hardtanh},
    {"aten.relu.default", relu},
    {"aten.relu6.default", relu6},
    {"aten.threshold.default", threshold},
    {"aten.abs.default", abs},
    {"aten.neg.default", neg},
    {"aten.negative.default", neg},
    {"aten.sign.default", sign},
    {"aten.square.default", square},
    {"aten.floor.default", floor},
    {"aten.ceil.default", ceil},
    {"aten.trunc.default", trunc},
    {"aten.round.default", round},
    {"aten.addcmul.default", addcmul},
    {"aten.addcdiv.default", addcdiv},
    {"aten.lerp.Scalar", lerp},
    {"aten.lerp.Tensor", lerp},
};

} // namespace

Family arithmeticFamily() {
    return arithmeticEntries;
}

} // namespace kernelarium::task::operators
