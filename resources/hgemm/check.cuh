// SPDX-License-Identifier: GPL-3.0-or-later
// What the laboratory needs besides products: operands, and whether a result is right.
typedef unsigned long long u64;
typedef unsigned int u32;

__device__ __forceinline__ u32 mixed(u64 i, u32 seed) { // splitmix64
    u64 z = i * 0x9e3779b97f4a7c15ull + (u64)seed * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (u32)(z >> 32);
}
__device__ __forceinline__ unsigned short toHalf(float x) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}
__device__ __forceinline__ float fromHalf(unsigned short h) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}

/// A matrix [rows, columns] of numbers from -1 to 1, the same whether it is written row by row or turned.
extern "C" __global__ void fillOperand(unsigned short* out, long long rows, long long columns, int turned, u32 seed) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += step) {
        const long long element = turned ? i % rows * columns + i / rows : i;
        out[i] = toHalf((float)(int)mixed((u64)element, seed) * 4.656612873077393e-10f);
    }
}

struct Judged {
    u32 wrong, unwritten; ///< samples beyond their bound; elements that still are what was there before
    u32 worst, prefix;    ///< as floats: the largest error over its bound; the largest partial sum of a sample
};

/// Samples of C against sums in float64, one for each thread: the first are the corners, the others lie anywhere. The
/// bound is what one rounding to float16 gives, and for each block of 16 elements of k one rounding of the partial sum
/// in the accumulator's precision (`unit`).
extern "C" __global__ void judge(const unsigned short* a, const unsigned short* b, const unsigned short* c, long long m,
                                 long long n, long long k, float unit, int samples, u32 seed, Judged* out) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples) return;
    long long i = mixed((u64)s, seed) % (u64)m, j = mixed((u64)s, seed + 1) % (u64)n;
    if (s < 4) {
        i = s & 1 ? m - 1 : 0;
        j = s & 2 ? n - 1 : 0;
    }
    double sum = 0, most = 0;
    for (long long l = 0; l < k; ++l) {
        sum += (double)fromHalf(a[i * k + l]) * (double)fromHalf(b[j * k + l]);
        most = fabs(sum) > most ? fabs(sum) : most;
    }
    const double bound = fabs(sum) * 4.8828125e-4 + 6e-8 + (double)(k / 16 + 9) * unit * (most + 1);
    const double error = fabs((double)fromHalf(c[i * n + j]) - sum);
    const float share = error <= bound * 1e6 ? (float)(error / bound) : 1e6f; // of NaN, too
    if (!(share <= 1)) atomicAdd(&out->wrong, 1u);
    atomicMax(&out->worst, __float_as_uint(share));
    atomicMax(&out->prefix, __float_as_uint((float)most));
}

/// Every element against another result, and whether it was written at all: memory was filled with `poison` before.
extern "C" __global__ void compare(const unsigned short* c, const unsigned short* other, long long count, unsigned short poison,
                                   float relative, float absolute, Judged* out) {
    u32 wrong = 0, unwritten = 0;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const float x = fromHalf(c[i]), y = fromHalf(other[i]);
        if (!(fabsf(x - y) <= relative * fmaxf(fabsf(x), fabsf(y)) + absolute)) ++wrong;
        if (c[i] == poison) ++unwritten;
    }
    if (wrong) atomicAdd(&out->wrong, wrong);
    if (unwritten) atomicAdd(&out->unwritten, unwritten);
}
