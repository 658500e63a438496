// SPDX-License-Identifier: GPL-3.0-or-later
// Hopper's tensor cores at their full rate: wgmma, both operands in shared memory. Each of a block's two warpgroups has a
// tile of A of its own, 64 rows of 128 bytes; B, 256 columns of 128 bytes, is shared. Four steps of 32 bytes go through
// them. Layout without swizzling: blocks of 8 rows by 16 bytes, one after the other along the rows, then along the bytes.
// out[thread] is the sum of a thread's elements: with operands of one, each is 16 times the inner size times the iterations.

/// A matrix in shared memory whose blocks are 128 bytes apart along the rows and `along` bytes along the inner dimension
/// (PTX ISA, "Matrix descriptor format": addresses and offsets in units of 16 bytes).
__device__ inline unsigned long long descriptorOf(unsigned address, unsigned along) {
    return (unsigned long long)((address & 0x3ffff) >> 4) | (unsigned long long)(along >> 4) << 16 | (unsigned long long)(128 >> 4) << 32;
}

#define KERNELARIUM_ACCUMULATORS \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

#define KERNELARIUM_ALL(C) \
        C(d[0]), C(d[1]), C(d[2]), C(d[3]), C(d[4]), C(d[5]), C(d[6]), C(d[7]), \
        C(d[8]), C(d[9]), C(d[10]), C(d[11]), C(d[12]), C(d[13]), C(d[14]), C(d[15]), \
        C(d[16]), C(d[17]), C(d[18]), C(d[19]), C(d[20]), C(d[21]), C(d[22]), C(d[23]), \
        C(d[24]), C(d[25]), C(d[26]), C(d[27]), C(d[28]), C(d[29]), C(d[30]), C(d[31]), \
        C(d[32]), C(d[33]), C(d[34]), C(d[35]), C(d[36]), C(d[37]), C(d[38]), C(d[39]), \
        C(d[40]), C(d[41]), C(d[42]), C(d[43]), C(d[44]), C(d[45]), C(d[46]), C(d[47]), \
        C(d[48]), C(d[49]), C(d[50]), C(d[51]), C(d[52]), C(d[53]), C(d[54]), C(d[55]), \
        C(d[56]), C(d[57]), C(d[58]), C(d[59]), C(d[60]), C(d[61]), C(d[62]), C(d[63]), \
        C(d[64]), C(d[65]), C(d[66]), C(d[67]), C(d[68]), C(d[69]), C(d[70]), C(d[71]), \
        C(d[72]), C(d[73]), C(d[74]), C(d[75]), C(d[76]), C(d[77]), C(d[78]), C(d[79]), \
        C(d[80]), C(d[81]), C(d[82]), C(d[83]), C(d[84]), C(d[85]), C(d[86]), C(d[87]), \
        C(d[88]), C(d[89]), C(d[90]), C(d[91]), C(d[92]), C(d[93]), C(d[94]), C(d[95]), \
        C(d[96]), C(d[97]), C(d[98]), C(d[99]), C(d[100]), C(d[101]), C(d[102]), C(d[103]), \
        C(d[104]), C(d[105]), C(d[106]), C(d[107]), C(d[108]), C(d[109]), C(d[110]), C(d[111]), \
        C(d[112]), C(d[113]), C(d[114]), C(d[115]), C(d[116]), C(d[117]), C(d[118]), C(d[119]), \
        C(d[120]), C(d[121]), C(d[122]), C(d[123]), C(d[124]), C(d[125]), C(d[126]), C(d[127])

#define KERNELARIUM_WGMMA(NAME, INSTRUCTION, MODIFIERS, WORDS, NUMBER, C)                                                         \
    extern "C" __global__ void __launch_bounds__(256, 1) NAME(const __grid_constant__ CeilingArguments a) {                       \
        __shared__ alignas(128) unsigned tiles[12288];                                                                            \
        for (unsigned i = threadIdx.x; i < 12288; i += blockDim.x) tiles[i] = WORDS::at(i, a.seed);                               \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                              \
        __syncthreads();                                                                                                          \
        const unsigned base = (unsigned)__cvta_generic_to_shared(tiles);                                                          \
        const unsigned long long x = descriptorOf(base + threadIdx.x / 128 * 8192, 1024);                                         \
        const unsigned long long y = descriptorOf(base + 16384, 4096);                                                            \
        NUMBER d[128] = {};                                                                                                       \
        for (unsigned n = 0; n < a.iterations; ++n) {                                                                             \
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                               \
            _Pragma("unroll") for (int k = 0; k < 16; ++k)                                                                        \
                asm volatile("{.reg .pred p; setp.ne.u32 p, 1, 0; " INSTRUCTION " {" KERNELARIUM_ACCUMULATORS                     \
                             "}, %128, %129, p" MODIFIERS ";}"                                                                    \
                             : KERNELARIUM_ALL(C)                                                                                 \
                             : "l"(x + (k & 3) * (2048 >> 4)), "l"(y + (k & 3) * (8192 >> 4)));                                   \
            asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");                       \
        }                                                                                                                         \
        NUMBER sum = 0;                                                                                                           \
        _Pragma("unroll") for (int k = 0; k < 128; ++k) sum += d[k];                                                              \
        ((NUMBER*)a.out)[(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;                                        \
    }

#define KERNELARIUM_FLOAT(x) "+f"(x)
#define KERNELARIUM_INT(x) "+r"(x)
KERNELARIUM_WGMMA(wgmmaHalf, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", ", 1, 1, 0, 0", HalfWords, float, KERNELARIUM_FLOAT)
KERNELARIUM_WGMMA(wgmmaBfloat, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0", BfloatWords, float, KERNELARIUM_FLOAT)
KERNELARIUM_WGMMA(wgmmaTfloat, "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", ", 1, 1", TfloatWords, float, KERNELARIUM_FLOAT)
KERNELARIUM_WGMMA(wgmmaFloatEight, "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", ", 1, 1", FloatEightWords, float, KERNELARIUM_FLOAT)
KERNELARIUM_WGMMA(wgmmaByte, "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "", ByteWords, int, KERNELARIUM_INT)
