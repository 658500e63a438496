// SPDX-License-Identifier: GPL-3.0-or-later
//
// <thread>, <condition_variable>, <future>, <shared_mutex>: host code has one thread, so work handed to another is done
// at once. What could only ever end by another thread is refused by name.
#pragma once
#include "kernelarium/std_chrono.h"
#include "kernelarium/std_function.h"
#include "kernelarium/std_mutex.h"
#include "kernelarium/std_optional.h"
#include "kernelarium/unsupported.h"

namespace std {
class thread {
public:
    struct id {
        friend constexpr bool operator==(id, id) { return true; }
        friend constexpr bool operator!=(id, id) { return false; }
    };
    constexpr thread() noexcept = default;
    template <class F, class... A>
    explicit thread(F&& f, A&&... a)
        : m_joinable(true) {
        f(std::forward<A>(a)...);
    }
    thread(thread&& other) noexcept
        : m_joinable(std::exchange(other.m_joinable, false)) {}
    thread& operator=(thread&& other) noexcept {
        m_joinable = std::exchange(other.m_joinable, false);
        return *this;
    }
    void join() { m_joinable = false; }
    void detach() { m_joinable = false; }
    bool joinable() const noexcept { return m_joinable; }
    static unsigned hardware_concurrency() noexcept { return 1; }
    id get_id() const noexcept { return {}; }

private:
    bool m_joinable = false;
};
namespace this_thread {
template <class D> void sleep_for(const D&) {}
template <class T> void sleep_until(const T&) {}
inline void yield() {}
inline thread::id get_id() {
    return {};
}
} // namespace this_thread
struct shared_mutex : mutex {
    void lock_shared() {}
    void unlock_shared() {}
};
template <class M> struct shared_lock {
    explicit shared_lock(M&) {}
};
class condition_variable {
public:
    void notify_one() {}
    void notify_all() {}
    template <class L> void wait(L&) { kl::unsupported("std::condition_variable::wait"); }
    template <class L, class P> void wait(L&, P done) {
        if (!done()) kl::unsupported("std::condition_variable::wait");
    }
};
enum class launch { async = 1, deferred = 2 };
template <class T> class future {
public:
    future() = default;
    explicit future(T value)
        : m_value(std::move(value)) {}
    /// Of what a promise keeps; a value that is asked for before it is there would be waited for for ever.
    explicit future(optional<T>* kept)
        : m_kept(kept) {}
    T get() {
        wait();
        return m_kept ? m_kept->value() : m_value.value();
    }
    void wait() const {
        if (m_kept && !m_kept->has_value()) kl::unsupported("std::future of a promise that is kept later");
    }
    bool valid() const { return m_kept || m_value.has_value(); }

private:
    optional<T> m_value;
    optional<T>* m_kept = nullptr;
};
template <> class future<void> {
public:
    void get() {}
    void wait() const {}
    bool valid() const { return true; }
};
template <class F, class... A> auto async(launch, F&& f, A&&... a) {
    using R = decltype(f(std::forward<A>(a)...));
    if constexpr (is_void<R>::value) {
        f(std::forward<A>(a)...);
        return future<void>();
    } else {
        return future<R>(f(std::forward<A>(a)...));
    }
}
template <class F, class... A, class = enable_if_t<!is_same<decay_t<F>, launch>::value>> auto async(F&& f, A&&... a) {
    return std::async(launch::async, std::forward<F>(f), std::forward<A>(a)...);
}
} // namespace std
