// SPDX-License-Identifier: GPL-3.0-or-later
//
// What NVRTC knows by itself, declared for clang-tidy: clang 14 cannot read the headers of CUDA 13. Only declarations:
// nothing is ever built with this. Every header of the shim is read with "force_cuda_host_device", so that it may be
// called from everywhere, as under NVRTC's -default-device. After it come CUDA's own vector_types.h and driver_types.h, which clang can read.
#pragma once

typedef unsigned long size_t;
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)

extern "C" {
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
void* memmove(void*, const void*, size_t);
int memcmp(const void*, const void*, size_t);
size_t strlen(const char*);
int printf(const char*, ...);
void* malloc(size_t);
void free(void*);
int abs(int);
long labs(long);
long long llabs(long long);
}
void* operator new(size_t, void*) noexcept;
void* operator new[](size_t, void*) noexcept;

#define KL_DECLARE_1(name)                                                                                             \
    extern "C" double name(double) noexcept;                                                                           \
    extern "C" float name##f(float) noexcept;                                                                          \
    float name(float);
KL_DECLARE_1(sqrt) KL_DECLARE_1(exp) KL_DECLARE_1(exp2) KL_DECLARE_1(exp10) KL_DECLARE_1(expm1) KL_DECLARE_1(log) KL_DECLARE_1(log2)
KL_DECLARE_1(log10) KL_DECLARE_1(log1p) KL_DECLARE_1(sin) KL_DECLARE_1(cos) KL_DECLARE_1(tan) KL_DECLARE_1(asin) KL_DECLARE_1(acos)
KL_DECLARE_1(atan) KL_DECLARE_1(sinh) KL_DECLARE_1(cosh) KL_DECLARE_1(tanh) KL_DECLARE_1(asinh) KL_DECLARE_1(acosh) KL_DECLARE_1(atanh)
KL_DECLARE_1(floor) KL_DECLARE_1(ceil) KL_DECLARE_1(round) KL_DECLARE_1(trunc) KL_DECLARE_1(rint) KL_DECLARE_1(nearbyint) KL_DECLARE_1(cbrt)
KL_DECLARE_1(erf) KL_DECLARE_1(erfc) KL_DECLARE_1(tgamma) KL_DECLARE_1(lgamma) KL_DECLARE_1(fabs) KL_DECLARE_1(rsqrt) KL_DECLARE_1(rcbrt)
KL_DECLARE_1(sinpi) KL_DECLARE_1(cospi) KL_DECLARE_1(normcdf) KL_DECLARE_1(erfinv) KL_DECLARE_1(logb)
#undef KL_DECLARE_1
#define KL_DECLARE_2(name)                                                                                             \
    extern "C" double name(double, double) noexcept;                                                                   \
    extern "C" float name##f(float, float) noexcept;                                                                   \
    float name(float, float);
KL_DECLARE_2(pow) KL_DECLARE_2(fmod) KL_DECLARE_2(fmax) KL_DECLARE_2(fmin) KL_DECLARE_2(atan2) KL_DECLARE_2(hypot) KL_DECLARE_2(copysign)
KL_DECLARE_2(remainder) KL_DECLARE_2(fdim) KL_DECLARE_2(nextafter)
#undef KL_DECLARE_2
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
float fma(float, float, float);
double ldexp(double, int);
float ldexp(float, int);
float ldexpf(float, int);
double pow(double, int);
float pow(float, int);
float frexp(float, int*);
double frexp(double, int*);
float modf(float, float*);
double modf(double, double*);
double abs(double);
float abs(float);
long abs(long);
long long abs(long long);
void sincos(double, double*, double*);
void sincosf(float, float*, float*);
float fdividef(float, float);
long lrint(double);
long lround(double);
long lrintf(float);
long lroundf(float);
long long llrint(double);
long long llround(double);
int ilogb(double);
int ilogbf(float);
#define KL_CLASSIFY(type)                                                                                              \
    bool isnan(type);                                                                                                  \
    bool isinf(type);                                                                                                  \
    bool isfinite(type);                                                                                               \
    bool signbit(type);
KL_CLASSIFY(float) KL_CLASSIFY(double)
#undef KL_CLASSIFY
#define KL_EXTREMA(type)                                                                                               \
    type min(type, type);                                                                                              \
    type max(type, type);
