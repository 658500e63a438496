// SPDX-License-Identifier: GPL-3.0-or-later
//
// The heap of host code, and <memory>. Nothing is freed before the run ends; containers have no destructors, so that
// objects of static storage work (NVRTC refuses those whose construction or destruction runs code).
#pragma once
#include "kernelarium/std_types.h"

namespace kl {
template <class T> T* allocate(unsigned long count) {
    return static_cast<T*>(kl_alloc(count * sizeof(T)));
}
template <class T, class... A> T* make(A&&... arguments) {
    return ::new (kl_alloc(sizeof(T))) T(std::forward<A>(arguments)...);
}
} // namespace kl

namespace std {
template <class T> struct default_delete {
    void operator()(T* p) const { p->~T(); }
};
template <class T> struct default_delete<T[]> {
    void operator()(T*) const {}
};

template <class T, class D = default_delete<T>> class unique_ptr {
public:
    using pointer = remove_extent_t<T>*;
    using element_type = remove_extent_t<T>;
    constexpr unique_ptr() noexcept = default;
    constexpr unique_ptr(nullptr_t) noexcept {}
    explicit unique_ptr(pointer p) noexcept
        : m_p(p) {}
    unique_ptr(pointer p, D d) noexcept
        : m_p(p)
        , m_d(d) {}
    unique_ptr(unique_ptr&& other) noexcept
        : m_p(other.release())
        , m_d(other.m_d) {}
    template <class U, class E, class = enable_if_t<__is_convertible_to(remove_extent_t<U>*, pointer)>>
    unique_ptr(unique_ptr<U, E>&& other) noexcept
        : m_p(other.release()) {}
    unique_ptr(const unique_ptr&) = delete;
    ~unique_ptr() { reset(); }
    unique_ptr& operator=(unique_ptr&& other) noexcept {
        reset(other.release());
        return *this;
    }
    template <class U, class E, class = enable_if_t<__is_convertible_to(remove_extent_t<U>*, pointer)>>
    unique_ptr& operator=(unique_ptr<U, E>&& other) noexcept {
        reset(other.release());
        return *this;
    }
    unique_ptr& operator=(nullptr_t) noexcept {
        reset();
        return *this;
    }
    pointer release() noexcept {
        pointer p = m_p;
        m_p = nullptr;
        return p;
    }
    void reset(pointer p = nullptr) {
        pointer old = m_p;
        m_p = p;
        if (old) m_d(old);
    }
    pointer get() const noexcept { return m_p; }
    explicit operator bool() const noexcept { return m_p != nullptr; }
    element_type& operator*() const { return *m_p; }
    pointer operator->() const noexcept { return m_p; }
    element_type& operator[](size_t i) const { return m_p[i]; }

private:
    pointer m_p = nullptr;
    D m_d{};
};
template <class T, class... A> enable_if_t<!is_array<T>::value, unique_ptr<T>> make_unique(A&&... arguments) {
    return unique_ptr<T>(kl::make<T>(std::forward<A>(arguments)...));
}
template <class T> enable_if_t<is_array<T>::value, unique_ptr<T>> make_unique(size_t count) {
    using E = remove_extent_t<T>;
    E* p = kl::allocate<E>(count);
    for (size_t i = 0; i < count; ++i)
        ::new (p + i) E();
    return unique_ptr<T>(p);
}

/// Shares, never destroys: what it holds lives until the run ends.
template <class T> class shared_ptr {
public:
    using element_type = T;
    constexpr shared_ptr() noexcept = default;
    constexpr shared_ptr(nullptr_t) noexcept {}
    explicit shared_ptr(T* p) noexcept
        : m_p(p) {}
    template <class D>
    shared_ptr(T* p, D) noexcept
        : m_p(p) {}
    template <class U, class D>
    shared_ptr(unique_ptr<U, D>&& other) noexcept
        : m_p(other.release()) {}
    template <class U>
    shared_ptr(const shared_ptr<U>& other) noexcept
        : m_p(other.get()) {}
    T* get() const noexcept { return m_p; }
    explicit operator bool() const noexcept { return m_p != nullptr; }
    T& operator*() const { return *m_p; }
    T* operator->() const noexcept { return m_p; }
    void reset(T* p = nullptr) noexcept { m_p = p; }
    friend bool operator==(const shared_ptr& a, const shared_ptr& b) { return a.m_p == b.m_p; }
    friend bool operator!=(const shared_ptr& a, const shared_ptr& b) { return a.m_p != b.m_p; }

private:
    T* m_p = nullptr;
};
template <class T, class... A> shared_ptr<T> make_shared(A&&... arguments) {
    return shared_ptr<T>(kl::make<T>(std::forward<A>(arguments)...));
}

template <class T> class reference_wrapper {
public:
    using type = T;
    constexpr reference_wrapper(T& value) noexcept
        : m_p(&value) {}
    constexpr operator T&() const noexcept { return *m_p; }
    constexpr T& get() const noexcept { return *m_p; }

private:
    T* m_p;
};
template <class T> constexpr reference_wrapper<T> ref(T& value) noexcept {
    return {value};
}
template <class T> constexpr reference_wrapper<const T> cref(const T& value) noexcept {
    return {value};
}
} // namespace std
