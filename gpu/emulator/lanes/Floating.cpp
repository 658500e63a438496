// SPDX-License-Identifier: GPL-3.0-or-later
//
// float32 and float64 arithmetic (PTX ISA, "Floating Point Instructions"). Approximate functions are computed to
// float32 accuracy, which is inside every bound the ISA documents.
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/Lanes.h"

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;

struct AddF {
    template <class T> static T of(T a, T b) { return a + b; }
};
struct SubF {
    template <class T> static T of(T a, T b) { return a - b; }
};
struct MulF {
    template <class T> static T of(T a, T b) { return a * b; }
};
struct DivF {
    template <class T> static T of(T a, T b) { return a / b; }
};
struct FmaF {
    template <class T> static T of(T a, T b, T c) { return std::fma(a, b, c); }
};
struct RcpF {
    template <class T> static T of(T a) { return T(1) / a; }
};
struct SqrtF {
    template <class T> static T of(T a) { return std::sqrt(a); }
};
struct RsqrtF {
    template <class T> static T of(T a) { return T(1.0 / std::sqrt(double(a))); }
};
struct SinF {
    template <class T> static T of(T a) { return std::sin(a); }
};
struct CosF {
    template <class T> static T of(T a) { return std::cos(a); }
};
struct Lg2F {
    template <class T> static T of(T a) { return std::log2(a); }
};
struct Ex2F {
    template <class T> static T of(T a) { return std::exp2(a); }
};
struct TanhF {
    template <class T> static T of(T a) { return std::tanh(a); }
};
struct AbsF {
    template <class T> static T of(T a) { return std::fabs(a); }
};
struct NegF {
    template <class T> static T of(T a) { return -a; }
};
// PTX copysign a, b: b with a's sign.
struct CopysignF {
    template <class T> static T of(T a, T b) { return std::copysign(b, a); }
};
template <bool Max, bool Nan> struct ExtremumF {
    template <class T> static T of(T a, T b) { return extremum<T, Max, Nan>(a, b); }
};

template <class F, class T, bool Ftz, bool Sat> struct Wrap {
    static T finish(T r) {
        r = flush<Ftz>(r);
        return Sat ? saturated(r) : r;
    }
    static T apply(T a) { return finish(F::template of<T>(flush<Ftz>(a))); }
    static T apply(T a, T b) { return finish(F::template of<T>(flush<Ftz>(a), flush<Ftz>(b))); }
    static T apply(T a, T b, T c) { return finish(F::template of<T>(flush<Ftz>(a), flush<Ftz>(b), flush<Ftz>(c))); }
};

template <class F, class T, bool Ftz, bool Sat, int Arity> Handler plain() {
    using W = Wrap<F, T, Ftz, Sat>;
    if constexpr (Arity == 1)
        return unary<W, T, T>;
    else if constexpr (Arity == 2)
        return binary<W, T, T, T>;
    else
        return ternary<W, T, T, T, T>;
}

template <class F, int Arity> Handler choose(const Key& k) {
    if (k.type == Type::f64) return plain<F, double, false, false, Arity>();
    if (k.type != Type::f32) return nullptr;
    if (k.ftz) return k.saturate ? plain<F, float, true, true, Arity>() : plain<F, float, true, false, Arity>();
    return k.saturate ? plain<F, float, false, true, Arity>() : plain<F, float, false, false, Arity>();
}

/// Directed rounding, under the processor's rounding mode. imm: the <cfenv> mode, bits: 1 ftz, 2 saturate.
template <class F, class T, bool Ftz, int Arity> void underMode(Warp& w, const Inst* ip) {
    T* d = at<T>(w, ip->d);
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const T* c = at<T>(w, ip->c);
    const bool saturates = ip->bits & 2;
    const DirectedRounding mode(int(ip->imm));
    each(w, d, [=](std::uint32_t i) {
        T r;
        if constexpr (Arity == 1)
            r = F::template of<T>(flush<Ftz>(a[i]));
        else if constexpr (Arity == 2)
            r = F::template of<T>(flush<Ftz>(a[i]), flush<Ftz>(b[i]));
        else
            r = F::template of<T>(flush<Ftz>(a[i]), flush<Ftz>(b[i]), flush<Ftz>(c[i]));
        r = flush<Ftz>(r);
        return saturates ? saturated(r) : r;
    });
}
template <class F, class T, int Arity> const Inst* directed(Warp& w, const Inst* ip) {
    if (ip->bits & 1)
        underMode<F, T, true, Arity>(w, ip);
    else
        underMode<F, T, false, Arity>(w, ip);
    return ip + 1;
}

template <class F, int Arity> Handler rounded(const Key& k) {
    if (k.rounding == Rounding::none || k.rounding == Rounding::rn) return choose<F, Arity>(k);
    if (k.type == Type::f64) return directed<F, double, Arity>;
    return k.type == Type::f32 ? directed<F, float, Arity> : nullptr;
}

template <bool Max> Handler extremumOf(const Key& k) {
    return k.nan ? choose<ExtremumF<Max, true>, 2>(k) : choose<ExtremumF<Max, false>, 2>(k);
}

} // namespace

Handler floatingHandler(const Key& k) {
    switch (k.op) {
    case Op::add: return rounded<AddF, 2>(k);
    case Op::sub: return rounded<SubF, 2>(k);
    case Op::mul: return rounded<MulF, 2>(k);
    case Op::div: return rounded<DivF, 2>(k);
    case Op::fma: return rounded<FmaF, 3>(k);
    case Op::rcp: return rounded<RcpF, 1>(k);
    case Op::sqrt: return rounded<SqrtF, 1>(k);
    case Op::rsqrt: return choose<RsqrtF, 1>(k);
    case Op::sin: return choose<SinF, 1>(k);
    case Op::cos: return choose<CosF, 1>(k);
    case Op::lg2: return choose<Lg2F, 1>(k);
    case Op::ex2: return choose<Ex2F, 1>(k);
    case Op::tanh: return choose<TanhF, 1>(k);
    case Op::abs: return choose<AbsF, 1>(k);
    case Op::neg: return choose<NegF, 1>(k);
    case Op::copysign: return choose<CopysignF, 2>(k);
    case Op::min: return extremumOf<false>(k);
    case Op::max: return extremumOf<true>(k);
    default: return nullptr;
    }
}

} // namespace kernelarium::emulator::KL_ISA
