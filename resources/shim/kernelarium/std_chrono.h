// SPDX-License-Identifier: GPL-3.0-or-later
//
// <chrono>: wall time of a program's run. For a module the clock stands still: it is interpreted, so its own timings
// would mean nothing.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/std_types.h"

namespace std {
template <long n, long d = 1> struct ratio { static constexpr long num = n, den = d; };
using nano = ratio<1, 1000000000>;
using micro = ratio<1, 1000000>;
using milli = ratio<1, 1000>;

namespace chrono {
template <class R, class P = ratio<1>> class duration {
public:
    using rep = R;
    using period = P;
    constexpr duration() = default;
    constexpr explicit duration(R count)
        : m_count(count) {}
    template <class R2, class P2>
    constexpr duration(const duration<R2, P2>& other)
        : m_count(R(other.count()) * R(P2::num * P::den) / R(P2::den * P::num)) {}
    constexpr R count() const { return m_count; }
    static constexpr duration zero() { return duration(R(0)); }
    constexpr duration& operator+=(const duration& other) { return m_count += other.m_count, *this; }
    constexpr duration& operator-=(const duration& other) { return m_count -= other.m_count, *this; }
    constexpr duration operator-() const { return duration(-m_count); }

private:
    R m_count{};
};
template <class A, class B>
using kl_common = conditional_t<is_floating_point<typename A::rep>::value || is_floating_point<typename B::rep>::value,
                                duration<double, nano>, duration<long, nano>>;
template <class R, class P, class R2, class P2>
constexpr auto operator+(const duration<R, P>& a, const duration<R2, P2>& b) {
    using T = kl_common<duration<R, P>, duration<R2, P2>>;
    return T(T(a).count() + T(b).count());
}
template <class R, class P, class R2, class P2>
constexpr auto operator-(const duration<R, P>& a, const duration<R2, P2>& b) {
    using T = kl_common<duration<R, P>, duration<R2, P2>>;
    return T(T(a).count() - T(b).count());
}
template <class R, class P, class N, class = enable_if_t<is_arithmetic<N>::value>>
constexpr auto operator/(const duration<R, P>& a, N n) {
    return duration<decltype(a.count() / n), P>(a.count() / n);
}
template <class R, class P, class N, class = enable_if_t<is_arithmetic<N>::value>>
constexpr auto operator*(const duration<R, P>& a, N n) {
    return duration<decltype(a.count() * n), P>(a.count() * n);
}
#define KL_COMPARE_DURATIONS(op)                                                                                       \
    template <class R, class P, class R2, class P2>                                                                    \
    constexpr bool operator op(const duration<R, P>& a, const duration<R2, P2>& b) {                                   \
        using T = kl_common<duration<R, P>, duration<R2, P2>>;                                                         \
        return T(a).count() op T(b).count();                                                                           \
    }
KL_COMPARE_DURATIONS(<)
KL_COMPARE_DURATIONS(>) KL_COMPARE_DURATIONS(<=) KL_COMPARE_DURATIONS(>=) KL_COMPARE_DURATIONS(==)
    KL_COMPARE_DURATIONS(!=)
#undef KL_COMPARE_DURATIONS
        using nanoseconds = duration<long, nano>;
using microseconds = duration<long, micro>;
using milliseconds = duration<long, milli>;
using seconds = duration<long>;
using minutes = duration<long, ratio<60>>;
using hours = duration<long, ratio<3600>>;
template <class To, class R, class P> constexpr To duration_cast(const duration<R, P>& d) {
    return To(d);
}

struct system_clock;
template <class C = system_clock, class D = nanoseconds> struct time_point {
    using duration = D;
    using clock = C;
    nanoseconds klSince;
    constexpr D time_since_epoch() const { return D(klSince); }
    friend constexpr nanoseconds operator-(const time_point& a, const time_point& b) {
        return nanoseconds(a.klSince.count() - b.klSince.count());
    }
    template <class R, class P>
    friend constexpr time_point operator+(const time_point& a, const chrono::duration<R, P>& d) {
        return {nanoseconds(a.klSince.count() + nanoseconds(d).count())};
    }
    friend constexpr bool operator<(const time_point& a, const time_point& b) {
        return a.klSince.count() < b.klSince.count();
    }
    friend constexpr bool operator>(const time_point& a, const time_point& b) { return b < a; }
    friend constexpr bool operator<=(const time_point& a, const time_point& b) { return !(b < a); }
    friend constexpr bool operator>=(const time_point& a, const time_point& b) { return !(a < b); }
};
struct system_clock {
    using duration = nanoseconds;
    using rep = long;
    using period = nano;
    using time_point = chrono::time_point<system_clock>;
    static constexpr bool is_steady = false;
    static time_point now() {
        long passed = 0;
        kl::cuda("host.time", {&passed});
        return {nanoseconds(passed)};
    }
    static long long to_time_t(const time_point& t) { return 1767225600ll + t.klSince.count() / 1000000000; }
};
using steady_clock = system_clock;
using high_resolution_clock = system_clock;
} // namespace chrono
} // namespace std
