// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::proof {

__extension__ using Wide = unsigned __int128; ///< products of two numbers of 64 bits

/// Arithmetic modulo 2^61 - 1, of numbers below it.
struct Mersenne61 {
    static constexpr std::uint64_t prime = (std::uint64_t(1) << 61) - 1;

    [[nodiscard]] static std::uint64_t reduced(std::uint64_t x) {
        x = (x & prime) + (x >> 61);
        return x >= prime ? x - prime : x;
    }
    [[nodiscard]] static std::uint64_t add(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t s = a + b;
        return s >= prime ? s - prime : s;
    }
    [[nodiscard]] static std::uint64_t sub(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + prime - b; }
    [[nodiscard]] static std::uint64_t mul(std::uint64_t a, std::uint64_t b) {
        const auto wide = static_cast<Wide>(a) * b;
        return reduced((std::uint64_t(wide) & prime) + std::uint64_t(wide >> 61));
    }
};

/// Arithmetic modulo q = 2^31 - 1.
struct Mersenne31 {
    static constexpr std::uint64_t prime = (std::uint64_t(1) << 31) - 1;

    [[nodiscard]] static std::uint64_t reduced(std::uint64_t x) {
        x = (x & prime) + (x >> 31);
        x = (x & prime) + (x >> 31);
        return x >= prime ? x - prime : x;
    }
    [[nodiscard]] static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return reduced(a + b); }
    [[nodiscard]] static std::uint64_t sub(std::uint64_t a, std::uint64_t b) { return reduced(a + prime - b); }
    [[nodiscard]] static std::uint64_t mul(std::uint64_t a, std::uint64_t b) { return reduced(a * b); }
};

/// -1/n modulo 2^64, n odd.
[[nodiscard]] constexpr std::uint64_t montgomeryFactor(std::uint64_t n) {
    std::uint64_t x = n; // Newton: each step doubles the bits that are right, of which it starts with three
    for (int i = 0; i < 6; ++i)
        x *= 2 - n * x;
    return 0 - x;
}
/// 2^times modulo n < 2^63.
[[nodiscard]] constexpr std::uint64_t doubledModulo(std::uint64_t n, int times) {
    std::uint64_t x = 1;
    for (int i = 0; i < times; ++i) {
        x += x;
        if (x >= n) x -= n;
    }
    return x;
}

/// Arithmetic modulo p = 2147483626 q + 1, a prime below 2^62, in whose multiplicative group q numbers are powers of
/// one of order q. Numbers are in Montgomery's form, x 2^64 mod p: make them by `of`.
struct PrimeOverQ {
    static constexpr std::uint64_t prime = 4611685969035264023ull;
    static constexpr std::uint64_t cofactor = 2147483626ull;
    static_assert(cofactor * Mersenne31::prime + 1 == prime);

    [[nodiscard]] static std::uint64_t add(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t s = a + b;
        return s >= prime ? s - prime : s;
    }
    [[nodiscard]] static std::uint64_t sub(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + prime - b; }
    [[nodiscard]] static std::uint64_t mul(std::uint64_t a, std::uint64_t b) {
        const auto wide = static_cast<Wide>(a) * b;
        const std::uint64_t m = std::uint64_t(wide) * negativeInverse;
        const auto sum = static_cast<std::uint64_t>((wide + static_cast<Wide>(m) * prime) >> 64);
        return sum >= prime ? sum - prime : sum;
    }
    [[nodiscard]] static std::uint64_t of(std::uint64_t x) { return mul(x % prime, square); }

private:
    static constexpr std::uint64_t negativeInverse = montgomeryFactor(prime);
    static constexpr std::uint64_t square = doubledModulo(prime, 128); // 2^128 mod p
};

/// base^exponent by an arithmetic's product; `one` is its 1.
template <class Arithmetic>
[[nodiscard]] std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t one) {
    std::uint64_t out = one;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) out = Arithmetic::mul(out, base);
        base = Arithmetic::mul(base, base);
    }
    return out;
}

} // namespace kernelarium::proof
