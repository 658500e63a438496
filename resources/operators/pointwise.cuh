// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of elements. T is the type that is computed in; p holds an operator's parameters.
namespace kernelarium::operators {

template <class T> __device__ inline T larger(T x, T y) {
    return x != x || x > y ? x : y;
}
template <class T> __device__ inline T smaller(T x, T y) {
    return x != x || x < y ? x : y;
}
template <class T> __device__ inline T absolute(T x) {
    return x < T(0) ? -x : x + T(0);
}
template <class T> __device__ inline T clamped(T x, T low, T high) {
    return smaller(larger(x, low), high);
}
template <class T> __device__ inline T softplusOf(T x) {
    return x > T(0) ? x + log1p(exp(-x)) : log1p(exp(x));
}
template <class T> __device__ inline T hardGate(T x) {
    return clamped(x + T(3), T(0), T(6));
}
template <class T> __device__ inline T power(T x, T y) {
    if (y == T(2)) return x * x;
    if (y == T(3)) return x * x * x;
    if (y == T(0.5)) return sqrt(x);
    return pow(x, y);
}
template <class T> __device__ inline T floorQuotient(T x, T y) {
    if constexpr (isWhole<T>) {
        const T q = x / y;
        return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
    } else
        return floor(x / y);
}

#define KL_UNARY(Name, expression)                                                                           \
    struct Name {                                                                                            \
        template <class T> static __device__ auto apply(const double* p, T x) { return expression; }         \
    };
KL_UNARY(Copy, x)
KL_UNARY(Exp, exp(x))
KL_UNARY(Expm1, expm1(x))
KL_UNARY(Log, log(x))
KL_UNARY(Log2, log2(x))
KL_UNARY(Log1p, log1p(x))
KL_UNARY(Sqrt, sqrt(x))
KL_UNARY(Rsqrt, T(1) / sqrt(x))
KL_UNARY(Reciprocal, T(1) / x)
KL_UNARY(Sin, sin(x))
KL_UNARY(Cos, cos(x))
KL_UNARY(Tanh, tanh(x))
KL_UNARY(Erf, erf(x))
KL_UNARY(Sigmoid, T(1) / (T(1) + exp(-x)))
KL_UNARY(LogSigmoid, -softplusOf(-x))
KL_UNARY(Silu, x / (T(1) + exp(-x)))
KL_UNARY(Mish, x* tanh(softplusOf(x)))
KL_UNARY(Softsign, x / (T(1) + absolute(x)))
KL_UNARY(Hardsigmoid, hardGate(x) / T(6))
KL_UNARY(Hardswish, x* hardGate(x) / T(6))
KL_UNARY(Selu, T(1.0507009873554805) * (x > T(0) ? x : T(1.6732632423543772) * expm1(x)))
KL_UNARY(LeakyRelu, x > T(0) ? x : x * T(p[0]))
KL_UNARY(Elu, x > T(0) ? T(p[1]) * x : T(p[1]) * T(p[0]) * expm1(x * T(p[2])))
KL_UNARY(Celu, x > T(0) ? x : T(p[0]) * expm1(x / T(p[0])))
KL_UNARY(Softplus, x* T(p[0]) > T(p[1]) ? x : log1p(exp(x * T(p[0]))) / T(p[0]))
KL_UNARY(GeluExact, x* T(0.5) * (T(1) + erf(x * T(0.70710678118654752440))))
KL_UNARY(GeluTanh, T(0.5) * x * (T(1) + tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x))))
KL_UNARY(Relu, larger(x, T(0)))
KL_UNARY(Clamp, clamped(x, T(p[0]), T(p[1])))
KL_UNARY(Abs, absolute(x))
KL_UNARY(Neg, -x)
KL_UNARY(Square, x* x)
KL_UNARY(Floor, floor(x))
KL_UNARY(Ceil, ceil(x))
KL_UNARY(Sign, x > T(0) ? T(1) : x < T(0) ? T(-1) : x)
KL_UNARY(Trunc, trunc(x))
KL_UNARY(Round, rint(x))
KL_UNARY(Exp2, exp2(x))
KL_UNARY(Log10, log10(x))
KL_UNARY(Tan, tan(x))
KL_UNARY(Asin, asin(x))
KL_UNARY(Acos, acos(x))
KL_UNARY(Atan, atan(x))
KL_UNARY(Sinh, sinh(x))
KL_UNARY(Cosh, cosh(x))
KL_UNARY(Erfc, erfc(x))
KL_UNARY(Hardshrink, x >= T(-p[0]) && x <= T(p[0]) ? T(0) : x)
KL_UNARY(Softshrink, x > T(p[0]) ? x - T(p[0]) : x < T(-p[0]) ? x + T(p[0]) : x * T(0))
KL_UNARY(Threshold, x <= T(p[0]) ? T(p[1]) : x)
KL_UNARY(IsNan, x != x)
KL_UNARY(IsInfinite, x == infinity<T>() || x == -infinity<T>())
KL_UNARY(IsFinite, x - x == T(0))
KL_UNARY(Scale, x* T(p[0]))
KL_UNARY(LogicalNot, x == T(0))
KL_UNARY(BitwiseNot, T(~Long(x)))
#undef KL_UNARY

