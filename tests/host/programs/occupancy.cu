// SPDX-License-Identifier: GPL-3.0-or-later
// What the occupancy calls say fits the limits, and a launch by it works.
// prints: block is a multiple of 32
// prints: some blocks fit
// prints: half as many clusters of two
// prints: variable shared memory fits
// prints: done
#include <cstdio>

__global__ void square(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i * i;
}

int main() {
    int minGrid = 0, block = 0, blocks = 0;
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, square, 0, 0);
    printf("block is %sa multiple of 32\n", block > 0 && block % 32 == 0 ? "" : "not ");
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, block, 0);
    printf("%s blocks fit\n", blocks > 0 ? "some" : "no");
    cudaLaunchAttribute pairs;
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(block);
    config.attrs = &pairs;
    config.numAttrs = 1;
    int clusters = 0, processors = 0;
    cudaOccupancyMaxActiveClusters(&clusters, square, &config);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    printf("%s many clusters of two\n", clusters == blocks * processors / 2 ? "half as" : "not as");
    int grid2 = 0, block2 = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid2, &block2, square, [](int threads) { return threads * 64; });
    printf("variable shared memory %s\n", block2 > 0 && block2 * 64 <= 48 * 1024 ? "fits" : "does not fit");
    int* d;
    const int n = 5000;
    cudaMalloc(&d, n * sizeof(int));
    square<<<(n + block - 1) / block, block>>>(d, n);
    int last = 0;
    cudaMemcpy(&last, d + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, square);
    printf(last == (n - 1) * (n - 1) && attributes.maxThreadsPerBlock == 1024 ? "done\n" : "wrong\n");
    cudaFree(d);
    cudaDeviceReset();
    return 0;
}
