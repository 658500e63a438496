// SPDX-License-Identifier: GPL-3.0-or-later
//
// <random>: the engines as the standard defines them, so that equal seeds give equal numbers; distributions from
// 53 (or 24) bits. std::random_device is not random here: a run is to be repeatable.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/std_math.h"
#include "kernelarium/std_vector.h"

namespace kl {
template <class W, int bits, unsigned n, unsigned m, unsigned r, W a, unsigned u, W d, unsigned s, W b, unsigned t, W c,
          unsigned l, W f>
class Twister {
public:
    using result_type = W;
    static constexpr W default_seed = 5489;
    explicit Twister(W value = default_seed) { seed(value); }
    void seed(W value = default_seed) {
        m_state[0] = value;
        for (unsigned i = 1; i < n; ++i)
            m_state[i] = f * (m_state[i - 1] ^ (m_state[i - 1] >> (bits - 2))) + i;
        m_at = n;
    }
    static constexpr W min() { return 0; }
    static constexpr W max() { return ~W(0); }
    W operator()() {
        if (m_at == n) turn();
        W y = m_state[m_at++];
        y ^= (y >> u) & d;
        y ^= (y << s) & b;
        y ^= (y << t) & c;
        return y ^ (y >> l);
    }
    void discard(unsigned long long count) {
        for (; count > 0; --count)
            (*this)();
    }

private:
    __noinline__ void turn() {
        const W low = (W(1) << r) - 1;
        for (unsigned i = 0; i < n; ++i) {
            const W y = (m_state[i] & ~low) | (m_state[(i + 1) % n] & low);
            m_state[i] = m_state[(i + m) % n] ^ (y >> 1) ^ (y & 1 ? a : W(0));
        }
        m_at = 0;
    }
    W m_state[n];
    unsigned m_at = n;
};
/// In [0, 1), of all bits that a T holds.
template <class T, class G> T unit(G& g) {
    const double range = double(G::max() - G::min()) + 1.0;
    double sum = 0, scale = 1;
    for (int bits = 0; bits<(sizeof(T) == 4 ? 24 : 53); bits += range> 5e9 ? 64 : 31) {
        sum += double(g() - G::min()) * scale;
        scale *= range;
    }
    const T value = T(sum / scale);
    return value < T(1) ? value : T(1) - (sizeof(T) == 4 ? T(5.9604645e-08) : T(1.1102230246251565e-16));
}
} // namespace kl

namespace std {
using mt19937 = kl::Twister<unsigned, 32, 624, 397, 31, 0x9908b0dfu, 11, 0xffffffffu, 7, 0x9d2c5680u, 15, 0xefc60000u,
                            18, 1812433253u>;
using mt19937_64 = kl::Twister<unsigned long, 64, 312, 156, 31, 0xb5026f5aa96619e9ul, 29, 0x5555555555555555ul, 17,
                               0x71d67fffeda60000ul, 37, 0xfff7eee000000000ul, 43, 6364136223846793005ul>;
template <class W, W a, W c, W m> class linear_congruential_engine {
public:
    using result_type = W;
    explicit linear_congruential_engine(W value = 1) { seed(value); }
    void seed(W value = 1) { m_state = c % m == 0 && value % m == 0 ? 1 : value % m; }
    static constexpr W min() { return c == 0 ? 1 : 0; }
    static constexpr W max() { return m - 1; }
    W operator()() { return m_state = W((unsigned long long)m_state * a + c) % m; }

private:
    W m_state;
};
using minstd_rand = linear_congruential_engine<unsigned long, 48271, 0, 2147483647>;
using minstd_rand0 = linear_congruential_engine<unsigned long, 16807, 0, 2147483647>;
using default_random_engine = minstd_rand0;
class random_device {
public:
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return ~0u; }
    unsigned operator()() {
        kl::cuda("host.random", {});
        return m_engine();
    }
    double entropy() const { return 0; }

private:
    mt19937 m_engine;
};

template <class T = int> class uniform_int_distribution {
public:
    using result_type = T;
    explicit uniform_int_distribution(T a = 0, T b = T(2147483647))
        : m_a(a)
        , m_b(b) {}
    template <class G> T operator()(G& g) {
        const unsigned long long span = (unsigned long long)(m_b) - (unsigned long long)(m_a) + 1;
        const double v = kl::unit<double>(g) * double(span);
        return T(m_a + T((unsigned long long)v));
    }
    T a() const { return m_a; }
    T b() const { return m_b; }

private:
    T m_a, m_b;
};
template <class T = double> class uniform_real_distribution {
public:
    using result_type = T;
    explicit uniform_real_distribution(T a = 0, T b = 1)
        : m_a(a)
        , m_b(b) {}
    template <class G> T operator()(G& g) { return kl::unit<T>(g) * (m_b - m_a) + m_a; }

private:
    T m_a, m_b;
};
template <class T = double> class normal_distribution {
public:
    using result_type = T;
    explicit normal_distribution(T mean = 0, T deviation = 1)
        : m_mean(mean)
        , m_deviation(deviation) {}
    template <class G> T operator()(G& g) {
        if (m_kept) {
            m_kept = false;
            return m_spare * m_deviation + m_mean;
        }
        T x, y, square;
        do {
            x = 2 * kl::unit<T>(g) - 1;
            y = 2 * kl::unit<T>(g) - 1;
            square = x * x + y * y;
        } while (square > 1 || square == 0);
        const T scale = T(::sqrt(-2 * ::log(double(square)) / double(square)));
        m_spare = x * scale;
        m_kept = true;
        return y * scale * m_deviation + m_mean;
    }

private:
    T m_mean, m_deviation, m_spare{};
    bool m_kept = false;
};
class bernoulli_distribution {
public:
    using result_type = bool;
    explicit bernoulli_distribution(double p = 0.5)
        : m_p(p) {}
    template <class G> bool operator()(G& g) { return kl::unit<double>(g) < m_p; }

private:
    double m_p;
};
template <class I, class G> void shuffle(I first, I last, G&& g) {
    for (auto n = last - first; n > 1; --n)
        std::swap(first[n - 1], first[uniform_int_distribution<long>(0, n - 1)(g)]);
}
} // namespace std
