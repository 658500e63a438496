// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic and comparisons of two operands, and choice.
#include "core/task/operators/ArgumentReading.h"
#include "gpu/operators/DeviceCall.h"

#include <limits>

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::computeType;
using tensor::DType;

namespace {

DeviceResults combineWith(const DeviceCall& call, std::string function, std::vector<Operand> inputs,
                          std::array<double, 4> parameters = {}) {
    return {compute(call.device, {std::move(function), computeType(call.type()), parameters}, call.type(), inputs)};
}
DeviceResults combineBoth(const DeviceCall& call, std::string function, std::string_view second = "other") {
    return combineWith(call, std::move(function), {call.operand(0, "self"), call.operand(1, second)});
}

DeviceResults addScaled(const DeviceCall& call, Operand a, Operand b, double sign) {
    const double alpha = task::operators::addedScale(call.host, sign);
    if (alpha == 1.0) return combineWith(call, "Add", {std::move(a), std::move(b)});
    if (alpha == -1.0) return combineWith(call, "Sub", {std::move(a), std::move(b)});
    return combineWith(call, "AddScaled", {std::move(a), std::move(b)}, {alpha});
}
DeviceResults add(const DeviceCall& call) {
    return addScaled(call, call.operand(0, "self"), call.operand(1, "other"), 1.0);
}
DeviceResults sub(const DeviceCall& call) {
    return addScaled(call, call.operand(0, "self"), call.operand(1, "other"), -1.0);
}
DeviceResults rsub(const DeviceCall& call) {
    return addScaled(call, call.operand(1, "other"), call.operand(0, "self"), -1.0);
}
DeviceResults mul(const DeviceCall& call) {
    return combineBoth(call, "Mul");
}
DeviceResults div(const DeviceCall& call) {
    using task::operators::Rounding;
    const Rounding rounding = task::operators::roundingOf(call.host);
    if (rounding != Rounding::none && !isFloating(call.type()))
        throw Failure{{"unsupported", fmt::format("{} of {} with a rounding mode has no kernel of ours.",
                                                  call.host.name(), tensor::name(call.type()))}};
    if (rounding == Rounding::floor) return combineBoth(call, "FloorDivide");
    if (rounding == Rounding::trunc) return combineBoth(call, "TruncDivide");
    return combineBoth(call, "Div");
}
DeviceResults pow(const DeviceCall& call) {
    if (!isFloating(call.type())) throw Failure{{"unsupported", "Powers of whole numbers have no kernel of ours."}};
    return combineBoth(call, "Power", "exponent");
}
/// Of floats only: whole numbers would have to refuse a division by zero.
DeviceResults floatsOnly(const DeviceCall& call, std::string function) {
    if (!isFloating(call.type()))
        throw Failure{{"unsupported", fmt::format("{} of whole numbers has no kernel of ours.", call.host.name())}};
    return combineBoth(call, std::move(function));
}
DeviceResults floorDivide(const DeviceCall& call) {
    return floatsOnly(call, "FloorDivide");
}
DeviceResults remainder(const DeviceCall& call) {
    return floatsOnly(call, "Remainder");
}
DeviceResults fmod(const DeviceCall& call) {
    return floatsOnly(call, "Fmod");
}
DeviceResults atan2(const DeviceCall& call) {
    return combineBoth(call, "Atan2");
}
DeviceResults bitwiseAnd(const DeviceCall& call) {
    return combineBoth(call, "BitAnd");
}
DeviceResults bitwiseOr(const DeviceCall& call) {
    return combineBoth(call, "BitOr");
}
DeviceResults bitwiseXor(const DeviceCall& call) {
    return combineBoth(call, "BitXor");
}

/// self + value * (tensor1 * or / tensor2)
DeviceResults fused(const DeviceCall& call, std::string function) {
    const DType type = computeType(call.type());
    const DeviceTensor part = compute(call.device, {std::move(function), type}, call.type(),
                                      {call.tensor(1, "tensor1"), call.tensor(2, "tensor2")});
    return combineWith(call, "AddScaled", {call.tensor(0, "self"), part}, {call.host.number(3, "value", 1.0)});
}
DeviceResults addcmul(const DeviceCall& call) {
    return fused(call, "Mul");
}
DeviceResults addcdiv(const DeviceCall& call) {
    return fused(call, "Div");
}
DeviceResults lerp(const DeviceCall& call) {
    const DType type = computeType(call.type());
    const DeviceTensor distance =
        compute(call.device, {"Sub", type}, call.type(), {call.tensor(1, "end"), call.tensor(0, "self")});
    const DeviceTensor step = compute(call.device, {"Mul", type}, call.type(), {distance, call.operand(2, "weight")});
    return combineWith(call, "Add", {call.tensor(0, "self"), step});
}
DeviceResults maximum(const DeviceCall& call) {
    return combineBoth(call, "Maximum");
}
DeviceResults minimum(const DeviceCall& call) {
    return combineBoth(call, "Minimum");
}

/// Bounds that are numbers or tensors, each of which may be missing.
DeviceResults clampBetween(const DeviceCall& call, bool low, bool high, std::size_t highAt) {
    Operand x = call.operand(0, "self");
    const auto bound = [&](std::string function, Operand limit) {
        x = compute(call.device, {std::move(function), computeType(call.type())}, call.type(), {x, std::move(limit)});
    };
    if (low) bound("Maximum", call.operand(1, "min"));
    if (high) bound("Minimum", call.operand(highAt, "max"));
    return {*x.tensor};
}
DeviceResults clamp(const DeviceCall& call) {
    return clampBetween(call, call.find(1, "min") != nullptr, call.find(2, "max") != nullptr, 2);
}
DeviceResults clampMin(const DeviceCall& call) {
    return clampBetween(call, true, false, 1);
}
DeviceResults clampMax(const DeviceCall& call) {
    return clampBetween(call, false, true, 1);
}

DeviceResults comparedWith(const DeviceCall& call, std::string function) {
    const std::array both{task::operators::input(call.host, 0, "self").operand,
                          task::operators::input(call.host, 1, "other").operand};
    const DType type = computeType(task::operators::promote(both));
    return {compute(call.device, {std::move(function), type}, DType::Bool,
                    {call.operand(0, "self"), call.operand(1, "other")})};
}
DeviceResults eq(const DeviceCall& call) {
    return comparedWith(call, "Equal");
}
DeviceResults ne(const DeviceCall& call) {
    return comparedWith(call, "NotEqual");
}
DeviceResults lt(const DeviceCall& call) {
    return comparedWith(call, "Less");
}
DeviceResults le(const DeviceCall& call) {
    return comparedWith(call, "LessEqual");
}
DeviceResults gt(const DeviceCall& call) {
    return comparedWith(call, "Greater");
}
DeviceResults ge(const DeviceCall& call) {
    return comparedWith(call, "GreaterEqual");
}
DeviceResults logicalAnd(const DeviceCall& call) {
    return comparedWith(call, "And");
}
DeviceResults logicalOr(const DeviceCall& call) {
    return comparedWith(call, "Or");
}

DeviceResults logicalXor(const DeviceCall& call) {
    return comparedWith(call, "Xor");
}

DeviceResults chooseFrom(const DeviceCall& call, Operand condition, Operand yes, Operand no) {
    return combineWith(call, "Choose", {std::move(condition), std::move(yes), std::move(no)});
}
DeviceResults where(const DeviceCall& call) {
    return chooseFrom(call, call.tensor(0, "condition"), call.operand(1, "self"), call.operand(2, "other"));
}
DeviceResults maskedFill(const DeviceCall& call) {
    return chooseFrom(call, call.tensor(1, "mask"), call.operand(2, "value"), call.tensor(0, "self"));
}

constexpr DeviceEntry arithmeticEntries[] = {
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
    {"aten.divide.Tensor", div},
    {"aten.true_divide.Tensor", div},
    {"aten.pow.Tensor_Scalar", pow},
    {"aten.pow.Tensor_Tensor", pow},
    {"aten.pow.Scalar", pow},
    {"aten.div.Scalar_mode", div},
    {"aten.floor_divide.default", floorDivide},
    {"aten.floor_divide.Scalar", floorDivide},
    {"aten.remainder.Tensor", remainder},
    {"aten.remainder.Scalar", remainder},
    {"aten.fmod.Tensor", fmod},
    {"aten.fmod.Scalar", fmod},
    {"aten.atan2.default", atan2},
    {"aten.bitwise_and.Tensor", bitwiseAnd},
    {"aten.bitwise_and.Scalar", bitwiseAnd},
    {"aten.bitwise_or.Tensor", bitwiseOr},
    {"aten.bitwise_or.Scalar", bitwiseOr},
    {"aten.bitwise_xor.Tensor", bitwiseXor},
    {"aten.bitwise_xor.Scalar", bitwiseXor},
    {"aten.addcmul.default", addcmul},
    {"aten.addcdiv.default", addcdiv},
    {"aten.lerp.Scalar", lerp},
    {"aten.lerp.Tensor", lerp},
    {"aten.logical_xor.default", logicalXor},
    {"aten.clamp.Tensor", clamp},
    {"aten.maximum.default", maximum},
    {"aten.minimum.default", minimum},
    {"aten.max.other", maximum},
    {"aten.min.other", minimum},
    {"aten.clamp.default", clamp},
    {"aten.clip.default", clamp},
    {"aten.clamp_min.default", clampMin},
    {"aten.clamp_max.default", clampMax},
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
    {"aten.where.self", where},
    {"aten.where.ScalarSelf", where},
    {"aten.where.ScalarOther", where},
    {"aten.where.Scalar", where},
    {"aten.masked_fill.Scalar", maskedFill},
    {"aten.masked_fill.Tensor", maskedFill},
};

} // namespace

DeviceFamily deviceArithmetic() {
    return arithmeticEntries;
}

} // namespace kernelarium::operators
