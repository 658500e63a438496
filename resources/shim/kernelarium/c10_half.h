// SPDX-License-Identifier: GPL-3.0-or-later
//
// c10::Half and c10::BFloat16: storage types that compute in float, on the device as on the host.
#pragma once
#include "kernelarium/std_limits.h"

struct __half;
struct __nv_bfloat16;

namespace c10 {
struct alignas(2) Half {
    unsigned short x;
    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return from_bits_t(); }
    Half() = default;
    constexpr Half(unsigned short bits, from_bits_t) : x(bits) {}
    Half(float value) { asm("{cvt.rn.f16.f32 %0, %1;}" : "=h"(x) : "f"(value)); }
    operator float() const {
        float value;
        asm("{cvt.f32.f16 %0, %1;}" : "=f"(value) : "h"(x));
        return value;
    }
    Half(const __half& value) : x(reinterpret_cast<const unsigned short&>(value)) {}
    template <class T, class = std::enable_if_t<std::is_same<T, __half>::value>> operator T() const {
        return reinterpret_cast<const T&>(x);
    }
};

struct alignas(2) BFloat16 {
    unsigned short x;
    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return from_bits_t(); }
    BFloat16() = default;
    constexpr BFloat16(unsigned short bits, from_bits_t) : x(bits) {}
    BFloat16(float value) { asm("{cvt.rn.bf16.f32 %0, %1;}" : "=h"(x) : "f"(value)); }
    operator float() const { return __uint_as_float((unsigned)x << 16); }
    BFloat16(const __nv_bfloat16& value) : x(reinterpret_cast<const unsigned short&>(value)) {}
    template <class T, class = std::enable_if_t<std::is_same<T, __nv_bfloat16>::value>> operator T() const {
        return reinterpret_cast<const T&>(x);
    }
};

#define KL_ARITHMETIC(T, op)                                                                                           \
    inline T operator op(const T& a, const T& b) { return T(float(a) op float(b)); }                                   \
    inline float operator op(T a, float b) { return float(a) op b; }                                                   \
    inline float operator op(float a, T b) { return a op float(b); }                                                   \
    inline double operator op(T a, double b) { return double(float(a)) op b; }                                         \
    inline double operator op(double a, T b) { return a op double(float(b)); }                                         \
    inline T operator op(T a, int b) { return T(float(a) op float(b)); }                                               \
    inline T operator op(int a, T b) { return T(float(a) op float(b)); }                                               \
    inline T operator op(T a, int64_t b) { return T(float(a) op float(b)); }                                           \
    inline T operator op(int64_t a, T b) { return T(float(a) op float(b)); }                                           \
    inline T& operator op##=(T& a, const T& b) { return a = T(float(a) op float(b)); }                                 \
    inline float& operator op##=(float& a, const T& b) { return a = a op float(b); }
#define KL_SMALL_FLOAT(T)                                                                                              \
    KL_ARITHMETIC(T, +) KL_ARITHMETIC(T, -) KL_ARITHMETIC(T, *) KL_ARITHMETIC(T, /)                                    \
    inline T operator-(const T& a) { return T(-float(a)); }
KL_SMALL_FLOAT(Half)
KL_SMALL_FLOAT(BFloat16)
#undef KL_SMALL_FLOAT
#undef KL_ARITHMETIC
inline Half __ldg(const Half* p) { return Half(::__ldg(&p->x), Half::from_bits()); }
inline BFloat16 __ldg(const BFloat16* p) { return BFloat16(::__ldg(&p->x), BFloat16::from_bits()); }
} // namespace c10
using c10::__ldg;

namespace std {
#define KL_SMALL_LIMITS(T, low, high, eps, tiny, inf, nan)                                                             \
    template <> struct numeric_limits<T> {                                                                             \
        static constexpr T lowest() noexcept { return T(low, T::from_bits()); }                                        \
        static constexpr T max() noexcept { return T(high, T::from_bits()); }                                          \
        static constexpr T min() noexcept { return T(tiny, T::from_bits()); }                                          \
        static constexpr T epsilon() noexcept { return T(eps, T::from_bits()); }                                       \
        static constexpr T infinity() noexcept { return T(inf, T::from_bits()); }                                      \
        static constexpr T quiet_NaN() noexcept { return T(nan, T::from_bits()); }                                     \
    };
KL_SMALL_LIMITS(c10::Half, 0xFBFF, 0x7BFF, 0x1400, 0x0400, 0x7C00, 0x7E00)
KL_SMALL_LIMITS(c10::BFloat16, 0xFF7F, 0x7F7F, 0x3C00, 0x0080, 0x7F80, 0x7FC0)
#undef KL_SMALL_LIMITS
} // namespace std

#define KL_MATH(name, function)                                                                                        \
    inline c10::Half name(c10::Half a) { return function(float(a)); }                                                  \
    inline c10::BFloat16 name(c10::BFloat16 a) { return function(float(a)); }
namespace std {
KL_MATH(exp, ::expf) KL_MATH(log, ::logf) KL_MATH(sqrt, ::sqrtf) KL_MATH(tanh, ::tanhf) KL_MATH(abs, ::fabsf)
KL_MATH(erf, ::erff) KL_MATH(floor, ::floorf) KL_MATH(ceil, ::ceilf) KL_MATH(sin, ::sinf) KL_MATH(cos, ::cosf)
} // namespace std
#undef KL_MATH
