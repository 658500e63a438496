// SPDX-License-Identifier: GPL-3.0-or-later
// A grid that synchronises, launched by cudaLaunchCooperativeKernel; groups of any kind, of which one may be a cluster.
// prints: supported, 64 elements, all 16
// prints: whole 2016, tiles 120 376 632 888
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void phases(int* a, int* b) {
    cg::grid_group grid = cg::this_grid();
    const auto i = grid.thread_rank();
    a[i] = int(i);
    grid.sync();
    b[i] = a[grid.size() - 1 - i] + a[i];
    grid.sync();
    b[i] -= 47;
}

__device__ int sumOf(cg::thread_group group, int* cells, int value) {
    const int rank = group.thread_rank();
    for (int step = group.size() / 2; step > 0; step /= 2) {
        cells[rank] = value;
        group.sync();
        if (rank < step) value += cells[rank + step];
        group.sync();
    }
    return rank == 0 ? value : -1;
}
__global__ void groups(int* out) {
    extern __shared__ int cells[];
    cg::thread_block block = cg::this_thread_block();
    const int whole = sumOf(block, cells, block.thread_rank());
    if (block.thread_rank() == 0) out[0] = whole;
    auto tile = cg::tiled_partition<16>(block);
    const int first = block.thread_rank() - tile.thread_rank();
    const int part = sumOf(tile, cells + first, block.thread_rank());
    if (tile.thread_rank() == 0) out[1 + first / 16] = part;
}

int main() {
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    int *a, *b, h[64];
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    void* arguments[] = {&a, &b};
    if (cudaLaunchCooperativeKernel((void*)phases, dim3(4), dim3(16), arguments, 0, 0) != cudaSuccess) return 1;
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    int right = 0;
    for (int v : h) right += v == 16;
    printf("%s, %d elements, all %d\n", supported ? "supported" : "not supported", right, h[0]);
    groups<<<1, 64, 64 * sizeof(int)>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("whole %d, tiles %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
    cudaFree(a);
    cudaFree(b);
    return right == 64 ? 0 : 1;
}
