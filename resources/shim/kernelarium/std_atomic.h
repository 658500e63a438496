// SPDX-License-Identifier: GPL-3.0-or-later
//
// <atomic> of host code, which has one thread.
#pragma once
#include "kernelarium/std_types.h"

namespace std {
enum class memory_order { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed,
                              memory_order_acquire = memory_order::acquire,
                              memory_order_release = memory_order::release,
                              memory_order_acq_rel = memory_order::acq_rel,
                              memory_order_seq_cst = memory_order::seq_cst;
template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr atomic(T value) noexcept
        : m_value(value) {}
    atomic(const atomic&) = delete;
    T operator=(T value) { return m_value = value; }
    operator T() const { return m_value; }
    T load(memory_order = memory_order::seq_cst) const { return m_value; }
    void store(T value, memory_order = memory_order::seq_cst) { m_value = value; }
    T exchange(T value, memory_order = memory_order::seq_cst) { return std::exchange(m_value, value); }
    template <class O = memory_order> bool compare_exchange_strong(T& expected, T value, O = O(), O = O()) {
        if (m_value == expected) {
            m_value = value;
            return true;
        }
        expected = m_value;
        return false;
    }
    bool compare_exchange_weak(T& expected, T value) { return compare_exchange_strong(expected, value); }
    template <class U> T fetch_add(U v, memory_order = memory_order::seq_cst) {
        return std::exchange(m_value, T(m_value + v));
    }
    template <class U> T fetch_sub(U v, memory_order = memory_order::seq_cst) {
        return std::exchange(m_value, T(m_value - v));
    }
    template <class U> T fetch_or(U v, memory_order = memory_order::seq_cst) {
        return std::exchange(m_value, T(m_value | v));
    }
    template <class U> T fetch_and(U v, memory_order = memory_order::seq_cst) {
        return std::exchange(m_value, T(m_value & v));
    }
    T operator++() { return ++m_value; }
    T operator++(int) { return m_value++; }
    T operator--() { return --m_value; }
    T operator--(int) { return m_value--; }
    template <class U> T operator+=(U v) { return m_value += v; }
    template <class U> T operator-=(U v) { return m_value -= v; }

private:
    T m_value{};
};
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_long = atomic<long>;
using atomic_size_t = atomic<size_t>;
class atomic_flag {
public:
    constexpr atomic_flag() noexcept = default;
    bool test_and_set(memory_order = memory_order::seq_cst) { return std::exchange(m_set, true); }
    void clear(memory_order = memory_order::seq_cst) { m_set = false; }

private:
    bool m_set = false;
};
} // namespace std
#define ATOMIC_FLAG_INIT                                                                                               \
    {}
