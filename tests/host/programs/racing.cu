// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory read without a barrier.
// fault: race
#include <cstdio>

__global__ void reverse(int* p) {
    __shared__ int cells[128];
    cells[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = cells[127 - threadIdx.x];
}

int main() {
    int *d, h[128];
    for (int i = 0; i < 128; ++i) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return 0;
}
