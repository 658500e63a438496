// SPDX-License-Identifier: GPL-3.0-or-later
//
// <vector> and <array>. std::vector<bool> holds plain bools.
#pragma once
#include "kernelarium/std_iterator.h"
#include "kernelarium/std_memory.h"

namespace kl {
[[noreturn]] void outOfRange(const char* text);
} // namespace kl

namespace std {
template <class T> class vector {
public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    constexpr vector() noexcept = default;
    explicit vector(size_t count) { resize(count); }
    vector(size_t count, const T& value) { assign(count, value); }
    vector(initializer_list<T> list) { append(list.begin(), list.end()); }
    template <class I, class = typename iterator_traits<I>::value_type> vector(I first, I last) { append(first, last); }
    vector(const vector& other) { append(other.begin(), other.end()); }
    vector(vector&& other) noexcept : m_data(other.m_data), m_size(other.m_size), m_capacity(other.m_capacity) {
        other.forget();
    }
    vector& operator=(const vector& other) {
        if (this != &other) {
            forget();
            append(other.begin(), other.end());
        }
        return *this;
    }
    vector& operator=(vector&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        return *this;
    }
    vector& operator=(initializer_list<T> list) {
        forget();
        append(list.begin(), list.end());
        return *this;
    }

    constexpr size_t size() const noexcept { return m_size; }
    constexpr size_t capacity() const noexcept { return m_capacity; }
    constexpr bool empty() const noexcept { return m_size == 0; }
    T* data() noexcept { return m_data; }
    const T* data() const noexcept { return m_data; }
    T* begin() noexcept { return m_data; }
    T* end() noexcept { return m_data + m_size; }
    const T* begin() const noexcept { return m_data; }
    const T* end() const noexcept { return m_data + m_size; }
    const T* cbegin() const noexcept { return m_data; }
    const T* cend() const noexcept { return m_data + m_size; }
    reverse_iterator<T*> rbegin() noexcept { return reverse_iterator<T*>(end()); }
    reverse_iterator<T*> rend() noexcept { return reverse_iterator<T*>(begin()); }
    reverse_iterator<const T*> rbegin() const noexcept { return reverse_iterator<const T*>(end()); }
    reverse_iterator<const T*> rend() const noexcept { return reverse_iterator<const T*>(begin()); }
    T& operator[](size_t i) { return m_data[i]; }
    const T& operator[](size_t i) const { return m_data[i]; }
    T& at(size_t i) {
        if (i >= m_size) kl::outOfRange("vector::_M_range_check");
        return m_data[i];
    }
    const T& at(size_t i) const { return const_cast<vector*>(this)->at(i); }
    T& front() { return m_data[0]; }
    const T& front() const { return m_data[0]; }
    T& back() { return m_data[m_size - 1]; }
    const T& back() const { return m_data[m_size - 1]; }

    void reserve(size_t count) {
        if (count > m_capacity) grow(count);
    }
    void resize(size_t count) {
        reserve(count);
        for (; m_size < count; ++m_size) ::new (static_cast<void*>(m_data + m_size)) T();
        m_size = count;
    }
    void resize(size_t count, const T& value) {
        reserve(count);
        for (; m_size < count; ++m_size) ::new (static_cast<void*>(m_data + m_size)) T(value);
        m_size = count;
    }
    void shrink_to_fit() {}
    void clear() noexcept { m_size = 0; }
    template <class... A> T& emplace_back(A&&... arguments) {
        if (m_size == m_capacity) grow(m_size * 2 + 4);
        return *::new (static_cast<void*>(m_data + m_size++)) T(std::forward<A>(arguments)...);
    }
    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }
    void pop_back() { --m_size; }
    void assign(size_t count, const T& value) {
        forget();
        resize(count, value);
    }
    template <class I, class = typename iterator_traits<I>::value_type> void assign(I first, I last) {
        forget();
        append(first, last);
    }
    T* insert(const T* where, const T& value) {
        T kept(value);
        T* hole = open(where, 1);
        *hole = std::move(kept);
        return hole;
    }
    T* insert(const T* where, size_t count, const T& value) {
        T kept(value);
        T* hole = open(where, count);
        for (size_t i = 0; i < count; ++i) hole[i] = kept;
        return hole;
    }
    template <class I, class = typename iterator_traits<I>::value_type> T* insert(const T* where, I first, I last) {
        size_t count = 0;
        for (I i = first; i != last; ++i) ++count;
        T* hole = open(where, count);
        for (size_t i = 0; i < count; ++i, ++first) hole[i] = *first;
        return hole;
    }
    T* insert(const T* where, initializer_list<T> list) { return insert(where, list.begin(), list.end()); }
    T* erase(const T* first, const T* last) {
        T* to = m_data + (first - m_data);
        const size_t gone = last - first;
        for (T* from = to + gone; from != end(); ++from) *(from - gone) = std::move(*from);
        m_size -= gone;
        return to;
    }
    T* erase(const T* where) { return erase(where, where + 1); }
    void swap(vector& other) noexcept { *this = std::move(other); }

    friend bool operator==(const vector& a, const vector& b) {
        if (a.m_size != b.m_size) return false;
        for (size_t i = 0; i < a.m_size; ++i)
            if (!(a.m_data[i] == b.m_data[i])) return false;
        return true;
    }
    friend bool operator!=(const vector& a, const vector& b) { return !(a == b); }

private:
    void forget() noexcept {
        m_data = nullptr;
        m_size = m_capacity = 0;
    }
    void grow(size_t capacity) {
        T* data = kl::allocate<T>(capacity);
        for (size_t i = 0; i < m_size; ++i) ::new (static_cast<void*>(data + i)) T(std::move(m_data[i]));
        m_data = data;
        m_capacity = capacity;
    }
    template <class I> void append(I first, I last) {
        for (; first != last; ++first) emplace_back(*first);
    }
    T* open(const T* where, size_t count) {
        const size_t at = where - m_data, tail = m_size - at;
        resize(m_size + count);
        for (size_t i = tail; i-- > 0;) m_data[at + count + i] = std::move(m_data[at + i]);
        return m_data + at;
    }

    T* m_data = nullptr;
    size_t m_size = 0;
    size_t m_capacity = 0;
};
template <class I, class = typename iterator_traits<I>::value_type>
vector(I, I) -> vector<typename iterator_traits<I>::value_type>;

template <class T, size_t n> struct array {
    T items[n ? n : 1];
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;
    constexpr size_t size() const noexcept { return n; }
    constexpr bool empty() const noexcept { return n == 0; }
    constexpr T* data() noexcept { return items; }
    constexpr const T* data() const noexcept { return items; }
    constexpr T* begin() noexcept { return items; }
    constexpr T* end() noexcept { return items + n; }
    constexpr const T* begin() const noexcept { return items; }
    constexpr const T* end() const noexcept { return items + n; }
    constexpr T& operator[](size_t i) { return items[i]; }
    constexpr const T& operator[](size_t i) const { return items[i]; }
    constexpr T& front() { return items[0]; }
    constexpr const T& front() const { return items[0]; }
    constexpr T& back() { return items[n - 1]; }
    constexpr const T& back() const { return items[n - 1]; }
    T& at(size_t i) {
        if (i >= n) kl::outOfRange("array::at");
        return items[i];
    }
    constexpr void fill(const T& value) {
        for (T& item : items) item = value;
    }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
} // namespace std
