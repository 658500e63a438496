// SPDX-License-Identifier: GPL-3.0-or-later
//
// <variant>: the alternative in place, and its number.
#pragma once
#include "kernelarium/std_exception.h"
#include "kernelarium/std_function.h"
#include "kernelarium/std_optional.h"
#include "kernelarium/std_tuple.h"

namespace std {
struct monostate {
    friend constexpr bool operator==(monostate, monostate) { return true; }
    friend constexpr bool operator!=(monostate, monostate) { return false; }
    friend constexpr bool operator<(monostate, monostate) { return false; }
};
inline constexpr size_t variant_npos = size_t(-1);
class bad_variant_access : public exception {
public:
    const char* what() const noexcept override { return "bad_variant_access"; }
    KL_EXCEPTION(bad_variant_access, exception, "std::bad_variant_access")
};
template <class T> struct in_place_type_t {};
template <class T> inline constexpr in_place_type_t<T> in_place_type{};
template <size_t i> struct in_place_index_t {};
template <size_t i> inline constexpr in_place_index_t<i> in_place_index{};
template <class... T> class variant;
template <class V> struct variant_size;
template <class... T> struct variant_size<variant<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class... T> struct variant_size<const variant<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class V> inline constexpr size_t variant_size_v = variant_size<V>::value;
template <size_t i, class V> struct variant_alternative;
template <size_t i, class... T> struct variant_alternative<i, variant<T...>> {
    using type = typename kl::Nth<i, T...>::type;
};
template <size_t i, class... T> struct variant_alternative<i, const variant<T...>> {
    using type = const typename kl::Nth<i, T...>::type;
};
template <size_t i, class V> using variant_alternative_t = typename variant_alternative<i, V>::type;
} // namespace std

namespace kl {
[[noreturn]] inline void badVariant() {
    throwValue(std::bad_variant_access());
}
constexpr unsigned long largest(std::initializer_list<unsigned long> list) {
    unsigned long most = 1;
    for (unsigned long v : list)
        most = v > most ? v : most;
    return most;
}
template <class W, class... T> constexpr unsigned long positionOf() {
    const bool same[] = {std::is_same<W, T>::value..., true};
    unsigned long i = 0;
    while (!same[i])
        ++i;
    return i;
}
/// One overload for each alternative, as the converting constructor chooses among: `T x[] = {value}` must be good.
template <class T> struct OneOf { T items[1]; };
template <unsigned long i, class T, class U, class = void> struct Choice { void operator()() const; };
template <unsigned long i, class T, class U>
struct Choice<i, T, U, std::void_t<decltype(OneOf<T>{{std::declval<U>()}})>> {
    std::integral_constant<unsigned long, i> operator()(T) const;
};
template <class U, class I, class... T> struct Choices;
template <class U, unsigned long... i, class... T>
struct Choices<U, std::index_sequence<i...>, T...> : Choice<i, T, U>... {
    using Choice<i, T, U>::operator()...;
};
template <class U, class... T>
using ChoiceOf = decltype(std::declval<Choices<U, std::index_sequence_for<T...>, T...>>()(std::declval<U>()));

template <class... T> struct VariantBytes {
    alignas(largest({alignof(T)...})) unsigned char m_raw[largest({sizeof(T)...})];
    unsigned m_index = ~0u;
    template <class F> void with(F f) {
        unsigned at = 0;
        ((at++ == m_index ? (f(*reinterpret_cast<T*>(m_raw)), 0) : 0), ...);
    }
    template <class F> void with(F f) const {
        unsigned at = 0;
        ((at++ == m_index ? (f(*reinterpret_cast<const T*>(m_raw)), 0) : 0), ...);
    }
    void destroy() {
        with([](auto& item) {
            using Item = std::remove_reference_t<decltype(item)>;
            item.~Item();
        });
        m_index = ~0u;
    }
};
template <bool trivial, class... T> struct VariantStore : VariantBytes<T...> {};
template <class... T> struct VariantStore<false, T...> : VariantBytes<T...> {
    ~VariantStore() { this->destroy(); }
};
} // namespace kl

