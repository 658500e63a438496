// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pieces of 64 bytes, which every instruction set of this folder computes with as vectors of its own width, and one
// question that compilers answer slowly: whether a bit is set anywhere in one.
#pragma once

#include "gpu/emulator/code/Operand.h"

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace kernelarium::emulator::KL_ISA {

template <class T> struct WideOf { typedef T type __attribute__((vector_size(64))); };
template <class T> using Wide64 = typename WideOf<T>::type;
/// Elements of a piece.
template <class T> constexpr std::uint32_t wideCount = 64 / sizeof(T);

template <class T> inline Wide64<T> loadWide(const T* from) {
    Wide64<T> v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
template <class T> inline void storeWide(T* to, const Wide64<T>& v) {
    std::memcpy(to, &v, sizeof v);
}

/// Multiples of Step, one for each lane.
template <class T, std::uint32_t Step> struct Steps {
    alignas(64) static constexpr std::array<T, laneCount> of = [] {
        std::array<T, laneCount> values{};
        for (std::uint32_t i = 0; i < laneCount; ++i)
            values[i] = T(i * Step);
        return values;
    }();
};

template <class T> inline bool anySet(const Wide64<T>& v) {
#if defined(__AVX512F__)
    const auto words = reinterpret_cast<__m512i>(v);
    return _mm512_test_epi64_mask(words, words) != 0;
#elif defined(__AVX2__)
    __m256i half[2];
    std::memcpy(half, &v, sizeof half);
    const __m256i both = _mm256_or_si256(half[0], half[1]);
    return _mm256_testz_si256(both, both) == 0;
#else
    std::uint64_t words[8], any = 0;
    std::memcpy(words, &v, sizeof words);
    for (const std::uint64_t w : words)
        any |= w;
    return any != 0;
#endif
}

} // namespace kernelarium::emulator::KL_ISA
