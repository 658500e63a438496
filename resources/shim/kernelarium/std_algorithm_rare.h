// SPDX-License-Identifier: GPL-3.0-or-later
//
// <algorithm>, <numeric>, <functional> and <iterator>: what std_algorithm.h and its neighbours leave out.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_tuple.h"
#include "kernelarium/std_vector.h"

namespace kl {
template <class T> constexpr T half(T a, T b) {
    if constexpr (std::is_pointer<T>::value)
        return a + (b - a) / 2;
    else if constexpr (std::is_floating_point<T>::value)
        return a / 2 + b / 2;
    else
        return T(a + (b - a) / 2);
}
} // namespace kl

namespace std {
#define KL_OPERATION(name, sign)                                                                                       \
    template <class T = void> struct name {                                                                            \
        template <class A, class B> constexpr auto operator()(const A& a, const B& b) const { return a sign b; }       \
    };
KL_OPERATION(minus, -)
KL_OPERATION(divides, /) KL_OPERATION(modulus, %) KL_OPERATION(less_equal, <=) KL_OPERATION(greater_equal, >=)
    KL_OPERATION(not_equal_to, !=) KL_OPERATION(logical_and, &&) KL_OPERATION(logical_or, ||) KL_OPERATION(bit_and, &)
        KL_OPERATION(bit_or, |) KL_OPERATION(bit_xor, ^)
#undef KL_OPERATION
            template <class T = void>
            struct negate {
    template <class A> constexpr auto operator()(const A& a) const {
        return -a;
    }
};
template <class T = void> struct logical_not {
    template <class A> constexpr bool operator()(const A& a) const { return !a; }
};
template <class A, class B, size_t... i, size_t... j>
constexpr auto kl_join_tuples(const A& a, const B& b, index_sequence<i...>, index_sequence<j...>) {
    return tuple<tuple_element_t<i, A>..., tuple_element_t<j, B>...>(std::get<i>(a)..., std::get<j>(b)...);
}
inline constexpr tuple<> tuple_cat() {
    return {};
}
template <class A> constexpr A tuple_cat(const A& a) {
    return a;
}
template <class A, class B, class... T> constexpr auto tuple_cat(const A& a, const B& b, const T&... more) {
    return std::tuple_cat(
        kl_join_tuples(a, b, make_index_sequence<tuple_size<A>::value>(), make_index_sequence<tuple_size<B>::value>()),
        more...);
}
template <class M, class C> auto mem_fn(M C::*member) {
    return [member](auto&& object, auto&&... a) -> decltype(auto) {
        if constexpr (is_pointer<decay_t<decltype(object)>>::value) {
            if constexpr (is_function<M>::value)
                return (object->*member)(std::forward<decltype(a)>(a)...);
            else
                return (object->*member);
        } else {
            if constexpr (is_function<M>::value)
                return (object.*member)(std::forward<decltype(a)>(a)...);
            else
                return (object.*member);
        }
    };
}

template <class I, class J, class O, class F> O transform(I first, I last, J other, O out, F f) {
    for (; first != last; ++first, ++other, ++out)
        *out = f(*first, *other);
    return out;
}
template <class I, class O, class F> O copy_if(I first, I last, O out, F f) {
    for (; first != last; ++first)
        if (f(*first)) *out++ = *first;
    return out;
}
template <class I, class O> O copy_backward(I first, I last, O end) {
    while (last != first)
        *--end = *--last;
    return end;
}
template <class I, class O> O reverse_copy(I first, I last, O out) {
    while (last != first)
        *out++ = *--last;
    return out;
}
template <class I, class F> void generate(I first, I last, F f) {
    for (; first != last; ++first)
        *first = f();
}
template <class I, class N, class F> I generate_n(I first, N count, F f) {
    for (; count > 0; --count, ++first)
        *first = f();
    return first;
}
template <class I, class N, class F> I for_each_n(I first, N count, F f) {
    for (; count > 0; --count, ++first)
        f(*first);
    return first;
}
template <class I, class T> void replace(I first, I last, const T& old, const T& value) {
    for (; first != last; ++first)
        if (*first == old) *first = value;
}
template <class I, class F, class T> void replace_if(I first, I last, F f, const T& value) {
    for (; first != last; ++first)
        if (f(*first)) *first = value;
}
template <class I, class F> I find_if_not(I first, I last, F f) {
    while (first != last && f(*first))
        ++first;
    return first;
}
template <class I, class J> I search(I first, I last, J wanted, J end) {
    for (; first != last; ++first) {
        I at = first;
        J part = wanted;
        for (; at != last && part != end && *at == *part; ++at)
            ++part;
        if (part == end) return first;
    }
    return wanted == end ? first : last;
}
template <class I> I adjacent_find(I first, I last) {
    if (first == last) return last;
    for (I next = first; ++next != last; ++first)
        if (*first == *next) return first;
    return last;
}
template <class I, class J> pair<I, J> mismatch(I first, I last, J other) {
    while (first != last && *first == *other)
        ++first, ++other;
    return {first, other};
}
template <class I, class J> bool lexicographical_compare(I first, I last, J other, J end) {
    for (; first != last && other != end; ++first, ++other) {
        if (*first < *other) return true;
        if (*other < *first) return false;
    }
    return first == last && other != end;
}
template <class I, class C = less<>> bool is_sorted(I first, I last, C less_ = C()) {
    if (first == last) return true;
    for (I next = first; ++next != last; ++first)
        if (less_(*next, *first)) return false;
    return true;
}
template <class I, class C = less<>> pair<I, I> minmax_element(I first, I last, C less_ = C()) {
    pair<I, I> best(first, first);
    for (; first != last; ++first) {
        if (less_(*first, *best.first)) best.first = first;
        if (!less_(*first, *best.second)) best.second = first;
    }
    return best;
}
template <class T> constexpr pair<T, T> minmax(const T& a, const T& b) {
    return b < a ? pair<T, T>(b, a) : pair<T, T>(a, b);
}
template <class I, class T> pair<I, I> equal_range(I first, I last, const T& value) {
    return {std::lower_bound(first, last, value), std::upper_bound(first, last, value)};
}
template <class I> I rotate(I first, I middle, I last) {
    std::reverse(first, middle);
    std::reverse(middle, last);
    std::reverse(first, last);
    return first + (last - middle);
}
template <class I, class J> J swap_ranges(I first, I last, J other) {
    for (; first != last; ++first, ++other)
        std::swap(*first, *other);
    return other;
}
template <class I, class J> void iter_swap(I a, J b) {
    std::swap(*a, *b);
}
template <class I, class F> I stable_partition(I first, I last, F f) {
    std::stable_sort(first, last, [&](const auto& a, const auto& b) { return f(a) && !f(b); });
    return std::find_if_not(first, last, f);
}
template <class I, class F> I partition(I first, I last, F f) {
    return std::stable_partition(first, last, f);
}
template <class I, class C = less<>> void nth_element(I first, I, I last, C less_ = C()) {
    std::sort(first, last, less_);
}
template <class I, class C = less<>> void partial_sort(I first, I, I last, C less_ = C()) {
    std::sort(first, last, less_);
}
template <class I, class J, class O, class C = less<>> O merge(I first, I last, J other, J end, O out, C less_ = C()) {
    while (first != last || other != end)
        if (other == end || (first != last && !less_(*other, *first)))
            *out++ = *first++;
        else
            *out++ = *other++;
    return out;
}
template <class I, class J, class O> O set_intersection(I first, I last, J other, J end, O out) {
    while (first != last && other != end)
        if (*first < *other)
            ++first;
        else if (*other < *first)
            ++other;
        else
            *out++ = *first++, ++other;
    return out;
}
template <class I, class J, class O> O set_difference(I first, I last, J other, J end, O out) {
    while (first != last)
        if (other == end || *first < *other)
            *out++ = *first++;
        else if (*other < *first)
            ++other;
        else
            ++first, ++other;
    return out;
}
template <class I, class J, class O> O set_union(I first, I last, J other, J end, O out) {
    while (first != last || other != end)
        if (other == end || (first != last && *first < *other))
            *out++ = *first++;
        else if (first == last || *other < *first)
            *out++ = *other++;
        else
            *out++ = *first++, ++other;
    return out;
}
template <class I, class C = less<>> bool next_permutation(I first, I last, C less_ = C()) {
    if (first == last) return false;
    for (I i = last; --i != first;) {
        I before = i;
        if (!less_(*--before, *i)) continue;
        I j = last;
        while (!less_(*before, *--j)) {
        }
        std::swap(*before, *j);
        std::reverse(i, last);
        return true;
    }
    std::reverse(first, last);
    return false;
}
// A sorted range, the greatest first, is a heap.
template <class I, class C = less<>> void make_heap(I first, I last, C less_ = C()) {
    std::sort(first, last, [&](const auto& a, const auto& b) { return less_(b, a); });
}
template <class I, class C = less<>> void push_heap(I first, I last, C less_ = C()) {
    std::make_heap(first, last, less_);
}
template <class I, class C = less<>> void pop_heap(I first, I last, C less_ = C()) {
    std::make_heap(first, last, less_);
    std::rotate(first, first + 1, last);
}
template <class I, class C = less<>> void sort_heap(I first, I last, C less_ = C()) {
    std::sort(first, last, less_);
}

template <class I, class J, class T, class F, class G> T inner_product(I first, I last, J other, T sum, F f, G g) {
    for (; first != last; ++first, ++other)
        sum = f(sum, g(*first, *other));
    return sum;
}
template <class I, class O> O adjacent_difference(I first, I last, O out) {
    if (first == last) return out;
    auto before = *first;
    for (*out++ = before; ++first != last; ++out) {
        const auto now = *first;
        *out = now - before;
        before = now;
    }
    return out;
}
template <class I, class T, class F = plus<>> T reduce(I first, I last, T sum, F f = F()) {
    for (; first != last; ++first)
        sum = f(sum, *first);
    return sum;
}
template <class I> auto reduce(I first, I last) {
    return std::reduce(first, last, remove_cvref_t<decltype(*first)>());
}
template <class I, class T, class F, class G> T transform_reduce(I first, I last, T sum, F f, G g) {
    for (; first != last; ++first)
        sum = f(sum, g(*first));
    return sum;
}
template <class I, class J, class T, class = decltype(*declval<J>())>
T transform_reduce(I first, I last, J other, T sum) {
    return std::inner_product(first, last, other, sum);
}
template <class I, class O, class T, class F = plus<>> O exclusive_scan(I first, I last, O out, T sum, F f = F()) {
    for (; first != last; ++first, ++out) {
        const T next = f(sum, *first);
        *out = sum;
        sum = next;
    }
    return out;
}
template <class I, class O> O inclusive_scan(I first, I last, O out) {
    return std::partial_sum(first, last, out);
}
template <class T> constexpr T midpoint(T a, T b) {
    return kl::half(a, b);
}

template <class C> class insert_iterator {
public:
    explicit insert_iterator(C& into)
        : m_into(&into) {}
    insert_iterator& operator*() { return *this; }
    insert_iterator& operator++() { return *this; }
    insert_iterator operator++(int) { return *this; }
    template <class T> insert_iterator& operator=(T&& value) {
        m_into->insert(std::forward<T>(value));
        return *this;
    }

private:
    C* m_into;
};
template <class C, class I> insert_iterator<C> inserter(C& into, I) {
    return insert_iterator<C>(into);
}
} // namespace std
