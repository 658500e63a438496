// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic outside the tensor cores: eight independent chains a thread, sixteen steps of each an iteration. out[thread]
// is the sum of the chains (of packed types: of one after the other, as the last one's bits).

__device__ inline unsigned long long chainOf() { return (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> __device__ inline void chains(const CeilingArguments& a) {
    T x[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = T(threadIdx.x % 32 + k);
    const T factor = T(a.factor), term = T(a.term);
    for (unsigned n = 0; n < a.iterations; ++n) {
#pragma unroll
        for (int i = 0; i < 16; ++i)
#pragma unroll
            for (int k = 0; k < 8; ++k) x[k] = fma(x[k], factor, term);
    }
    T sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += x[k];
    ((T*)a.out)[chainOf()] = sum;
}

extern "C" __global__ void __launch_bounds__(256) rateFloat(const __grid_constant__ CeilingArguments a) { chains<float>(a); }
extern "C" __global__ void __launch_bounds__(256) rateDouble(const __grid_constant__ CeilingArguments a) { chains<double>(a); }

// Pairs of 16-bit numbers: x = x * factor + term with the bits of `seed` as the factor, and its own as the start.
#define KERNELARIUM_PACKED(NAME, INSTRUCTION)                                                                                     \
    extern "C" __global__ void __launch_bounds__(256) NAME(const __grid_constant__ CeilingArguments a) {                          \
        unsigned x[8];                                                                                                            \
        _Pragma("unroll") for (int k = 0; k < 8; ++k) x[k] = a.seed;                                                              \
        for (unsigned n = 0; n < a.iterations; ++n) {                                                                             \
            _Pragma("unroll") for (int i = 0; i < 16; ++i) {                                                                      \
                _Pragma("unroll") for (int k = 0; k < 8; ++k)                                                                     \
                    asm volatile(INSTRUCTION " %0, %0, %1, %1;" : "+r"(x[k]) : "r"(a.seed));                                      \
            }                                                                                                                     \
        }                                                                                                                         \
        unsigned all = 0;                                                                                                         \
        _Pragma("unroll") for (int k = 0; k < 8; ++k) all |= x[k];                                                                \
        ((unsigned*)a.out)[chainOf()] = all;                                                                                      \
    }

KERNELARIUM_PACKED(rateHalf, "fma.rn.f16x2")
#if __CUDA_ARCH__ >= 800
KERNELARIUM_PACKED(rateBfloat, "fma.rn.bf16x2")
#endif

/// x = 2^-x, by the special function unit alone.
extern "C" __global__ void __launch_bounds__(256) rateSpecial(const __grid_constant__ CeilingArguments a) {
    float x[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = 0.125f * k;
    for (unsigned n = 0; n < a.iterations; ++n) {
#pragma unroll
        for (int i = 0; i < 16; ++i)
#pragma unroll
            for (int k = 0; k < 8; ++k) asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(x[k]) : "f"(-x[k]));
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += x[k];
    ((float*)a.out)[chainOf()] = sum;
}
