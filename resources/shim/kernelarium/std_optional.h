// SPDX-License-Identifier: GPL-3.0-or-later
//
// <optional>.
#pragma once
#include "kernelarium/std_memory.h"

namespace kl {
[[noreturn]] void badOptional();
}

namespace std {
struct nullopt_t {
    constexpr explicit nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};
struct in_place_t {};
inline constexpr in_place_t in_place{};

/// Every T used with it is default constructible, and costs nothing to construct.
template <class T> class optional {
public:
    using value_type = T;
    constexpr optional() noexcept = default;
    constexpr optional(nullopt_t) noexcept {}
    constexpr optional(const T& value) : m_value(value), m_has(true) {}
    constexpr optional(T&& value) : m_value(std::move(value)), m_has(true) {}
    template <class U, class = enable_if_t<is_convertible<U, T>::value && !is_same<decay_t<U>, optional>::value
                           && !is_same<decay_t<U>, nullopt_t>::value>>
    constexpr optional(U&& value) : m_value(std::forward<U>(value)), m_has(true) {}
    template <class U, class = enable_if_t<is_convertible<const U&, T>::value && !is_same<U, T>::value>>
    constexpr optional(const optional<U>& other) : m_has(other.has_value()) {
        if (m_has) m_value = *other;
    }
    template <class... A> constexpr explicit optional(in_place_t, A&&... a) : m_value(std::forward<A>(a)...), m_has(true) {}
    constexpr optional(const optional&) = default;
    constexpr optional& operator=(const optional&) = default;
    constexpr optional& operator=(nullopt_t) {
        m_has = false;
        return *this;
    }
    constexpr bool has_value() const noexcept { return m_has; }
    constexpr explicit operator bool() const noexcept { return m_has; }
    T& value() & {
        if (!m_has) kl::badOptional();
        return m_value;
    }
    const T& value() const& {
        if (!m_has) kl::badOptional();
        return m_value;
    }
    template <class U> constexpr T value_or(U&& other) const {
        return m_has ? m_value : static_cast<T>(std::forward<U>(other));
    }
    constexpr T& operator*() { return m_value; }
    constexpr const T& operator*() const { return m_value; }
    constexpr T* operator->() { return &m_value; }
    constexpr const T* operator->() const { return &m_value; }
    constexpr void reset() noexcept { m_has = false; }
    template <class... A> T& emplace(A&&... a) {
        m_value = T(std::forward<A>(a)...);
        m_has = true;
        return m_value;
    }
    friend constexpr bool operator==(const optional& a, nullopt_t) { return !a.m_has; }
    friend constexpr bool operator!=(const optional& a, nullopt_t) { return a.m_has; }
    friend constexpr bool operator==(const optional& a, const optional& b) {
        return a.m_has == b.m_has && (!a.m_has || a.m_value == b.m_value);
    }

private:
    T m_value{};
    bool m_has = false;
};
template <class T> optional(T) -> optional<T>;
template <class T> constexpr optional<decay_t<T>> make_optional(T&& value) { return optional<decay_t<T>>(std::forward<T>(value)); }
} // namespace std