KL_EXTREMA(int) KL_EXTREMA(unsigned) KL_EXTREMA(long) KL_EXTREMA(unsigned long) KL_EXTREMA(long long) KL_EXTREMA(unsigned long long)
KL_EXTREMA(float) KL_EXTREMA(double)
#undef KL_EXTREMA

// Intrinsics.
float __expf(float);
float __exp10f(float);
float __logf(float);
float __log2f(float);
float __log10f(float);
float __sinf(float);
float __cosf(float);
float __tanf(float);
float __powf(float, float);
float __fdividef(float, float);
float __saturatef(float);
float __frcp_rn(float);
float __fsqrt_rn(float);
float __frsqrt_rn(float);
float __fadd_rn(float, float);
float __fsub_rn(float, float);
float __fmul_rn(float, float);
float __fdiv_rn(float, float);
float __fmaf_rn(float, float, float);
void __sincosf(float, float*, float*);
double __fma_rn(double, double, double);
double __dadd_rn(double, double);
double __dmul_rn(double, double);
int __float_as_int(float);
unsigned __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __float2int_rn(float);
int __float2int_rd(float);
int __float2int_ru(float);
int __float2int_rz(float);
unsigned __float2uint_rn(float);
float __int2float_rn(int);
float __uint2float_rn(unsigned);
int __popc(unsigned);
int __popcll(unsigned long long);
int __clz(int);
int __clzll(long long);
int __ffs(int);
int __ffsll(long long);
unsigned __brev(unsigned);
unsigned __byte_perm(unsigned, unsigned, unsigned);
unsigned __funnelshift_l(unsigned, unsigned, unsigned);
unsigned __funnelshift_r(unsigned, unsigned, unsigned);
int __mul24(int, int);
unsigned __umul24(unsigned, unsigned);
int __mulhi(int, int);
unsigned __umulhi(unsigned, unsigned);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
int __dp4a(int, int, int);
int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __syncwarp(unsigned = 0xffffffffu);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned);
void __trap();
long long clock64();
int clock();
unsigned __activemask();
unsigned __ballot_sync(unsigned, int);
int __all_sync(unsigned, int);
int __any_sync(unsigned, int);
template <class T> T __shfl_sync(unsigned, T, int, int = 32);
template <class T> T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T> unsigned __match_any_sync(unsigned, T);
unsigned __reduce_add_sync(unsigned, unsigned);
unsigned __reduce_min_sync(unsigned, unsigned);
unsigned __reduce_max_sync(unsigned, unsigned);
template <class T> T __ldg(const T*);
template <class T> T __ldca(const T*);
template <class T> T __ldcg(const T*);
template <class T> T __ldcs(const T*);
template <class T> T __ldlu(const T*);
template <class T> T __ldcv(const T*);
template <class T> void __stcg(T*, T);
template <class T> void __stcs(T*, T);
template <class T> void __stwb(T*, T);
template <class T> void __stwt(T*, T);
size_t __cvta_generic_to_shared(const void*);
unsigned __isGlobal(const void*);
namespace kl_clang {
template <class T> struct Same {
    using type = T;
};
} // namespace kl_clang
#define KL_ATOMIC(name)                                                                                                \
    template <class T> T name(T*, typename kl_clang::Same<T>::type);                                                   \
    template <class T> T name##_block(T*, typename kl_clang::Same<T>::type);                                           \
    template <class T> T name##_system(T*, typename kl_clang::Same<T>::type);
KL_ATOMIC(atomicAdd) KL_ATOMIC(atomicSub) KL_ATOMIC(atomicExch) KL_ATOMIC(atomicMin) KL_ATOMIC(atomicMax) KL_ATOMIC(atomicInc)
KL_ATOMIC(atomicDec) KL_ATOMIC(atomicAnd) KL_ATOMIC(atomicOr) KL_ATOMIC(atomicXor)
#undef KL_ATOMIC
template <class T> T atomicCAS(T*, typename kl_clang::Same<T>::type, typename kl_clang::Same<T>::type);

// What CUDA's half headers choose by machine: no branch of it, which clang would not follow.
#define __NV_TARGET_H
#define NV_IF_TARGET(...)
#define NV_IF_ELSE_TARGET(...)
#define NV_DISPATCH_TARGET(...)
