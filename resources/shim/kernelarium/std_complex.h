// SPDX-License-Identifier: GPL-3.0-or-later
//
// <complex>
#pragma once
#include "kernelarium/std_math.h"
#include "kernelarium/std_types.h"

namespace std {
template <class T> class complex {
public:
    using value_type = T;
    constexpr complex(T re = T(), T im = T())
        : m_re(re)
        , m_im(im) {}
    template <class U>
    constexpr complex(const complex<U>& o)
        : m_re(T(o.real()))
        , m_im(T(o.imag())) {}
    constexpr T real() const { return m_re; }
    constexpr T imag() const { return m_im; }
    constexpr void real(T v) { m_re = v; }
    constexpr void imag(T v) { m_im = v; }
    constexpr complex& operator+=(const complex& o) { return *this = *this + o; }
    constexpr complex& operator-=(const complex& o) { return *this = *this - o; }
    constexpr complex& operator*=(const complex& o) { return *this = *this * o; }
    constexpr complex& operator/=(const complex& o) { return *this = *this / o; }
    friend constexpr complex operator+(const complex& a, const complex& b) {
        return {a.m_re + b.m_re, a.m_im + b.m_im};
    }
    friend constexpr complex operator-(const complex& a, const complex& b) {
        return {a.m_re - b.m_re, a.m_im - b.m_im};
    }
    friend constexpr complex operator*(const complex& a, const complex& b) {
        return {a.m_re * b.m_re - a.m_im * b.m_im, a.m_re * b.m_im + a.m_im * b.m_re};
    }
    friend constexpr complex operator/(const complex& a, const complex& b) {
        const T size = b.m_re * b.m_re + b.m_im * b.m_im;
        return {(a.m_re * b.m_re + a.m_im * b.m_im) / size, (a.m_im * b.m_re - a.m_re * b.m_im) / size};
    }
    friend constexpr complex operator-(const complex& a) { return {-a.m_re, -a.m_im}; }
    friend constexpr complex operator+(const complex& a) { return a; }
    friend constexpr bool operator==(const complex& a, const complex& b) {
        return a.m_re == b.m_re && a.m_im == b.m_im;
    }
    friend constexpr bool operator!=(const complex& a, const complex& b) { return !(a == b); }

private:
    T m_re, m_im;
};
template <class T> constexpr T real(const complex<T>& z) {
    return z.real();
}
template <class T> constexpr T imag(const complex<T>& z) {
    return z.imag();
}
template <class T> constexpr T norm(const complex<T>& z) {
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> T abs(const complex<T>& z) {
    return ::hypot(z.real(), z.imag());
}
template <class T> T arg(const complex<T>& z) {
    return ::atan2(z.imag(), z.real());
}
template <class T> constexpr complex<T> conj(const complex<T>& z) {
    return {z.real(), -z.imag()};
}
template <class T> complex<T> polar(T size, T angle = T()) {
    return {size * ::cos(angle), size * ::sin(angle)};
}
template <class T> complex<T> exp(const complex<T>& z) {
    return std::polar<T>(::exp(z.real()), z.imag());
}
template <class T> complex<T> log(const complex<T>& z) {
    return {::log(std::abs(z)), std::arg(z)};
}
template <class T> complex<T> sqrt(const complex<T>& z) {
    return std::polar<T>(::sqrt(std::abs(z)), std::arg(z) / 2);
}
template <class T> complex<T> pow(const complex<T>& z, T e) {
    return std::polar<T>(::pow(std::abs(z), e), std::arg(z) * e);
}
} // namespace std

namespace c10 {
template <class T> using complex = std::complex<T>;
} // namespace c10
