// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of one element: those with a floating result, and those that keep the operand's type.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;

namespace {

struct UnaryName {
    std::string_view op;
    std::string_view function;
};
constexpr UnaryName unaryNames[] = {
    {"aten.exp.default", "Exp"},
    {"aten.expm1.default", "Expm1"},
    {"aten.log.default", "Log"},
    {"aten.log2.default", "Log2"},
    {"aten.log1p.default", "Log1p"},
    {"aten.sqrt.default", "Sqrt"},
    {"aten.rsqrt.default", "Rsqrt"},
    {"aten.reciprocal.default", "Reciprocal"},
    {"aten.sin.default", "Sin"},
    {"aten.cos.default", "Cos"},
    {"aten.tanh.default", "Tanh"},
    {"aten.erf.default", "Erf"},
    {"aten.sigmoid.default", "Sigmoid"},
    {"aten.log_sigmoid.default", "LogSigmoid"},
    {"aten.silu.default", "Silu"},
    {"aten.mish.default", "Mish"},
    {"aten.softsign.default", "Softsign"},
    {"aten.hardsigmoid.default", "Hardsigmoid"},
    {"aten.hardswish.default", "Hardswish"},
    {"aten.selu.default", "Selu"},
    {"aten.relu.default", "Relu"},
    {"aten.abs.default", "Abs"},
    {"aten.neg.default", "Neg"},
    {"aten.sign.default", "Sign"},
    {"aten.square.default", "Square"},
    {"aten.logical_not.default", "LogicalNot"},
    {"aten.negative.default", "Neg"},
    {"aten.exp2.default", "Exp2"},
    {"aten.log10.default", "Log10"},
    {"aten.tan.default", "Tan"},
    {"aten.asin.default", "Asin"},
    {"aten.acos.default", "Acos"},
    {"aten.atan.default", "Atan"},
    {"aten.sinh.default", "Sinh"},
    {"aten.cosh.default", "Cosh"},
    {"aten.erfc.default", "Erfc"},
};

/// The type that an element is computed in: the result's own, or the operand's where the result is a bool.
DType computeTypeOf(const DeviceCall& call, const DeviceTensor& x) {
    return task::operators::computeType(call.type() == DType::Bool ? x.dtype : call.type());
}
DeviceResults unaryWith(const DeviceCall& call, std::string function, std::array<double, 4> parameters = {}) {
    const DeviceTensor x = call.tensor(0, "self");
    return {compute(call.device, {std::move(function), computeTypeOf(call, x), parameters}, call.type(), {x})};
}

DeviceResults unary(const DeviceCall& call) {
    for (const UnaryName& n : unaryNames)
        if (n.op == call.host.name()) return unaryWith(call, std::string(n.function));
    throw Failure{{"internal", fmt::format("{} is not a function of one element.", call.host.name())}};
}
DeviceResults leakyRelu(const DeviceCall& call) {
    return unaryWith(call, "LeakyRelu", {call.host.number(1, "negative_slope", 0.01)});
}
DeviceResults elu(const DeviceCall& call) {
    return unaryWith(call, "Elu",
                     {call.host.number(1, "alpha", 1.0), call.host.number(2, "scale", 1.0),
                      call.host.number(3, "input_scale", 1.0)});
}
DeviceResults celu(const DeviceCall& call) {
    return unaryWith(call, "Celu", {call.host.number(1, "alpha", 1.0)});
}
DeviceResults softplus(const DeviceCall& call) {
    return unaryWith(call, "Softplus", {call.host.number(1, "beta", 1.0), call.host.number(2, "threshold", 20.0)});
}
DeviceResults gelu(const DeviceCall& call) {
    return unaryWith(call, call.host.text(1, "approximate", "none") == "tanh" ? "GeluTanh" : "GeluExact");
}
DeviceResults hardtanh(const DeviceCall& call) {
    return unaryWith(call, "Clamp", {call.host.number(1, "min_val", -1.0), call.host.number(2, "max_val", 1.0)});
}
DeviceResults relu6(const DeviceCall& call) {
    return unaryWith(call, "Clamp", {0.0, 6.0});
}
DeviceResults hardshrink(const DeviceCall& call) {
    return unaryWith(call, "Hardshrink", {call.host.number(1, "lambd", 0.5)});
}
DeviceResults softshrink(const DeviceCall& call) {
    return unaryWith(call, "Softshrink", {call.host.number(1, "lambd", 0.5)});
}
DeviceResults threshold(const DeviceCall& call) {
    return unaryWith(call, "Threshold", {call.host.number(1, "threshold"), call.host.number(2, "value")});
}
DeviceResults classify(const DeviceCall& call, std::string function) {
    return {compute(call.device, {std::move(function), DType::Float64}, DType::Bool, {call.tensor(0, "self")})};
}
DeviceResults isNan(const DeviceCall& call) {
    return classify(call, "IsNan");
}
DeviceResults isInfinite(const DeviceCall& call) {
    return classify(call, "IsInfinite");
}
DeviceResults isFinite(const DeviceCall& call) {
    return classify(call, "IsFinite");
}
DeviceResults bitwiseNot(const DeviceCall& call) {
    return unaryWith(call, call.type() == DType::Bool ? "LogicalNot" : "BitwiseNot");
}
DeviceResults rounded(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    if (!isFloating(x.dtype)) return {x};
    const std::string_view op = call.host.name();
    return unaryWith(call, op == "aten.floor.default"   ? "Floor"
                           : op == "aten.ceil.default"  ? "Ceil"
                           : op == "aten.trunc.default" ? "Trunc"
                                                        : "Round");
}
DeviceResults dropout(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "input");
    const double p = call.host.number(1, "p", 0.5);
    if (!call.host.flag(2, "train", true) || p == 0.0) return {x};
    const DeviceTensor from = dense(call.device, converted(call.device, x, call.type()));
    DeviceTensor out = call.make();
    const DropArguments a{from.address(), out.address(), call.host.context().seed, out.count(), p};
    call.device.launchOver({"elements", fmt::format("drop<{}>", cudaName(out.dtype)), "DropArguments"}, a.count, a);
    return {out};
}

const std::vector<DeviceEntry>& unaryEntries() {
    static const std::vector<DeviceEntry> entries = [] {
        std::vector<DeviceEntry> all{
            {"aten.leaky_relu.default", leakyRelu},
            {"aten.elu.default", elu},
            {"aten.celu.default", celu},
            {"aten.softplus.default", softplus},
            {"aten.gelu.default", gelu},
            {"aten.hardtanh.default", hardtanh},
            {"aten.relu6.default", relu6},
            {"aten.bitwise_not.default", bitwiseNot},
            {"aten.floor.default", rounded},
            {"aten.ceil.default", rounded},
            {"aten.trunc.default", rounded},
            {"aten.round.default", rounded},
            {"aten.hardshrink.default", hardshrink},
            {"aten.softshrink.default", softshrink},
            {"aten.threshold.default", threshold},
            {"aten.isnan.default", isNan},
            {"aten.isinf.default", isInfinite},
            {"aten.isfinite.default", isFinite},
            {"aten.dropout.default", dropout},
        };
        for (const UnaryName& n : unaryNames)
            all.push_back({n.op, unary});
        return all;
    }();
    return entries;
}

} // namespace

DeviceFamily devicePointwise() {
    return unaryEntries();
}

} // namespace kernelarium::operators
