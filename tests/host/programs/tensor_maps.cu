// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor map made through the driver's entry point, and a launch in clusters: the first block of each brings a box of
// the matrix for all of its blocks.
// prints: sums 2016 6112 10208 14304
// prints: a box of 257 rows: 1
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cudaTypedefs.h>

__global__ void sums(const __grid_constant__ CUtensorMap map, int* out) {
    __shared__ __align__(128) int box[2][32];
    __shared__ unsigned long long bar;
    const unsigned to = (unsigned)__cvta_generic_to_shared(box), at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (rank == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to), "l"(&map), "r"(0), "r"((int)blockIdx.x), "r"(at), "h"((short)3)
                     : "memory");
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@p bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(at) : "memory");
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += box[i / 32][i % 32];
        out[blockIdx.x] = sum;
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

int main() {
    constexpr int rows = 8, columns = 32;
    int host[rows * columns], *matrix, *out, results[8];
    for (int i = 0; i < rows * columns; ++i) host[i] = i;
    cudaMalloc(&matrix, sizeof host);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(matrix, host, sizeof host, cudaMemcpyHostToDevice);
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found) != cudaSuccess || !entry) return 1;
    auto encode = (PFN_cuTensorMapEncodeTiled_v12000)entry;
    CUtensorMap map;
    cuuint64_t extents[2] = {columns, rows}, strides[1] = {columns * sizeof(int)};
    cuuint32_t box[2] = {columns, 2}, steps[2] = {1, 1};
    const auto make = [&] {
        return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    if (make() != CUDA_SUCCESS) return 2;
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 32;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {2, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, sums, map, out) != cudaSuccess) return 3;
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("sums %d %d %d %d\n", results[1], results[3], results[5], results[7]);
    box[1] = 257;
    printf("a box of 257 rows: %d\n", (int)make());
}
