// SPDX-License-Identifier: GPL-3.0-or-later
//
// <deque>, <list>, <stack>, <queue>, <bitset>: over a vector. What host code keeps in them is short.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_string.h"
#include "kernelarium/std_vector.h"

namespace std {
template <class T> class deque : public vector<T> {
public:
    using vector<T>::vector;
    void push_front(const T& value) { this->insert(this->begin(), value); }
    template <class... A> T& emplace_front(A&&... a) { return *this->insert(this->begin(), T(std::forward<A>(a)...)); }
    void pop_front() { this->erase(this->begin()); }
};
template <class T> class list : public deque<T> {
public:
    using deque<T>::deque;
    void sort() { std::sort(this->begin(), this->end()); }
    void reverse() { std::reverse(this->begin(), this->end()); }
    void remove(const T& value) { this->erase(std::remove(this->begin(), this->end(), value), this->end()); }
};
template <class T, class C = deque<T>> class stack {
public:
    void push(const T& value) { m_items.push_back(value); }
    template <class... A> void emplace(A&&... a) { m_items.emplace_back(std::forward<A>(a)...); }
    void pop() { m_items.pop_back(); }
    T& top() { return m_items.back(); }
    const T& top() const { return m_items.back(); }
    size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }

private:
    C m_items;
};
template <class T, class C = deque<T>> class queue {
public:
    void push(const T& value) { m_items.push_back(value); }
    template <class... A> void emplace(A&&... a) { m_items.emplace_back(std::forward<A>(a)...); }
    void pop() { m_items.pop_front(); }
    T& front() { return m_items.front(); }
    T& back() { return m_items.back(); }
    size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }

private:
    C m_items;
};
template <class T, class C = vector<T>, class L = less<T>> class priority_queue {
public:
    priority_queue() = default;
    explicit priority_queue(const L& less_)
        : m_less(less_) {}
    void push(const T& value) {
        size_t at = m_items.size();
        while (at > 0 && m_less(value, m_items[at - 1]))
            --at;
        m_items.insert(m_items.begin() + at, value);
    }
    template <class... A> void emplace(A&&... a) { push(T(std::forward<A>(a)...)); }
    void pop() { m_items.pop_back(); }
    const T& top() const { return m_items.back(); }
    size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }

private:
    C m_items; // the greatest last
    L m_less{};
};
template <size_t n> class bitset {
public:
    constexpr bitset(unsigned long long bits = 0) {
        for (size_t i = 0; i < n && i < 64; ++i)
            m_bits[i] = (bits >> i) & 1;
    }
    constexpr bool operator[](size_t i) const { return m_bits[i]; }
    constexpr bool& operator[](size_t i) { return m_bits[i]; }
    bool test(size_t i) const { return m_bits[i]; }
    bitset& set(size_t i, bool on = true) {
        m_bits[i] = on;
        return *this;
    }
    bitset& reset(size_t i) { return set(i, false); }
    bitset& flip(size_t i) { return set(i, !m_bits[i]); }
    size_t count() const {
        size_t ones = 0;
        for (bool b : m_bits)
            ones += b;
        return ones;
    }
    bool any() const { return count() != 0; }
    bool none() const { return count() == 0; }
    bool all() const { return count() == n; }
    constexpr size_t size() const { return n; }
    unsigned long long to_ullong() const {
        unsigned long long bits = 0;
        for (size_t i = 0; i < n && i < 64; ++i)
            bits |= (unsigned long long)m_bits[i] << i;
        return bits;
    }
    unsigned long to_ulong() const { return to_ullong(); }
    string to_string() const {
        string text;
        for (size_t i = n; i-- > 0;)
            text.push_back(m_bits[i] ? '1' : '0');
        return text;
    }

private:
    bool m_bits[n ? n : 1] = {};
};
} // namespace std
