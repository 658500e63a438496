// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that move: device memory, L2, shared memory. Elements are 16 bytes.

__device__ inline unsigned long long firstOf() { return (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline unsigned long long threadsOf() { return (unsigned long long)gridDim.x * blockDim.x; }

__device__ inline void mix(uint4& sum, const uint4& v) {
    sum.x ^= v.x;
    sum.y ^= v.y;
    sum.z ^= v.z;
    sum.w ^= v.w;
}

/// `count` elements from `in`, each once; out[thread] is the exclusive or of a thread's elements.
extern "C" __global__ void __launch_bounds__(512) readMemory(const __grid_constant__ CeilingArguments a) {
    const uint4* in = (const uint4*)a.in;
    const unsigned long long step = threadsOf();
    uint4 sum = make_uint4(0, 0, 0, 0);
    unsigned long long i = firstOf();
    for (; i + 3 * step < a.count; i += 4 * step) {
        const uint4 v0 = in[i], v1 = in[i + step], v2 = in[i + 2 * step], v3 = in[i + 3 * step];
        mix(sum, v0);
        mix(sum, v1);
        mix(sum, v2);
        mix(sum, v3);
    }
    for (; i < a.count; i += step) mix(sum, in[i]);
    ((uint4*)a.out)[firstOf()] = sum;
}

/// `count` elements of `out`, whose words are the seed.
extern "C" __global__ void __launch_bounds__(512) writeMemory(const __grid_constant__ CeilingArguments a) {
    uint4* out = (uint4*)a.out;
    const uint4 v = make_uint4(a.seed, a.seed, a.seed, a.seed);
    for (unsigned long long i = firstOf(); i < a.count; i += threadsOf()) out[i] = v;
}

/// `count` elements from `in` to `out`.
extern "C" __global__ void __launch_bounds__(512) copyMemory(const __grid_constant__ CeilingArguments a) {
    const uint4* in = (const uint4*)a.in;
    uint4* out = (uint4*)a.out;
    const unsigned long long step = threadsOf();
    unsigned long long i = firstOf();
    for (; i + 3 * step < a.count; i += 4 * step) {
        const uint4 v0 = in[i], v1 = in[i + step], v2 = in[i + 2 * step], v3 = in[i + 3 * step];
        out[i] = v0;
        out[i + step] = v1;
        out[i + 2 * step] = v2;
        out[i + 3 * step] = v3;
    }
    for (; i < a.count; i += step) out[i] = in[i];
}

/// `iterations` times the same `count` elements, a multiple of four times the threads, past the L1 cache.
extern "C" __global__ void __launch_bounds__(512) readCache(const __grid_constant__ CeilingArguments a) {
    const unsigned long long step = threadsOf();
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (unsigned n = 0; n < a.iterations; ++n) {
        for (unsigned long long i = firstOf(); i + 3 * step < a.count; i += 4 * step) {
            uint4 v[4];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                             : "l"(a.in + 16 * (i + k * step)));
#pragma unroll
            for (int k = 0; k < 4; ++k) mix(sum, v[k]);
        }
    }
    ((uint4*)a.out)[firstOf()] = sum;
}

/// 8 loads of 16 bytes a thread and iteration; word w of the block's 32 KiB is w. Blocks of 256 threads.
extern "C" __global__ void __launch_bounds__(256) readShared(const __grid_constant__ CeilingArguments a) {
    __shared__ uint4 tile[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) tile[i] = make_uint4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    __syncthreads();
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile) + 16 * threadIdx.x;
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (unsigned n = 0; n < a.iterations; ++n) {
        uint4 v[8];
#pragma unroll
        for (int k = 0; k < 8; ++k)
            // volatile to ptxas too: else it loads once, before the loop
            asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                         : "r"(base + 4096 * k));
#pragma unroll
        for (int k = 0; k < 8; ++k) mix(sum, v[k]);
    }
    ((uint4*)a.out)[firstOf()] = sum;
}
