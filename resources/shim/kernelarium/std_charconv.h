// SPDX-License-Identifier: GPL-3.0-or-later
//
// <charconv>, numbers from texts, and literals of the standard library.
#pragma once
#include "kernelarium/std_chrono.h"
#include "kernelarium/std_string.h"

namespace std {
enum class errc { invalid_argument = 22, result_out_of_range = 34, value_too_large = 75 };
struct from_chars_result {
    const char* ptr;
    errc ec;
};
struct to_chars_result {
    char* ptr;
    errc ec;
};
template <class T> from_chars_result from_chars(const char* first, const char* last, T& value, int base = 10) {
    const char* at = first;
    const bool negative = at != last && *at == '-';
    at += negative;
    const char* digits = at;
    if constexpr (is_floating_point<T>::value) {
        while (at != last && (isdigit(*at) || *at == '.'))
            ++at;
        const char* mantissa = at;
        if (at != digits && at != last && (*at == 'e' || *at == 'E')) {
            ++at;
            if (at != last && (*at == '-' || *at == '+')) ++at;
            const char* exponent = at;
            while (at != last && isdigit(*at))
                ++at;
            if (at == exponent) at = mantissa;
        }
        if (at == digits) return {first, errc::invalid_argument};
        value = T(stod(string(first, size_t(at - first))));
    } else {
        unsigned long long read = 0;
        const unsigned long long most =
            negative ? 0ull - (unsigned long long)numeric_limits<T>::lowest() : numeric_limits<T>::max();
        bool over = false;
        for (; at != last; ++at) {
            const int digit = isdigit(*at) ? *at - '0' : isalpha(*at) ? tolower(*at) - 'a' + 10 : 99;
            if (digit >= base) break;
            over |= read > (most - digit) / base;
            read = read * base + digit;
        }
        if (at == digits) return {first, errc::invalid_argument};
        if (over) return {at, errc::result_out_of_range};
        value = T(negative ? 0ull - read : read);
    }
    return {at, errc()};
}
template <class T> to_chars_result to_chars(char* first, char* last, T value) {
    const string text = to_string(value);
    if (text.size() > size_t(last - first)) return {last, errc::value_too_large};
    memcpy(first, text.data(), text.size());
    return {first + text.size(), errc()};
}
inline namespace literals {
inline namespace string_literals {
inline string operator""s(const char* text, size_t size) {
    return string(text, size);
}
} // namespace string_literals
inline namespace string_view_literals {
constexpr string_view operator""sv(const char* text, size_t size) {
    return string_view(text, size);
}
} // namespace string_view_literals
inline namespace chrono_literals {
constexpr chrono::seconds operator""s(unsigned long long n) {
    return chrono::seconds(long(n));
}
constexpr chrono::milliseconds operator""ms(unsigned long long n) {
    return chrono::milliseconds(long(n));
}
constexpr chrono::microseconds operator""us(unsigned long long n) {
    return chrono::microseconds(long(n));
}
constexpr chrono::nanoseconds operator""ns(unsigned long long n) {
    return chrono::nanoseconds(long(n));
}
} // namespace chrono_literals
} // namespace literals
} // namespace std