#define KL_BINARY(Name, expression)                                                                          \
    struct Name {                                                                                            \
        template <class T> static __device__ auto apply(const double* p, T x, T y) { return expression; }    \
    };
KL_BINARY(Add, x + y)
KL_BINARY(AddScaled, x + T(p[0]) * y)
KL_BINARY(Sub, x - y)
KL_BINARY(Mul, x* y)
KL_BINARY(Div, x / y)
KL_BINARY(FloorDivide, floorQuotient(x, y))
KL_BINARY(Remainder, x - floorQuotient(x, y) * y)
KL_BINARY(Power, power(x, y))
KL_BINARY(Maximum, larger(x, y))
KL_BINARY(Minimum, smaller(x, y))
KL_BINARY(Equal, x == y)
KL_BINARY(NotEqual, x != y)
KL_BINARY(Less, x < y)
KL_BINARY(LessEqual, x <= y)
KL_BINARY(Greater, x > y)
KL_BINARY(GreaterEqual, x >= y)
KL_BINARY(And, x != T(0) && y != T(0))
KL_BINARY(Or, x != T(0) || y != T(0))
KL_BINARY(TruncDivide, trunc(x / y))
KL_BINARY(Fmod, fmod(x, y))
KL_BINARY(Atan2, atan2(x, y))
KL_BINARY(Xor, (x != T(0)) != (y != T(0)))
KL_BINARY(BitAnd, x& y)
KL_BINARY(BitOr, x | y)
KL_BINARY(BitXor, x ^ y)
KL_BINARY(CrossEntropy, (y - T(1)) * larger(log1p(-x), T(-100)) - y * larger(log(x), T(-100)))
KL_BINARY(LogitCrossEntropy, (T(1) - y) * x + larger(-x, T(0)) + log1p(exp(-absolute(x))))
KL_BINARY(SquaredDifference, (x - y) * (x - y))
KL_BINARY(AbsoluteDifference, absolute(x - y))
KL_BINARY(SmoothL1, absolute(x - y) < T(p[0]) ? (x - y) * (x - y) * T(0.5) / T(p[0])
                                              : absolute(x - y) - T(0.5) * T(p[0]))
KL_BINARY(Huber, absolute(x - y) <= T(p[0]) ? (x - y) * (x - y) * T(0.5)
                                            : T(p[0]) * (absolute(x - y) - T(0.5) * T(p[0])))
KL_BINARY(Divergence, y > T(0) ? y * (log(y) - x) : y == T(0) ? T(0) : infinity<T>() - infinity<T>())
KL_BINARY(LogDivergence, exp(y) * (y - x))
KL_BINARY(Hinge, y == T(1) ? x : larger(T(p[0]) - x, T(0)))
KL_BINARY(MarginLoss, larger(T(p[0]) + x - y, T(0)))
KL_BINARY(ShiftedDifference, x - y + T(p[0]))
KL_BINARY(NegatedProduct, -x* y)
#undef KL_BINARY

