// SPDX-License-Identifier: GPL-3.0-or-later
// Streams with copies, events, callbacks and host functions.
// prints: callback 0 of stream, status no error
// prints: callback 1 of stream, status no error
// prints: host function 41 -> 42
// prints: elapsed is not negative
// prints: sum 6144
#include <cstdio>

__global__ void increment(int* p, int by) {
    p[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
void CUDART_CB done(cudaStream_t, cudaError_t status, void* data) {
    printf("callback %d of stream, status %s\n", *(int*)data, cudaGetErrorString(status));
}
void CUDART_CB host(void* data) {
    int* v = static_cast<int*>(data);
    printf("host function %d -> %d\n", *v, *v + 1);
    ++*v;
}

int main() {
    const int n = 2048, half = n / 2;
    int *h, *d, numbers[2] = {0, 1}, value = 41;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    for (int i = 0; i < n; ++i) h[i] = 1;
    cudaStream_t streams[2];
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int s = 0; s < 2; ++s) {
        cudaStreamCreate(&streams[s]);
        cudaMemcpyAsync(d + s * half, h + s * half, half * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
        increment<<<half / 256, 256, 0, streams[s]>>>(d + s * half, 2);
        cudaMemcpyAsync(h + s * half, d + s * half, half * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
        cudaStreamAddCallback(streams[s], done, &numbers[s], 0);
    }
    cudaLaunchHostFunc(streams[0], host, &value);
    for (auto& s : streams) {
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    printf("elapsed is %s\n", ms >= 0 ? "not negative" : "negative");
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += h[i];
    printf("sum %ld\n", sum);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(h);
    cudaFree(d);
    return value == 42 ? 0 : 1;
}
