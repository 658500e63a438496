// SPDX-License-Identifier: GPL-3.0-or-later
//
// <future> and <mutex>: promises and tasks. A thread runs where it is made, so that a promise is kept before it is
// asked.
#pragma once
#include "kernelarium/std_memory.h"
#include "kernelarium/std_thread.h"

namespace std {
template <class T> class promise {
public:
    future<T> get_future() const { return future<T>(m_kept); }
    void set_value(T value) { *m_kept = std::move(value); }

private:
    optional<T>* m_kept = kl::make<optional<T>>();
};
template <> class promise<void> {
public:
    future<void> get_future() const { return {}; }
    void set_value() {}
};
template <class S> class packaged_task;
template <class R, class... A> class packaged_task<R(A...)> {
public:
    template <class F>
    explicit packaged_task(F f)
        : m_do(std::move(f)) {}
    future<R> get_future() const { return m_done.get_future(); }
    void operator()(A... a) {
        if constexpr (is_void<R>::value)
            m_do(std::forward<A>(a)...);
        else
            m_done.set_value(m_do(std::forward<A>(a)...));
    }

private:
    function<R(A...)> m_do;
    promise<R> m_done;
};
struct try_to_lock_t {};
inline constexpr try_to_lock_t try_to_lock{};
template <class... M> void lock(M&...) {}
} // namespace std
