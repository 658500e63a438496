// SPDX-License-Identifier: GPL-3.0-or-later
//
// <algorithm> and <numeric>.
#pragma once
#include "kernelarium/std_iterator.h"

namespace std {
template <class T = void> struct less {
    constexpr bool operator()(const T& a, const T& b) const { return a < b; }
};
template <> struct less<void> {
    template <class A, class B> constexpr bool operator()(const A& a, const B& b) const { return a < b; }
};
template <class T = void> struct greater {
    template <class A, class B> constexpr bool operator()(const A& a, const B& b) const { return b < a; }
};
template <class T = void> struct plus {
    template <class A, class B> constexpr auto operator()(const A& a, const B& b) const { return a + b; }
};
template <class T = void> struct multiplies {
    template <class A, class B> constexpr auto operator()(const A& a, const B& b) const { return a * b; }
};
template <class T = void> struct equal_to {
    template <class A, class B> constexpr bool operator()(const A& a, const B& b) const { return a == b; }
};

template <class I, class T> void fill(I first, I last, const T& value) {
    for (; first != last; ++first)
        *first = value;
}
template <class I, class N, class T> I fill_n(I first, N count, const T& value) {
    for (; count > 0; --count, ++first)
        *first = value;
    return first;
}
template <class I, class T> void iota(I first, I last, T value) {
    for (; first != last; ++first, ++value)
        *first = value;
}
template <class I, class O> O copy(I first, I last, O out) {
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <class I, class N, class O> O copy_n(I first, N count, O out) {
    for (; count > 0; --count, ++first, ++out)
        *out = *first;
    return out;
}
template <class I, class O, class F> O transform(I first, I last, O out, F f) {
    for (; first != last; ++first, ++out)
        *out = f(*first);
    return out;
}
template <class I, class F> F for_each(I first, I last, F f) {
    for (; first != last; ++first)
        f(*first);
    return f;
}
template <class I, class T> T accumulate(I first, I last, T sum) {
    for (; first != last; ++first)
        sum = sum + *first;
    return sum;
}
template <class I, class T, class F> T accumulate(I first, I last, T sum, F f) {
    for (; first != last; ++first)
        sum = f(sum, *first);
    return sum;
}
template <class I, class J, class T> T inner_product(I first, I last, J other, T sum) {
    for (; first != last; ++first, ++other)
        sum = sum + *first * *other;
    return sum;
}
template <class I, class T> I find(I first, I last, const T& value) {
    while (first != last && !(*first == value))
        ++first;
    return first;
}
template <class I, class F> I find_if(I first, I last, F f) {
    while (first != last && !f(*first))
        ++first;
    return first;
}
template <class I, class T> ptrdiff_t count(I first, I last, const T& value) {
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        n += *first == value;
    return n;
}
template <class I, class F> bool all_of(I first, I last, F f) {
    for (; first != last; ++first)
        if (!f(*first)) return false;
    return true;
}
template <class I, class F> bool any_of(I first, I last, F f) {
    for (; first != last; ++first)
        if (f(*first)) return true;
    return false;
}
template <class I, class F> bool none_of(I first, I last, F f) {
    return !any_of(first, last, f);
}
template <class I, class J> bool equal(I first, I last, J other) {
    for (; first != last; ++first, ++other)
        if (!(*first == *other)) return false;
    return true;
}
template <class I, class C = less<>> I max_element(I first, I last, C less_ = C()) {
    I best = first;
    for (; first != last; ++first)
        if (less_(*best, *first)) best = first;
    return best;
}
template <class I, class C = less<>> I min_element(I first, I last, C less_ = C()) {
    I best = first;
    for (; first != last; ++first)
        if (less_(*first, *best)) best = first;
    return best;
}
template <class I, class T, class C = less<>> I lower_bound(I first, I last, const T& value, C less_ = C()) {
    while (first != last && less_(*first, value))
        ++first;
    return first;
}
template <class I, class T, class C = less<>> I upper_bound(I first, I last, const T& value, C less_ = C()) {
    while (first != last && !less_(value, *first))
        ++first;
    return first;
}
template <class I, class T> bool binary_search(I first, I last, const T& value) {
    first = std::lower_bound(first, last, value);
    return first != last && !(value < *first);
}
template <class I> I unique(I first, I last) {
    if (first == last) return last;
    I kept = first;
    while (++first != last)
        if (!(*kept == *first)) *++kept = *first;
    return ++kept;
}
template <class I, class O> O partial_sum(I first, I last, O out) {
    if (first == last) return out;
    auto sum = *first;
    for (*out++ = sum; ++first != last; ++out)
        *out = sum = sum + *first;
    return out;
}
template <class I, class F> I remove_if(I first, I last, F f) {
    I kept = first;
    for (; first != last; ++first)
        if (!f(*first)) *kept++ = *first;
    return kept;
}
template <class I, class T> I remove(I first, I last, const T& value) {
    return std::remove_if(first, last, [&](const auto& item) { return item == value; });
}
template <class I, class F> ptrdiff_t count_if(I first, I last, F f) {
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        n += f(*first) ? 1 : 0;
    return n;
}
template <class I> void reverse(I first, I last) {
    while (first != last && first != --last) {
        std::swap(*first, *last);
        ++first;
    }
}
template <class I, class C> void kl_insertionSort(I first, I last, C& less_) {
    for (I i = first; i != last; ++i)
        for (I j = i; j != first && less_(*j, *(j - 1)); --j)
            std::swap(*j, *(j - 1));
}
/// Merges, so stable: short runs are sorted in place, longer ones through memory of the run's heap.
template <class I, class C = less<>> void sort(I first, I last, C less_ = C()) {
    constexpr ptrdiff_t shortRun = 16;
    using T = remove_cvref_t<decltype(*first)>;
    const ptrdiff_t count = last - first;
    for (ptrdiff_t at = 0; at < count; at += shortRun)
        kl_insertionSort(first + at, first + (at + shortRun < count ? at + shortRun : count), less_);
    if (count <= shortRun) return;
    T* kept = static_cast<T*>(kl_alloc(count * sizeof(T)));
    for (ptrdiff_t run = shortRun; run < count; run *= 2)
        for (ptrdiff_t begin = 0; begin + run < count; begin += 2 * run) {
            const ptrdiff_t end = begin + 2 * run < count ? begin + 2 * run : count;
            for (ptrdiff_t i = 0; i < run; ++i)
                ::new (static_cast<void*>(kept + i)) T(std::move(first[begin + i]));
            ptrdiff_t left = 0, right = begin + run, to = begin;
            while (left < run && right < end)
                if (less_(first[right], kept[left]))
                    first[to++] = std::move(first[right++]);
                else
                    first[to++] = std::move(kept[left++]);
            while (left < run)
                first[to++] = std::move(kept[left++]);
        }
}
template <class I, class C = less<>> void stable_sort(I first, I last, C less_ = C()) {
    std::sort(first, last, less_);
}
template <class T> constexpr T gcd(T a, T b) {
    while (b != 0) {
        const T rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}
template <class T> constexpr T lcm(T a, T b) {
    return a == 0 || b == 0 ? T(0) : a / std::gcd(a, b) * b;
}
} // namespace std
