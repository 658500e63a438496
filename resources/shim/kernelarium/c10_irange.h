// SPDX-License-Identifier: GPL-3.0-or-later
//
// c10::irange.
#pragma once

namespace c10 {
template <class T> struct integer_range {
    struct iterator {
        T at;
        constexpr T operator*() const { return at; }
        constexpr iterator& operator++() {
            ++at;
            return *this;
        }
        friend constexpr bool operator!=(iterator a, iterator b) { return a.at != b.at; }
    };
    T first, last;
    constexpr iterator begin() const { return {first}; }
    constexpr iterator end() const { return {last}; }
};
template <class T> constexpr integer_range<T> irange(T end) { return {T(0), end < T(0) ? T(0) : end}; }
template <class A, class B> constexpr integer_range<B> irange(A begin, B end) { return {B(begin), end < B(begin) ? B(begin) : end}; }
} // namespace c10
