// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores through mma.sync: eight independent accumulators a warp. out[thread] is the sum of a thread's elements of
// them: with operands of one, each is the inner size times the iterations.

#define KERNELARIUM_MMA(NAME, INSTRUCTION, WORDS, NUMBER, CONSTRAINT)                                                             \
    extern "C" __global__ void __launch_bounds__(256) NAME(const __grid_constant__ CeilingArguments a) {                          \
        unsigned x[4], y[2];                                                                                                      \
        _Pragma("unroll") for (int k = 0; k < 4; ++k) x[k] = WORDS::at(8 * threadIdx.x + k, a.seed);                              \
        _Pragma("unroll") for (int k = 0; k < 2; ++k) y[k] = WORDS::at(8 * threadIdx.x + 4 + k, a.seed);                          \
        NUMBER d[8][4] = {};                                                                                                      \
        for (unsigned n = 0; n < a.iterations; ++n) {                                                                             \
            _Pragma("unroll") for (int k = 0; k < 8; ++k)                                                                         \
                asm volatile(INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                       \
                             : CONSTRAINT(d[k][0]), CONSTRAINT(d[k][1]), CONSTRAINT(d[k][2]), CONSTRAINT(d[k][3])                 \
                             : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));                                 \
        }                                                                                                                         \
        NUMBER sum = 0;                                                                                                           \
        _Pragma("unroll") for (int k = 0; k < 8; ++k) sum += d[k][0] + d[k][1] + d[k][2] + d[k][3];                               \
        ((NUMBER*)a.out)[(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;                                        \
    }

#if __CUDA_ARCH__ >= 800
KERNELARIUM_MMA(mmaHalf, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", HalfWords, float, "+f")
KERNELARIUM_MMA(mmaBfloat, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", BfloatWords, float, "+f")
KERNELARIUM_MMA(mmaTfloat, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", TfloatWords, float, "+f")
KERNELARIUM_MMA(mmaByte, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", ByteWords, int, "+r")

/// Float64, of which the inner size is 4.
extern "C" __global__ void __launch_bounds__(256) mmaDouble(const __grid_constant__ CeilingArguments a) {
    const double x = a.seed == 0 ? 1.0 : 0.5 + (scrambled(threadIdx.x + a.seed) >> 1) * (0.5 / 2147483648.0), y = x;
    double d[8][2] = {};
    for (unsigned n = 0; n < a.iterations; ++n) {
#pragma unroll
        for (int k = 0; k < 8; ++k)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(d[k][0]), "+d"(d[k][1])
                         : "d"(x), "d"(y));
    }
    double sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += d[k][0] + d[k][1];
    ((double*)a.out)[(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#endif
#if __CUDA_ARCH__ >= 890
KERNELARIUM_MMA(mmaFloatEight, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", FloatEightWords, float, "+f")
#endif
#if __CUDA_ARCH__ >= 900
/// Float64 with an inner size of 16, which Hopper needs for its full rate.
extern "C" __global__ void __launch_bounds__(256) mmaDoubleWide(const __grid_constant__ CeilingArguments a) {
    double x[8], y[4], d[4][4] = {};
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        const double v = a.seed == 0 ? 1.0 : 0.5 + (scrambled(16 * threadIdx.x + k + a.seed) >> 1) * (0.5 / 2147483648.0);
        if (k < 8) x[k] = v;
        else y[k - 8] = v;
    }
    for (unsigned n = 0; n < a.iterations; ++n) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
                         "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
                         : "+d"(d[k][0]), "+d"(d[k][1]), "+d"(d[k][2]), "+d"(d[k][3])
                         : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(x[4]), "d"(x[5]), "d"(x[6]), "d"(x[7]), "d"(y[0]),
                           "d"(y[1]), "d"(y[2]), "d"(y[3]));
    }
    double sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += d[k][0] + d[k][1] + d[k][2] + d[k][3];
    ((double*)a.out)[(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#endif
