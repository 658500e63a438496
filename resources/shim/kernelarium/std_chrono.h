// SPDX-License-Identifier: GPL-3.0-or-later
//
// <chrono>: a clock that stands still. Host code is interpreted, so its own timings would mean nothing.
#pragma once
#include "kernelarium/std_types.h"

namespace std {
template <long n, long d = 1> struct ratio {
    static constexpr long num = n, den = d;
};
using nano = ratio<1, 1000000000>;
using micro = ratio<1, 1000000>;
using milli = ratio<1, 1000>;

namespace chrono {
template <class R, class P = ratio<1>> class duration {
public:
    using rep = R;
    using period = P;
    constexpr duration() = default;
    constexpr explicit duration(R count) : m_count(count) {}
    template <class R2, class P2> constexpr duration(const duration<R2, P2>& other)
        : m_count(R(other.count()) * R(P2::num * P::den) / R(P2::den * P::num)) {}
    constexpr R count() const { return m_count; }

private:
    R m_count{};
};
using nanoseconds = duration<long, nano>;
using microseconds = duration<long, micro>;
using milliseconds = duration<long, milli>;
using seconds = duration<long>;
template <class To, class R, class P> constexpr To duration_cast(const duration<R, P>& d) { return To(d); }

struct time_point {
    nanoseconds klSince;
    constexpr nanoseconds time_since_epoch() const { return klSince; }
    friend constexpr nanoseconds operator-(const time_point& a, const time_point& b) {
        return nanoseconds(a.klSince.count() - b.klSince.count());
    }
};
struct system_clock {
    using time_point = chrono::time_point;
    using duration = nanoseconds;
    static time_point now() { return {}; }
};
using steady_clock = system_clock;
using high_resolution_clock = system_clock;
} // namespace chrono
} // namespace std
