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

namespace kl {
template <class T> constexpr T highest() {
    if constexpr (std::is_same<T, float>::value) return FLT_MAX;
    else if constexpr (std::is_same<T, double>::value) return DBL_MAX;
    else if constexpr (std::is_same<T, bool>::value) return true;
    else if constexpr (std::is_signed<T>::value) return T((1ul << (sizeof(T) * 8 - 1)) - 1);
    else return T(~0ul);
}
template <class T> constexpr T pick(T ifFloat, double ifDouble, T otherwise) {
    if constexpr (std::is_same<T, float>::value) return ifFloat;
    else if constexpr (std::is_same<T, double>::value) return ifDouble;
    else return otherwise;
}
} // namespace kl

namespace std {
// One template for all, instantiated on use: a specialisation's constants would each become a variable of the PTX.
template <class T> struct numeric_limits {
    static constexpr bool is_specialized = is_arithmetic<T>::value, is_integer = is_integral<T>::value;
    static constexpr bool is_signed = std::is_signed<T>::value, is_exact = is_integer, is_bounded = true;
    static constexpr bool has_infinity = is_floating_point<T>::value, has_quiet_NaN = has_infinity, is_iec559 = has_infinity;
    static constexpr int digits = is_same<T, float>::value ? 24 : is_same<T, double>::value ? 53
                                : is_same<T, bool>::value ? 1 : int(sizeof(T)) * 8 - is_signed;
    static constexpr int digits10 = is_same<T, float>::value ? 6 : is_same<T, double>::value ? 15 : digits * 3 / 10;
    static constexpr int max_digits10 = is_same<T, float>::value ? 9 : is_same<T, double>::value ? 17 : 0;
    static constexpr T max() noexcept { return kl::highest<T>(); }
    static constexpr T lowest() noexcept {
        if constexpr (is_floating_point<T>::value) return -kl::highest<T>();
        else if constexpr (is_signed) return T(-kl::highest<T>() - 1);
        else return T(0);
    }
    static constexpr T min() noexcept { return kl::pick<T>(T(FLT_MIN), DBL_MIN, lowest()); }
    static constexpr T epsilon() noexcept { return kl::pick<T>(T(FLT_EPSILON), DBL_EPSILON, T(0)); }
    static constexpr T denorm_min() noexcept { return kl::pick<T>(T(1.4012984643e-45), 4.9406564584124654e-324, T(0)); }
    static constexpr T infinity() noexcept {
        if constexpr (is_same<T, float>::value) return __builtin_bit_cast(float, 0x7f800000u);
        else if constexpr (is_same<T, double>::value) return __builtin_bit_cast(double, 0x7ff0000000000000ul);
        else return T(0);
    }
    static constexpr T quiet_NaN() noexcept {
        if constexpr (is_same<T, float>::value) return __builtin_bit_cast(float, 0x7fc00000u);
        else if constexpr (is_same<T, double>::value) return __builtin_bit_cast(double, 0x7ff8000000000000ul);
        else return T(0);
    }
};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
} // namespace std
