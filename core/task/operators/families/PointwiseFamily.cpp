// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of one element with a floating result. Formulas: the definitions in PyTorch's documentation of
// torch.nn.
#include "core/task/operators/Pointwise.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

// Each struct reads its parameters from the call and is then applied to every element.
struct Plain {
    explicit Plain(const Call&) {}
};

template <class T> T sigmoid(T x) {
    return T(1) / (T(1) + std::exp(-x));
}
/// log(1 + exp(x)) without overflow.
template <class T> T softplus(T x) {
    return x > T(0) ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

#define KERNELARIUM_POINTWISE(Name, expression)                                                                        \
    struct Name : Plain {                                                                                              \
        using Plain::Plain;                                                                                            \
        template <class T> T operator()(T x) const { return expression; }                                              \
    };
KERNELARIUM_POINTWISE(Exp, std::exp(x))
KERNELARIUM_POINTWISE(Exp2, std::exp2(x))
KERNELARIUM_POINTWISE(Expm1, std::expm1(x))
KERNELARIUM_POINTWISE(Log, std::log(x))
KERNELARIUM_POINTWISE(Log2, std::log2(x))
KERNELARIUM_POINTWISE(Log10, std::log10(x))
KERNELARIUM_POINTWISE(Log1p, std::log1p(x))
KERNELARIUM_POINTWISE(Sqrt, std::sqrt(x))
KERNELARIUM_POINTWISE(Rsqrt, T(1) / std::sqrt(x))
KERNELARIUM_POINTWISE(Reciprocal, T(1) / x)
KERNELARIUM_POINTWISE(Sin, std::sin(x))
KERNELARIUM_POINTWISE(Cos, std::cos(x))
KERNELARIUM_POINTWISE(Tan, std::tan(x))
KERNELARIUM_POINTWISE(Asin, std::asin(x))
KERNELARIUM_POINTWISE(Acos, std::acos(x))
KERNELARIUM_POINTWISE(Atan, std::atan(x))
KERNELARIUM_POINTWISE(Sinh, std::sinh(x))
KERNELARIUM_POINTWISE(Cosh, std::cosh(x))
KERNELARIUM_POINTWISE(Tanh, std::tanh(x))
KERNELARIUM_POINTWISE(Erf, std::erf(x))
KERNELARIUM_POINTWISE(Erfc, std::erfc(x))
KERNELARIUM_POINTWISE(Sigmoid, sigmoid(x))
KERNELARIUM_POINTWISE(LogSigmoid, -softplus(-x))
KERNELARIUM_POINTWISE(Silu, x / (T(1) + std::exp(-x)))
KERNELARIUM_POINTWISE(Mish, x* std::tanh(softplus(x)))
KERNELARIUM_POINTWISE(Softsign, x / (T(1) + std::abs(x)))
KERNELARIUM_POINTWISE(Hardsigmoid, std::min(std::max(x + T(3), T(0)), T(6)) / T(6))
KERNELARIUM_POINTWISE(Hardswish, x* std::min(std::max(x + T(3), T(0)), T(6)) / T(6))
KERNELARIUM_POINTWISE(Selu, T(1.0507009873554805) * (x > T(0) ? x : T(1.6732632423543772) * std::expm1(x)))
#undef KERNELARIUM_POINTWISE

struct LeakyRelu {
    double slope;
    explicit LeakyRelu(const Call& call)
        : slope(call.number(1, "negative_slope", 0.01)) {}
    template <class T> T operator()(T x) const { return x > T(0) ? x : x * T(slope); }
};
struct Elu {
    double alpha, scale, inputScale;
    explicit Elu(const Call& call)
        : alpha(call.number(1, "alpha", 1.0))
        , scale(call.number(2, "scale", 1.0))
        , inputScale(call.number(3, "input_scale", 1.0)) {}
    template <class T> T operator()(T x) const {
        return x > T(0) ? T(scale) * x : T(scale) * T(alpha) * std::expm1(x * T(inputScale));
    }
};
struct Celu {
    double alpha;
    explicit Celu(const Call& call)
        : alpha(call.number(1, "alpha", 1.0)) {}
    template <class T> T operator()(T x) const { return x > T(0) ? x : T(alpha) * std::expm1(x / T(alpha)); }
};
struct Softplus {
    double beta, threshold;
    explicit Softplus(const Call& call)
        : beta(call.number(1, "beta", 1.0))
        , threshold(call.number(2, "threshold", 20.0)) {}
    template <class T> T operator()(T x) const {
        return x * T(beta) > T(threshold) ? x : std::log1p(std::exp(x * T(beta))) / T(beta);
    }
};
struct Softshrink {
    double lambda;
    explicit Softshrink(const Call& call)
        : lambda(call.number(1, "lambd", 0.5)) {}
    template <class T> T operator()(T x) const {
        return x > T(lambda) ? x - T(lambda) : x < T(-lambda) ? x + T(lambda) : x * T(0);
    }
};
struct Hardshrink {
    double lambda;
    explicit Hardshrink(const Call& call)
        : lambda(call.number(1, "lambd", 0.5)) {}
    template <class T> T operator()(T x) const { return x >= T(-lambda) && x <= T(lambda) ? T(0) : x; }
};
struct GeluExact : Plain {
    using Plain::Plain;
    template <class T> T operator()(T x) const {
        return x * T(0.5) * (T(1) + std::erf(x * T(std::numbers::sqrt2 / 2)));
    }
};
struct GeluTanh : Plain {
    using Plain::Plain;
    template <class T> T operator()(T x) const {
        const T inner = T(std::numbers::inv_sqrtpi * std::numbers::sqrt2) * (x + T(0.044715) * x * x * x);
        return T(0.5) * x * (T(1) + std::tanh(inner));
    }
};

template <class Op> Results pointwise(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {mapFloating(call, x, Op(call))};
}

Results gelu(const Call& call) {
    const std::string approximate = call.text(1, "approximate", "none");
    if (approximate == "none") return pointwise<GeluExact>(call);
    if (approximate == "tanh") return pointwise<GeluTanh>(call);
    badArgument(fmt::format("aten.gelu: approximate argument must be either none or tanh, not '{}'.", approximate));
}

constexpr Entry pointwiseEntries[] = {
    {"aten.exp.default", pointwise<Exp>},
    {"aten.exp2.default", pointwise<Exp2>},
    {"aten.expm1.default", pointwise<Expm1>},
    {"aten.log.default", pointwise<Log>},
    {"aten.log2.default", pointwise<Log2>},
    {"aten.log10.default", pointwise<Log10>},
    {"aten.log1p.default", pointwise<Log1p>},
    {"aten.sqrt.default", pointwise<Sqrt>},
    {"aten.rsqrt.default", pointwise<Rsqrt>},
    {"aten.reciprocal.default", pointwise<Reciprocal>},
    {"aten.sin.default", pointwise<Sin>},
    {"aten.cos.default", pointwise<Cos>},
    {"aten.tan.default", pointwise<Tan>},
    {"aten.asin.default", pointwise<Asin>},
    {"aten.acos.default", pointwise<Acos>},
    {"aten.atan.default", pointwise<Atan>},
    {"aten.sinh.default", pointwise<Sinh>},
    {"aten.cosh.default", pointwise<Cosh>},
    {"aten.tanh.default", pointwise<Tanh>},
    {"aten.erf.default", pointwise<Erf>},
    {"aten.erfc.default", pointwise<Erfc>},
    {"aten.sigmoid.default", pointwise<Sigmoid>},
    {"aten.log_sigmoid.default", pointwise<LogSigmoid>},
    {"aten.silu.default", pointwise<Silu>},
    {"aten.mish.default", pointwise<Mish>},
    {"aten.softsign.default", pointwise<Softsign>},
    {"aten.hardsigmoid.default", pointwise<Hardsigmoid>},
    {"aten.hardswish.default", pointwise<Hardswish>},
    {"aten.selu.default", pointwise<Selu>},
    {"aten.leaky_relu.default", pointwise<LeakyRelu>},
    {"aten.elu.default", pointwise<Elu>},
    {"aten.celu.default", pointwise<Celu>},
    {"aten.softplus.default", pointwise<Softplus>},
    {"aten.softshrink.default", pointwise<Softshrink>},
    {"aten.hardshrink.default", pointwise<Hardshrink>},
    {"aten.gelu.default", gelu},
};

} // namespace

Family pointwiseFamily() {
    return pointwiseEntries;
}

} // namespace kernelarium::task::operators
