// SPDX-License-Identifier: GPL-3.0-or-later
//
// <functional>: std::function. The callable lives on the run's heap.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_memory.h"
#include "kernelarium/std_tuple.h"

namespace std {
template <class S> class function;
template <class R, class... A> class function<R(A...)> {
public:
    constexpr function() noexcept = default;
    constexpr function(nullptr_t) noexcept {}
    template <class F, class = enable_if_t<!is_same<decay_t<F>, function>::value>>
    function(F&& f)
        : m_target(kl::make<decay_t<F>>(std::forward<F>(f)))
        , m_call(&call<decay_t<F>>) {}
    R operator()(A... a) const { return m_call(m_target, std::forward<A>(a)...); }
    explicit operator bool() const noexcept { return m_call != nullptr; }
    function& operator=(nullptr_t) noexcept {
        m_call = nullptr;
        return *this;
    }
    function(const function&) = default;
    function& operator=(const function&) = default;
    friend bool operator==(const function& f, nullptr_t) noexcept { return !f.m_call; }
    friend bool operator!=(const function& f, nullptr_t) noexcept { return f.m_call != nullptr; }

private:
    template <class F> static R call(void* target, A... a) { return (*static_cast<F*>(target))(std::forward<A>(a)...); }
    void* m_target = nullptr;
    R (*m_call)(void*, A...) = nullptr;
};

template <class F, class... A> constexpr decltype(auto) invoke(F&& f, A&&... a) {
    return std::forward<F>(f)(std::forward<A>(a)...);
}
template <class R, class C, class... P, class O, class... A> constexpr R invoke(R (C::*f)(P...), O&& o, A&&... a) {
    if constexpr (is_pointer<decay_t<O>>::value)
        return (o->*f)(std::forward<A>(a)...);
    else
        return (o.*f)(std::forward<A>(a)...);
}
template <class R, class C, class... P, class O, class... A>
constexpr R invoke(R (C::*f)(P...) const, O&& o, A&&... a) {
    if constexpr (is_pointer<decay_t<O>>::value)
        return (o->*f)(std::forward<A>(a)...);
    else
        return (o.*f)(std::forward<A>(a)...);
}
namespace placeholders {
template <int n> struct kl_place {
    enum { number = n };
};
inline constexpr kl_place<1> _1{};
inline constexpr kl_place<2> _2{};
inline constexpr kl_place<3> _3{};
inline constexpr kl_place<4> _4{};
} // namespace placeholders
template <class T> struct kl_isPlace : false_type {};
template <int n> struct kl_isPlace<placeholders::kl_place<n>> : true_type {};
template <class F, class... B> auto bind(F f, B... bound) {
    return [f, bound...](auto&&... given) mutable -> decltype(auto) {
        auto pick = [&](auto& one) -> decltype(auto) {
            using One = remove_cvref_t<decltype(one)>;
            if constexpr (kl_isPlace<One>::value)
                return (std::get<One::number - 1>(std::tie(given...)));
            else
                return (one);
        };
        return std::invoke(f, pick(bound)...);
    };
}
} // namespace std
