// SPDX-License-Identifier: GPL-3.0-or-later
// Constant memory and device variables, by name.
// prints: dot 30
// prints: counter 256
// prints: size 16
#include <cstdio>

__constant__ float weights[4];
__device__ int counter;

__global__ void dot(const float* x, float* out) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += weights[i] * x[i];
    *out = sum;
}
__global__ void count() {
    atomicAdd(&counter, 1);
}

int main() {
    const float w[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    float *x, *out, result;
    cudaMalloc(&x, sizeof w);
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(x, w, sizeof w, cudaMemcpyHostToDevice);
    dot<<<1, 1>>>(x, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("dot %g\n", result);
    int zero = 0, counted = -1;
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    count<<<4, 64>>>();
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    printf("counter %d\n", counted);
    size_t size = 0;
    cudaGetSymbolSize(&size, weights);
    printf("size %zu\n", size);
    cudaFree(x);
    cudaFree(out);
}
