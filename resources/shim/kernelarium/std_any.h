// SPDX-License-Identifier: GPL-3.0-or-later
//
// <any>: a copy on the run's heap, known by its type.
#pragma once
#include "kernelarium/std_exception.h"

namespace std {
class bad_any_cast : public exception {
public:
    const char* what() const noexcept override { return "bad any_cast"; }
    KL_EXCEPTION(bad_any_cast, exception, "std::bad_any_cast")
};
class any {
public:
    constexpr any() noexcept = default;
    any(const any& other)
        : m_type(other.m_type)
        , m_copy(other.m_copy) {
        m_value = m_copy ? m_copy(other.m_value) : nullptr;
    }
    template <class T, class = enable_if_t<!is_same<decay_t<T>, any>::value>>
    any(T&& value)
        : m_value(kl::make<decay_t<T>>(std::forward<T>(value)))
        , m_type(kl::typeKey<decay_t<T>>())
        , m_copy(&copyOf<decay_t<T>>) {}
    any& operator=(const any& other) {
        m_type = other.m_type;
        m_copy = other.m_copy;
        m_value = m_copy ? m_copy(other.m_value) : nullptr;
        return *this;
    }
    bool has_value() const noexcept { return m_value != nullptr; }
    void reset() noexcept { m_value = nullptr, m_type = nullptr, m_copy = nullptr; }
    template <class T, class... A> T& emplace(A&&... a) {
        *this = T(std::forward<A>(a)...);
        return *static_cast<T*>(m_value);
    }
    template <class T> T* klAs() const { return m_type == kl::typeKey<T>() ? static_cast<T*>(m_value) : nullptr; }

private:
    template <class T> static void* copyOf(const void* from) { return kl::make<T>(*static_cast<const T*>(from)); }
    void* m_value = nullptr;
    const void* m_type = nullptr;
    void* (*m_copy)(const void*) = nullptr;
};
template <class T> T any_cast(const any& a) {
    auto* found = a.klAs<remove_cvref_t<T>>();
    if (!found) kl::throwValue(bad_any_cast());
    return static_cast<T>(*found);
}
template <class T> T* any_cast(any* a) noexcept {
    return a->klAs<T>();
}
template <class T> const T* any_cast(const any* a) noexcept {
    return a->klAs<T>();
}
} // namespace std