#define KL_TERNARY(Name, expression)                                                                         \
    struct Name {                                                                                            \
        template <class T> static __device__ auto apply(const double* p, T x, T y, T z) {                    \
            return expression;                                                                               \
        }                                                                                                    \
    };
KL_TERNARY(Choose, x != T(0) ? y : z)
KL_TERNARY(SoftmaxOf, exp(x - y) / z)
KL_TERNARY(LogSoftmaxOf, (x - y) - log(z))
#undef KL_TERNARY

/// (x - mean) * scale * weight + bias
struct Normalize {
    template <class T> static __device__ T apply(const double*, T x, T mean, T scale, T weight, T bias) {
        return (x - mean) * (scale * weight) + bias;
    }
};

template <class C, class In> __device__ inline C operand(const MapArguments& a, int k, Long offset) {
    if (a.in[k]) return fromStored<C>(at<const In>(a.in[k])[offset]);
    if constexpr (isWhole<C>)
        return C(a.integer[k]);
    else
        return C(a.number[k]);
}

template <class Out> __device__ inline void fill(const MapArguments& a) {
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const Offsets<1> o = locate<1>(a.walk, i);
        if constexpr (isFloating<Out>)
            at<Out>(a.out)[o.of[0]] = toStored<Out>(a.number[0]);
        else
            at<Out>(a.out)[o.of[0]] = toStored<Out>(a.integer[0]);
    }
}
/// Four neighbours, moved at once: one load in flight for each thread does not keep a device's memory busy.
template <class S> struct alignas(sizeof(S) * perPack < 16 ? sizeof(S) * perPack : 16) Pack { S of[perPack]; };
template <class C, class In> __device__ inline void readPack(C (&to)[perPack], const MapArguments& a, int k, Long offset) {
    if (!a.in[k] || a.walk.strides[k + 1][a.walk.rank - 1] == 0) {
        to[0] = operand<C, In>(a, k, offset);
        for (int j = 1; j < perPack; ++j) to[j] = to[0];
        return;
    }
    const Pack<In> pack = *reinterpret_cast<const Pack<In>*>(at<const In>(a.in[k]) + offset);
    for (int j = 0; j < perPack; ++j) to[j] = fromStored<C>(pack.of[j]);
}

template <int... k> struct Places {};
template <int n, int... k> struct PlacesBelow : PlacesBelow<n - 1, n - 1, k...> {};
template <int... k> struct PlacesBelow<0, k...> { using Type = Places<k...>; };

template <class Op, class C, class Out, class... In, int... k>
__device__ inline void mapPacks(const MapArguments& a, Places<k...>) {
    constexpr int n = sizeof...(In);
    for (Long i = firstIndex() * perPack; i < a.count; i += allThreads() * perPack) {
        const Offsets<n + 1> o = locate<n + 1>(a.walk, i);
        C in[n][perPack];
        (readPack<C, In>(in[k], a, k, o.of[k + 1]), ...);
        Pack<Out> out;
        for (int j = 0; j < perPack; ++j) out.of[j] = toStored<Out>(Op::template apply<C>(a.p, in[k][j]...));
        *reinterpret_cast<Pack<Out>*>(at<Out>(a.out) + o.of[0]) = out;
    }
}
template <class Op, class C, class Out, class... In, int... k>
__device__ inline void mapSingly(const MapArguments& a, Places<k...>) {
    constexpr int n = sizeof...(In);
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const Offsets<n + 1> o = locate<n + 1>(a.walk, i);
        at<Out>(a.out)[o.of[0]] = toStored<Out>(Op::template apply<C>(a.p, operand<C, In>(a, k, o.of[k + 1])...));
    }
}
template <class Op, class C, class Out, class... In> __device__ inline void map(const MapArguments& a) {
    using Every = typename PlacesBelow<sizeof...(In)>::Type;
    if (a.packs) mapPacks<Op, C, Out, In...>(a, Every());
    else mapSingly<Op, C, Out, In...>(a, Every());
}

} // namespace kernelarium::operators
