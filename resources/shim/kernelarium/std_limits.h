// SPDX-License-Identifier: GPL-3.0-or-later
//
// <limits>, <cfloat>, <climits>.
#pragma once
#include "kernelarium/std_types.h"

#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_RADIX 2
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL

namespace std {
template <class T> struct numeric_limits {
    static constexpr bool is_specialized = false, is_integer = false, is_signed = false, has_infinity = false;
    static constexpr T min() noexcept { return T(); }
    static constexpr T max() noexcept { return T(); }
    static constexpr T lowest() noexcept { return T(); }
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};

// Templates rather than specialisations hold the members, so that only those in use reach the PTX.
template <class T, T low, T high, int bits> struct kl_integer_limits {
    static constexpr bool is_specialized = true, is_integer = true, is_signed = low < 0, has_infinity = false;
    static constexpr bool has_quiet_NaN = false;
    static constexpr int digits = bits, digits10 = bits * 3 / 10;
    static constexpr T min() noexcept { return low; }
    static constexpr T max() noexcept { return high; }
    static constexpr T lowest() noexcept { return low; }
    static constexpr T epsilon() noexcept { return 0; }
    static constexpr T infinity() noexcept { return 0; }
    static constexpr T quiet_NaN() noexcept { return 0; }
};
#define KL_LIMITS(T, low, high, sign, bits)                                                                            \
    template <> struct numeric_limits<T> : kl_integer_limits<T, low, high, bits> {};
KL_LIMITS(bool, false, true, false, 1)
KL_LIMITS(char, CHAR_MIN, CHAR_MAX, true, 7)
KL_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX, true, 7)
KL_LIMITS(unsigned char, 0, UCHAR_MAX, false, 8)
KL_LIMITS(short, SHRT_MIN, SHRT_MAX, true, 15)
KL_LIMITS(unsigned short, 0, USHRT_MAX, false, 16)
KL_LIMITS(int, INT_MIN, INT_MAX, true, 31)
KL_LIMITS(unsigned, 0, UINT_MAX, false, 32)
KL_LIMITS(long, LONG_MIN, LONG_MAX, true, 63)
KL_LIMITS(unsigned long, 0, ULONG_MAX, false, 64)
KL_LIMITS(long long, LLONG_MIN, LLONG_MAX, true, 63)
KL_LIMITS(unsigned long long, 0, ULLONG_MAX, false, 64)
#undef KL_LIMITS

template <class T, int bits, int decimals> struct kl_float_limits {
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true;
    static constexpr bool has_quiet_NaN = true, is_iec559 = true;
    static constexpr int digits = bits, digits10 = decimals, max_digits10 = decimals + 3;
};
#define KL_FLOAT_LIMITS(T, prefix, bits, decimals, endless, quiet)                                                     \
    template <> struct numeric_limits<T> : kl_float_limits<T, bits, decimals> {                                        \
        static constexpr T min() noexcept { return prefix##_MIN; }                                                     \
        static constexpr T max() noexcept { return prefix##_MAX; }                                                     \
        static constexpr T lowest() noexcept { return -prefix##_MAX; }                                                 \
        static constexpr T epsilon() noexcept { return prefix##_EPSILON; }                                             \
        static constexpr T infinity() noexcept { return __builtin_bit_cast(T, endless); }                              \
        static constexpr T quiet_NaN() noexcept { return __builtin_bit_cast(T, quiet); }                               \
        static constexpr T denorm_min() noexcept { return T(prefix##_MIN * prefix##_EPSILON); }                        \
    };
KL_FLOAT_LIMITS(float, FLT, 24, 6, 0x7f800000u, 0x7fc00000u)
KL_FLOAT_LIMITS(double, DBL, 53, 15, 0x7ff0000000000000ul, 0x7ff8000000000000ul)
#undef KL_FLOAT_LIMITS
} // namespace std
