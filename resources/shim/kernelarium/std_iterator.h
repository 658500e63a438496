// SPDX-License-Identifier: GPL-3.0-or-later
//
// <iterator>.
#pragma once
#include "kernelarium/std_types.h"

namespace std {
struct random_access_iterator_tag {};

template <class I, class = void> struct iterator_traits {};
template <class T> struct iterator_traits<T*, void> {
    using value_type = remove_cv_t<T>;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using pointer = T*;
};
template <class I> struct iterator_traits<I, void_t<typename I::value_type>> {
    using value_type = typename I::value_type;
    using difference_type = ptrdiff_t;
    using reference = typename I::reference;
};

template <class I> class reverse_iterator {
public:
    using value_type = typename iterator_traits<I>::value_type;
    using reference = typename iterator_traits<I>::reference;
    constexpr explicit reverse_iterator(I at)
        : m_at(at) {}
    constexpr reference operator*() const {
        I before = m_at;
        return *--before;
    }
    constexpr reverse_iterator& operator++() {
        --m_at;
        return *this;
    }
    constexpr reverse_iterator operator+(ptrdiff_t n) const { return reverse_iterator(m_at - n); }
    constexpr I base() const { return m_at; }
    friend constexpr bool operator!=(const reverse_iterator& a, const reverse_iterator& b) { return a.m_at != b.m_at; }
    friend constexpr bool operator==(const reverse_iterator& a, const reverse_iterator& b) { return a.m_at == b.m_at; }
    friend constexpr ptrdiff_t operator-(const reverse_iterator& a, const reverse_iterator& b) {
        return b.m_at - a.m_at;
    }

private:
    I m_at;
};

template <class I> constexpr ptrdiff_t distance(I first, I last) {
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        ++n;
    return n;
}
template <class I> constexpr I next(I at, ptrdiff_t n = 1) {
    for (; n > 0; --n)
        ++at;
    return at;
}
template <class I> constexpr I prev(I at, ptrdiff_t n = 1) {
    for (; n > 0; --n)
        --at;
    return at;
}
template <class I> constexpr void advance(I& at, ptrdiff_t n) {
    for (; n > 0; --n)
        ++at;
    for (; n < 0; ++n)
        --at;
}

/// What back_inserter gives.
template <class C> class back_insert_iterator {
public:
    explicit back_insert_iterator(C& into)
        : m_into(&into) {}
    back_insert_iterator& operator*() { return *this; }
    back_insert_iterator& operator++() { return *this; }
    back_insert_iterator operator++(int) { return *this; }
    template <class T> back_insert_iterator& operator=(T&& value) {
        m_into->push_back(std::forward<T>(value));
        return *this;
    }

private:
    C* m_into;
};
template <class C> back_insert_iterator<C> back_inserter(C& into) {
    return back_insert_iterator<C>(into);
}
} // namespace std
