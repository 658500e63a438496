// SPDX-License-Identifier: GPL-3.0-or-later
// The last block goes past the end: the program is content, the checks are not.
// exit: 0
// fault: out_of_bounds
// prints: content
#include <cstdio>

__global__ void fill(int* p) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
    int *d, h[100];
    cudaMalloc(&d, sizeof h);
    fill<<<2, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("content\n");
    return h[99] == 1 ? 0 : 1;
}
