// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked host memory in kernels: mapped by cudaHostAlloc, and registered.
// prints: mapped 2016, registered 64
// prints: attributes 1, 2, 0
#include <cstdio>
#include <cstdlib>

__global__ void addIndex(int* p) {
    p[threadIdx.x] += threadIdx.x;
}

int main() {
    cudaSetDeviceFlags(cudaDeviceMapHost);
    int *h, *d;
    cudaHostAlloc((void**)&h, 64 * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    for (int i = 0; i < 64; ++i) h[i] = 0;
    cudaHostGetDevicePointer((void**)&d, h, 0);
    addIndex<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += h[i];
    int* m = (int*)calloc(64, sizeof(int));
    cudaHostRegister(m, 64 * sizeof(int), cudaHostRegisterMapped);
    int* dm;
    cudaHostGetDevicePointer(&dm, m, 0);
    addIndex<<<1, 64>>>(dm);
    addIndex<<<1, 64>>>(dm);
    cudaDeviceSynchronize();
    printf("mapped %d, registered %d\n", sum, m[32]);
    cudaPointerAttributes a;
    int* g;
    cudaMalloc(&g, 4);
    int local = 0;
    cudaPointerGetAttributes(&a, h);
    printf("attributes %d", a.type);
    cudaPointerGetAttributes(&a, g);
    printf(", %d", a.type);
    cudaPointerGetAttributes(&a, &local);
    printf(", %d\n", a.type);
    cudaHostUnregister(m);
    free(m);
    cudaFreeHost(h);
    cudaFree(g);
}
