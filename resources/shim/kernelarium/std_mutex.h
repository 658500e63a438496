// SPDX-License-Identifier: GPL-3.0-or-later
//
// <mutex>: host code runs in one thread.
#pragma once

namespace std {
struct mutex {
    void lock() {}
    void unlock() {}
    bool try_lock() { return true; }
};
using recursive_mutex = mutex;
template <class M> struct lock_guard {
    explicit lock_guard(M&) {}
};
template <class M> struct unique_lock {
    explicit unique_lock(M&) {}
    void lock() {}
    void unlock() {}
};
struct once_flag {
    bool done = false;
};
template <class F, class... A> void call_once(once_flag& flag, F&& f, A&&... a) {
    if (flag.done) return;
    f(a...);
    flag.done = true;
}
} // namespace std
