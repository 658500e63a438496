// SPDX-License-Identifier: GPL-3.0-or-later
//
// <tuple>, with structured bindings of tuples, pairs and arrays.
#pragma once
#include "kernelarium/std_types.h"

namespace kl {
template <unsigned long i, class T> struct Leaf {
    T value{};
    constexpr Leaf() = default;
    template <class U> constexpr explicit Leaf(int, U&& v) : value(std::forward<U>(v)) {}
};
template <unsigned long i, class T> struct Leaf<i, T&> {
    T& value;
    constexpr explicit Leaf(int, T& v) : value(v) {}
};
template <class I, class... T> struct Leaves;
template <unsigned long... i, class... T> struct Leaves<std::index_sequence<i...>, T...> : Leaf<i, T>... {
    constexpr Leaves() = default;
    template <class... U> constexpr explicit Leaves(int, U&&... u) : Leaf<i, T>(0, std::forward<U>(u))... {}
};
template <unsigned long i, class T> constexpr T& leaf(Leaf<i, T>& l) { return l.value; }
template <unsigned long i, class T> constexpr const T& leaf(const Leaf<i, T>& l) { return l.value; }
template <unsigned long i, class T> constexpr T& leaf(const Leaf<i, T&>& l) { return l.value; }
template <unsigned long i, class... T> struct Nth;
template <class A, class... T> struct Nth<0, A, T...> { using type = A; };
template <unsigned long i, class A, class... T> struct Nth<i, A, T...> : Nth<i - 1, T...> {};
} // namespace kl

namespace std {
template <class... T> class tuple : public kl::Leaves<index_sequence_for<T...>, T...> {
    using Base = kl::Leaves<index_sequence_for<T...>, T...>;
    template <class... U, size_t... i> void take(const tuple<U...>& other, index_sequence<i...>) {
        ((kl::leaf<i>(static_cast<Base&>(*this)) = kl::leaf<i>(other)), ...);
    }

public:
    constexpr tuple() = default;
    /// Of values in braces, which have no type of their own.
    template <bool some = (sizeof...(T) > 0), class = enable_if_t<some>> constexpr tuple(const T&... values) : Base(0, values...) {}
    template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) && (sizeof...(U) > 0) && (is_convertible<U, T>::value && ...)>>
    constexpr tuple(U&&... u) : Base(0, std::forward<U>(u)...) {}
    tuple(const tuple&) = default;
    template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T)>> tuple(const tuple<U...>& other) {
        take(other, index_sequence_for<T...>());
    }
    tuple& operator=(const tuple& other) {
        take(other, index_sequence_for<T...>());
        return *this;
    }
    template <class... U> tuple& operator=(const tuple<U...>& other) {
        take(other, index_sequence_for<T...>());
        return *this;
    }
    template <class A, class B> tuple& operator=(const pair<A, B>& other) {
        kl::leaf<0>(static_cast<Base&>(*this)) = other.first;
        kl::leaf<1>(static_cast<Base&>(*this)) = other.second;
        return *this;
    }
};
template <class... T> tuple(T...) -> tuple<T...>;

// Variadic, as libcu++ declares them in namespace std when NVRTC compiles it.
template <class... T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class T> struct tuple_size<const T> : tuple_size<T> {};
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t i, class... T> struct tuple_element;
template <size_t i, class... T> struct tuple_element<i, tuple<T...>> : kl::Nth<i, T...> {};
template <size_t i, class A, class B> struct tuple_element<i, pair<A, B>> : kl::Nth<i, A, B> {};
template <size_t i, class T> struct tuple_element<i, const T> {
    using type = const typename tuple_element<i, T>::type;
};
template <size_t i, class T> using tuple_element_t = typename tuple_element<i, T>::type;

template <size_t i, class... T> constexpr decltype(auto) get(tuple<T...>& t) { return (kl::leaf<i>(t)); }
template <size_t i, class... T> constexpr decltype(auto) get(const tuple<T...>& t) { return (kl::leaf<i>(t)); }
template <size_t i, class... T> constexpr typename kl::Nth<i, T...>::type&& get(tuple<T...>&& t) {
    return static_cast<typename kl::Nth<i, T...>::type&&>(kl::leaf<i>(t));
}
template <size_t i, class A, class B> constexpr auto& get(pair<A, B>& p) {
    if constexpr (i == 0) return p.first;
    else return p.second;
}
template <size_t i, class A, class B> constexpr const auto& get(const pair<A, B>& p) {
    if constexpr (i == 0) return p.first;
    else return p.second;
}
template <size_t i, class A, class B> constexpr auto&& get(pair<A, B>&& p) {
    if constexpr (i == 0) return std::move(p.first);
    else return std::move(p.second);
}
template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T&&... t) { return tuple<decay_t<T>...>(std::forward<T>(t)...); }
template <class... T> constexpr tuple<T&...> tie(T&... t) noexcept { return tuple<T&...>(t...); }
template <class... T> constexpr tuple<T&&...> forward_as_tuple(T&&... t) noexcept { return tuple<T&&...>(std::forward<T>(t)...); }
struct kl_ignore {
    template <class T> constexpr const kl_ignore& operator=(const T&) const { return *this; }
};
inline constexpr kl_ignore ignore{};
template <class F, class T, size_t... i> constexpr decltype(auto) kl_apply(F&& f, T&& t, index_sequence<i...>) {
    return f(std::get<i>(std::forward<T>(t))...);
}
template <class F, class T> constexpr decltype(auto) apply(F&& f, T&& t) {
    return kl_apply(std::forward<F>(f), std::forward<T>(t), make_index_sequence<tuple_size<decay_t<T>>::value>());
}
} // namespace std
