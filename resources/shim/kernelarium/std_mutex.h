// SPDX-License-Identifier: GPL-3.0-or-later
//
// <mutex>: host code runs in one thread.
#pragma once
#include "kernelarium/std_types.h"

namespace std {
struct mutex {
    void lock() {}
    void unlock() {}
    bool try_lock() { return true; }
};
using recursive_mutex = mutex;
using timed_mutex = mutex;
struct defer_lock_t {};
struct adopt_lock_t {};
inline constexpr defer_lock_t defer_lock{};
inline constexpr adopt_lock_t adopt_lock{};
template <class M> struct lock_guard {
    explicit lock_guard(M&) {}
    lock_guard(M&, adopt_lock_t) {}
};
template <class M> struct unique_lock {
    unique_lock() = default;
    explicit unique_lock(M&) {}
    unique_lock(M&, defer_lock_t) {}
    bool owns_lock() const { return true; }
    void lock() {}
    void unlock() {}
};
template <class M> lock_guard(M&) -> lock_guard<M>;
template <class M> unique_lock(M&) -> unique_lock<M>;
template <class... M> struct scoped_lock {
    explicit scoped_lock(M&...) {}
};
struct once_flag {
    bool done = false;
};
template <class F, class... A> void call_once(once_flag& flag, F&& f, A&&... a) {
    if (flag.done) return;
    std::forward<F>(f)(std::forward<A>(a)...);
    flag.done = true;
}
} // namespace std