namespace std {
template <class... T> class variant : kl::VariantStore<(__has_trivial_destructor(T) && ...), T...> {
    template <size_t i> using At = typename kl::Nth<i, T...>::type;

public:
    variant() { ::new (this->m_raw) At<0>(), this->m_index = 0; }
    variant(const variant& other) { take(other); }
    variant(variant&& other) { take(std::move(other)); }
    template <class U, class = enable_if_t<!is_same<decay_t<U>, variant>::value>,
              size_t i = kl::ChoiceOf<U, T...>::value>
    variant(U&& value) {
        ::new (this->m_raw) At<i>(std::forward<U>(value));
        this->m_index = i;
    }
    template <class W, class... A> explicit variant(in_place_type_t<W>, A&&... a) { emplace<W>(std::forward<A>(a)...); }
    template <size_t i, class... A> explicit variant(in_place_index_t<i>, A&&... a) {
        emplace<i>(std::forward<A>(a)...);
    }
    variant& operator=(const variant& other) {
        if (this != &other) this->destroy(), take(other);
        return *this;
    }
    variant& operator=(variant&& other) {
        if (this != &other) this->destroy(), take(std::move(other));
        return *this;
    }
    template <class U, class = enable_if_t<!is_same<decay_t<U>, variant>::value>,
              size_t i = kl::ChoiceOf<U, T...>::value>
    variant& operator=(U&& value) {
        At<i> kept(std::forward<U>(value));
        emplace<i>(std::move(kept));
        return *this;
    }
    template <size_t i, class... A> At<i>& emplace(A&&... a) {
        this->destroy();
        At<i>* made = ::new (this->m_raw) At<i>(std::forward<A>(a)...);
        this->m_index = i;
        return *made;
    }
    template <class W, class... A> W& emplace(A&&... a) {
        return emplace<kl::positionOf<W, T...>()>(std::forward<A>(a)...);
    }
    size_t index() const noexcept { return this->m_index == ~0u ? variant_npos : this->m_index; }
    bool valueless_by_exception() const noexcept { return this->m_index == ~0u; }
    void swap(variant& other) { std::swap(*this, other); }
    template <size_t i> At<i>* klAt() { return this->m_index == i ? reinterpret_cast<At<i>*>(this->m_raw) : nullptr; }
    template <size_t i> const At<i>* klAt() const {
        return this->m_index == i ? reinterpret_cast<const At<i>*>(this->m_raw) : nullptr;
    }
    friend bool operator==(const variant& a, const variant& b) {
        bool same = a.m_index == b.m_index;
        if (same) a.with([&](const auto& item) { same = item == *reinterpret_cast<decltype(&item)>(b.m_raw); });
        return same;
    }
    friend bool operator!=(const variant& a, const variant& b) { return !(a == b); }

private:
    void take(const variant& other) {
        other.with([&](const auto& item) { ::new (this->m_raw) remove_cvref_t<decltype(item)>(item); });
        this->m_index = other.m_index;
    }
    void take(variant&& other) {
        other.with([&](auto& item) { ::new (this->m_raw) remove_cvref_t<decltype(item)>(std::move(item)); });
        this->m_index = other.m_index;
    }
};

template <size_t i, class... T> auto get_if(variant<T...>* v) noexcept {
    return v->template klAt<i>();
}
template <size_t i, class... T> auto get_if(const variant<T...>* v) noexcept {
    return v->template klAt<i>();
}
template <class W, class... T> W* get_if(variant<T...>* v) noexcept {
    return v->template klAt<kl::positionOf<W, T...>()>();
}
template <class W, class... T> const W* get_if(const variant<T...>* v) noexcept {
    return v->template klAt<kl::positionOf<W, T...>()>();
}
template <size_t i, class... T> auto& get(variant<T...>& v) {
    auto* found = v.template klAt<i>();
    if (!found) kl::badVariant();
    return *found;
}
template <size_t i, class... T> const auto& get(const variant<T...>& v) {
    const auto* found = v.template klAt<i>();
    if (!found) kl::badVariant();
    return *found;
}
template <size_t i, class... T> auto&& get(variant<T...>&& v) {
    return std::move(std::get<i>(v));
}
template <class W, class... T> W& get(variant<T...>& v) {
    return std::get<kl::positionOf<W, T...>()>(v);
}
template <class W, class... T> const W& get(const variant<T...>& v) {
    return std::get<kl::positionOf<W, T...>()>(v);
}
template <class W, class... T> W&& get(variant<T...>&& v) {
    return std::move(std::get<kl::positionOf<W, T...>()>(v));
}
template <class W, class... T> bool holds_alternative(const variant<T...>& v) noexcept {
    return v.index() == kl::positionOf<W, T...>();
}
} // namespace std

namespace kl {
template <class R, unsigned long i, class F, class V> R visitFrom(F&& f, V&& v) {
    if constexpr (i + 1 < std::variant_size<std::remove_cvref_t<V>>::value)
        if (v.index() != i) return visitFrom<R, i + 1>(std::forward<F>(f), std::forward<V>(v));
    return std::forward<F>(f)(std::get<i>(std::forward<V>(v)));
}
} // namespace kl

namespace std {
template <class F> decltype(auto) visit(F&& f) {
    return std::forward<F>(f)();
}
template <class F, class V, class... W> decltype(auto) visit(F&& f, V&& v, W&&... more) {
    if constexpr (sizeof...(W) == 0) {
        using R = decltype(std::forward<F>(f)(std::get<0>(std::forward<V>(v))));
        return kl::visitFrom<R, 0>(std::forward<F>(f), std::forward<V>(v));
    } else {
        return std::visit(
            [&](auto&& first) -> decltype(auto) {
                return std::visit(
                    [&](auto&&... rest) -> decltype(auto) {
                        return std::forward<F>(f)(std::forward<decltype(first)>(first),
                                                  std::forward<decltype(rest)>(rest)...);
                    },
                    std::forward<W>(more)...);
            },
            std::forward<V>(v));
    }
}
} // namespace std
#ifdef KL_CONVERTS
#include "kernelarium/py_variant.h"
#endif
