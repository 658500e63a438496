// SPDX-License-Identifier: GPL-3.0-or-later
//
// <functional>: std::function. The callable lives on the run's heap.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_memory.h"

namespace std {
template <class S> class function;
template <class R, class... A> class function<R(A...)> {
public:
    constexpr function() noexcept = default;
    constexpr function(nullptr_t) noexcept {}
    template <class F, class = enable_if_t<!is_same<decay_t<F>, function>::value>>
    function(F&& f) : m_target(kl::make<decay_t<F>>(std::forward<F>(f))), m_call(&call<decay_t<F>>) {}
    R operator()(A... a) const { return m_call(m_target, std::forward<A>(a)...); }
    explicit operator bool() const noexcept { return m_call != nullptr; }

private:
    template <class F> static R call(void* target, A... a) { return (*static_cast<F*>(target))(std::forward<A>(a)...); }
    void* m_target = nullptr;
    R (*m_call)(void*, A...) = nullptr;
};
} // namespace std
