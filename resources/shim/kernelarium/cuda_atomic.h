// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuAtomicAdd and its kin, and the grid-stride loop macro.
#pragma once
#include "kernelarium/c10_half.h"

template <class T> inline T gpuAtomicAdd(T* p, T v) { return atomicAdd(p, v); }
inline int64_t gpuAtomicAdd(int64_t* p, int64_t v) {
    return int64_t(atomicAdd(reinterpret_cast<unsigned long long*>(p), (unsigned long long)v));
}
template <class T> inline void gpuAtomicAddNoReturn(T* p, T v) { gpuAtomicAdd(p, v); }
namespace kl {
/// A 16-bit float added with a compare-and-swap of the word that holds it.
template <class T> inline T addHalfWord(T* p, T v) {
    unsigned* word = reinterpret_cast<unsigned*>(reinterpret_cast<unsigned long>(p) & ~2ul);
    const bool high = reinterpret_cast<unsigned long>(p) & 2;
    unsigned old, seen;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(old) : "l"(word) : "memory"); // other threads are at it too
    T before;
    do {
        seen = old;
        before = T((unsigned short)(high ? seen >> 16 : seen & 0xffff), T::from_bits());
        const unsigned bits = T(float(before) + float(v)).x;
        old = atomicCAS(word, seen, high ? (seen & 0xffff) | (bits << 16) : (seen & 0xffff0000u) | bits);
    } while (old != seen);
    return before;
}
} // namespace kl
inline c10::Half gpuAtomicAdd(c10::Half* p, c10::Half v) { return kl::addHalfWord(p, v); }
inline c10::BFloat16 gpuAtomicAdd(c10::BFloat16* p, c10::BFloat16 v) { return kl::addHalfWord(p, v); }

#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                                                        \
    int64_t _i_n_d_e_x = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;                                               \
    for (index_type i = index_type(_i_n_d_e_x); _i_n_d_e_x < (n); _i_n_d_e_x += int64_t(blockDim.x) * gridDim.x, i = index_type(_i_n_d_e_x))
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
