// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cmath>: the built-in functions under std::, the integer overloads of <cmath>, and its macros.
#pragma once
#include "kernelarium/std_limits.h"

#ifndef INFINITY
#define INFINITY (__builtin_bit_cast(float, 0x7f800000u))
#endif
#ifndef NAN
#define NAN (__builtin_bit_cast(float, 0x7fc00000u))
#endif
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000ul))
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000u))
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define KL_MATH_1(name)                                                                                                \
    template <class T> constexpr std::enable_if_t<std::is_integral<T>::value, double> name(T x) { return ::name(double(x)); } \
    namespace std {                                                                                                    \
    using ::name;                                                                                                      \
    }
KL_MATH_1(sqrt) KL_MATH_1(exp) KL_MATH_1(exp2) KL_MATH_1(expm1) KL_MATH_1(log) KL_MATH_1(log2) KL_MATH_1(log10)
KL_MATH_1(log1p) KL_MATH_1(sin) KL_MATH_1(cos) KL_MATH_1(tan) KL_MATH_1(asin) KL_MATH_1(acos) KL_MATH_1(atan)
KL_MATH_1(sinh) KL_MATH_1(cosh) KL_MATH_1(tanh) KL_MATH_1(asinh) KL_MATH_1(acosh) KL_MATH_1(atanh) KL_MATH_1(floor)
KL_MATH_1(ceil) KL_MATH_1(round) KL_MATH_1(trunc) KL_MATH_1(rint) KL_MATH_1(nearbyint) KL_MATH_1(cbrt) KL_MATH_1(erf)
KL_MATH_1(erfc) KL_MATH_1(tgamma) KL_MATH_1(lgamma) KL_MATH_1(fabs)
#undef KL_MATH_1

#define KL_MATH_2(name)                                                                                                \
    template <class A, class B>                                                                                        \
    constexpr std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !std::is_same<A, B>::value, \
        std::conditional_t<std::is_same<A, float>::value && std::is_same<B, float>::value, float, double>>             \
    name(A a, B b) {                                                                                                   \
        return ::name(double(a), double(b));                                                                           \
    }                                                                                                                  \
    namespace std {                                                                                                    \
    using ::name;                                                                                                      \
    }
KL_MATH_2(fmod) KL_MATH_2(fmax) KL_MATH_2(fmin) KL_MATH_2(atan2) KL_MATH_2(hypot) KL_MATH_2(copysign)
KL_MATH_2(remainder) KL_MATH_2(fdim)
#undef KL_MATH_2

template <class A, class B>
constexpr std::enable_if_t<std::is_integral<A>::value && std::is_arithmetic<B>::value, double> pow(A a, B b) {
    return ::pow(double(a), double(b));
}
template <class B> constexpr std::enable_if_t<std::is_integral<B>::value && !std::is_same<B, int>::value, double> pow(double a, B b) {
    return ::pow(a, double(b));
}

namespace std {
using ::abs;
using ::fma;
using ::frexp;
using ::ldexp;
using ::modf;
using ::pow;
using ::sqrtf;
using ::expf;
using ::logf;
using ::powf;
using ::fabsf;
using ::fmaxf;
using ::fminf;
using ::tanhf;
using ::floorf;
using ::ceilf;
using ::roundf;
using ::erff;
using ::lround;
using ::llround;
using ::lrint;
using ::llrint;
using ::ilogb;
using ::logb;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::signbit;
template <class T> constexpr enable_if_t<is_integral<T>::value, bool> isnan(T) { return false; }
template <class T> constexpr enable_if_t<is_integral<T>::value, bool> isinf(T) { return false; }
} // namespace std
