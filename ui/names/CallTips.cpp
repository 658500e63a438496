// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/CudaNames.h"

#include <algorithm>

namespace kernelarium::ui {

const std::vector<CallTip>& callTips() {
    static const std::vector<CallTip> tips{
        {"__syncthreads", "void __syncthreads()", "Waits for every thread of the block; all of them must come here."},
        {"__syncthreads_count", "int __syncthreads_count(int predicate)",
         "Waits for the block and returns how many threads had a true predicate."},
        {"__syncthreads_and", "int __syncthreads_and(int predicate)",
         "Waits for the block; true when the predicate was true in every thread."},
        {"__syncthreads_or", "int __syncthreads_or(int predicate)",
         "Waits for the block; true when the predicate was true in any thread."},
        {"__syncwarp", "void __syncwarp(unsigned mask = 0xffffffff)",
         "Waits for the lanes in mask and orders their memory accesses."},
        {"__threadfence", "void __threadfence()",
         "Makes this thread's writes visible to the whole device before those that follow."},
        {"__threadfence_block", "void __threadfence_block()",
         "Makes this thread's writes visible to its block before those that follow."},
        {"__shfl_sync", "T __shfl_sync(unsigned mask, T value, int lane, int width = 32)",
         "The value that the given lane holds."},
        {"__shfl_up_sync", "T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)",
         "The value of the lane delta below; the lowest delta lanes keep their own."},
        {"__shfl_down_sync", "T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)",
         "The value of the lane delta above; the highest delta lanes keep their own."},
        {"__shfl_xor_sync", "T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32)",
         "The value of the lane whose number differs in the bits of laneMask (butterfly)."},
        {"__ballot_sync", "unsigned __ballot_sync(unsigned mask, int predicate)",
         "A bit for each lane of mask whose predicate is true."},
        {"__all_sync", "int __all_sync(unsigned mask, int predicate)",
         "True when the predicate is true in every lane of mask."},
        {"__any_sync", "int __any_sync(unsigned mask, int predicate)",
         "True when the predicate is true in any lane of mask."},
        {"__activemask", "unsigned __activemask()", "The lanes that happen to run here together; no synchronisation."},
        {"__match_any_sync", "unsigned __match_any_sync(unsigned mask, T value)",
         "The lanes of mask that hold the same value."},
        {"__reduce_add_sync", "T __reduce_add_sync(unsigned mask, T value)",
         "Sum over the lanes of mask (int and unsigned, sm_80 and later)."},
        {"atomicAdd", "T atomicAdd(T* address, T value)", "*address += value in one step; returns what was there."},
        {"atomicSub", "T atomicSub(T* address, T value)", "*address -= value in one step; returns what was there."},
        {"atomicMax", "T atomicMax(T* address, T value)",
         "The larger of both stays (integers only); returns what was there."},
        {"atomicMin", "T atomicMin(T* address, T value)",
         "The smaller of both stays (integers only); returns what was there."},
        {"atomicExch", "T atomicExch(T* address, T value)", "Stores value; returns what was there."},
        {"atomicCAS", "T atomicCAS(T* address, T expected, T value)",
         "Stores value if *address equals expected; returns what was there."},
        {"atomicInc", "unsigned atomicInc(unsigned* address, unsigned limit)",
         "Counts up, to zero after limit; returns what was there."},
        {"__ldg", "T __ldg(const T* address)",
         "Reads through the read-only cache: the memory must not change during the kernel."},
        {"__popc", "int __popc(unsigned x)", "How many bits are set."},
        {"__clz", "int __clz(int x)", "How many zero bits lead; 32 for zero."},
        {"__ffs", "int __ffs(int x)", "Position of the lowest set bit, from 1; 0 for zero."},
        {"__brev", "unsigned __brev(unsigned x)", "The bits in reverse order."},
        {"__fdividef", "float __fdividef(float x, float y)",
         "Fast quotient, 2 ulp for |y| in 2^-126..2^126; 0 for larger |y|."},
        {"__expf", "float __expf(float x)", "Fast exponential, less exact than expf."},
        {"__logf", "float __logf(float x)", "Fast natural logarithm, less exact than logf."},
        {"rsqrtf", "float rsqrtf(float x)", "1 / sqrt(x), 2 ulp, a single instruction's cost."},
        {"fmaf", "float fmaf(float x, float y, float z)", "x * y + z rounded once."},
        {"__float2half", "half __float2half(float x)", "Rounds to half precision, to nearest even."},
        {"__half2float", "float __half2float(half x)", "Exact conversion to single precision."},
        {"__hfma2", "half2 __hfma2(half2 a, half2 b, half2 c)", "a * b + c on two halves at once, each rounded once."},
        {"__launch_bounds__", "__launch_bounds__(maxThreadsPerBlock, minBlocksPerMultiprocessor = 0)",
         "Lets the compiler fit registers to the block size; larger blocks fail to launch."},
        {"__dp4a", "int __dp4a(int a, int b, int c)", "Dot product of four signed bytes, added to c."},
        {"make_float4", "float4 make_float4(float x, float y, float z, float w)",
         "Four floats, loaded and stored as 16 bytes when aligned."},
        {"cudaMemcpyAsync",
         "cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, "
         "cudaStream_t stream = 0)",
         "Copies in the order of the stream."},
        {"cudaFuncSetAttribute", "cudaError_t cudaFuncSetAttribute(kernel, cudaFuncAttribute attribute, int value)",
         "For over 48 KB of dynamic shared memory: cudaFuncAttributeMaxDynamicSharedMemorySize, bytes."},
        {"load_matrix_sync", "void load_matrix_sync(fragment& a, const T* address, unsigned leading, layout_t layout)",
         "The warp loads a tile; the address is a multiple of 32 bytes, leading of 16 bytes."},
        {"mma_sync", "void mma_sync(fragment& d, const fragment& a, const fragment& b, const fragment& c)",
         "d = a * b + c on tensor cores by the whole warp."},
    };
    return tips;
}

const CallTip* callTipOf(std::string_view name) {
    const auto& tips = callTips();
    const auto found = std::find_if(tips.begin(), tips.end(), [&](const CallTip& tip) { return tip.name == name; });
    return found == tips.end() ? nullptr : &*found;
}

} // namespace kernelarium::ui
