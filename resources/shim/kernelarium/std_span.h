// SPDX-License-Identifier: GPL-3.0-or-later
//
// <span>, <bit> and <numbers>
#pragma once
#include "kernelarium/std_vector.h"

namespace std {
inline constexpr size_t dynamic_extent = size_t(-1);
template <class T, size_t extent = dynamic_extent> class span {
public:
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using iterator = T*;
    constexpr span() noexcept = default;
    constexpr span(T* data, size_t size)
        : m_data(data)
        , m_size(size) {}
    template <size_t n>
    constexpr span(T (&array)[n])
        : m_data(array)
        , m_size(n) {}
    template <class C, class = decltype(declval<C&>().data())>
    constexpr span(C& items)
        : m_data(items.data())
        , m_size(items.size()) {}
    template <class C, class = decltype(declval<const C&>().data()), class U = T,
              class = enable_if_t<is_const<U>::value>>
    constexpr span(const C& items, int = 0)
        : m_data(items.data())
        , m_size(items.size()) {}
    constexpr T* data() const noexcept { return m_data; }
    constexpr size_t size() const noexcept { return m_size; }
    constexpr size_t size_bytes() const noexcept { return m_size * sizeof(T); }
    constexpr bool empty() const noexcept { return m_size == 0; }
    constexpr T* begin() const noexcept { return m_data; }
    constexpr T* end() const noexcept { return m_data + m_size; }
    constexpr T& operator[](size_t i) const { return m_data[i]; }
    constexpr T& front() const { return m_data[0]; }
    constexpr T& back() const { return m_data[m_size - 1]; }
    constexpr span first(size_t n) const { return span(m_data, n); }
    constexpr span last(size_t n) const { return span(m_data + m_size - n, n); }
    constexpr span subspan(size_t at, size_t n = dynamic_extent) const {
        return span(m_data + at, n == dynamic_extent ? m_size - at : n);
    }

private:
    T* m_data = nullptr;
    size_t m_size = 0;
};

template <class To, class From> constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
template <class T> constexpr bool has_single_bit(T v) noexcept {
    return v != 0 && (v & (v - 1)) == 0;
}
template <class T> constexpr T bit_ceil(T v) noexcept {
    T p = 1;
    while (p < v)
        p <<= 1;
    return p;
}
template <class T> constexpr T bit_floor(T v) noexcept {
    T p = v ? 1 : 0;
    while (p && p <= (v >> 1))
        p <<= 1;
    return p;
}
template <class T> constexpr int bit_width(T v) noexcept {
    int n = 0;
    for (; v; v >>= 1)
        ++n;
    return n;
}
template <class T> constexpr int popcount(T v) noexcept {
    int n = 0;
    for (; v; v &= v - 1)
        ++n;
    return n;
}
template <class T> constexpr int countl_zero(T v) noexcept {
    return int(sizeof(T) * 8) - std::bit_width(v);
}
template <class T> constexpr int countr_zero(T v) noexcept {
    return v ? std::bit_width(T(v & (T(0) - v))) - 1 : int(sizeof(T) * 8);
}
enum class endian { little = 1234, big = 4321, native = little };

namespace numbers {
template <class T> inline constexpr T pi_v = T(3.141592653589793238462643383279502884);
template <class T> inline constexpr T e_v = T(2.718281828459045235360287471352662498);
template <class T> inline constexpr T sqrt2_v = T(1.414213562373095048801688724209698079);
template <class T> inline constexpr T ln2_v = T(0.693147180559945309417232121458176568);
template <class T> inline constexpr T log2e_v = T(1.442695040888963407359924681001892137);
template <class T> inline constexpr T inv_sqrtpi_v = T(0.564189583547756286948079451560772586);
inline constexpr double pi = pi_v<double>, e = e_v<double>, sqrt2 = sqrt2_v<double>, ln2 = ln2_v<double>,
                        log2e = log2e_v<double>, inv_sqrtpi = inv_sqrtpi_v<double>;
} // namespace numbers
} // namespace std
