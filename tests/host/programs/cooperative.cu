// SPDX-License-Identifier: GPL-3.0-or-later
// A grid that synchronises, launched by cudaLaunchCooperativeKernel.
// prints: supported, 64 elements, all 16
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
    cudaFree(a);
    cudaFree(b);
    return right == 64 ? 0 : 1;
}
