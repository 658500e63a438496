// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are handed lambdas; a product of cuBLAS.
// prints: 1 4 7 10
// prints: product 19 22 43 50
#include <cublas_v2.h>
#include <cstdio>
#include <memory>

template <class F> __global__ void apply(float* p, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = f(p[i]);
}

int main() {
    const int n = 4;
    std::unique_ptr<float[]> h(new float[n]);
    for (int i = 0; i < n; ++i) h[i] = i;
    float a = 3, *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h.get(), n * sizeof(float), cudaMemcpyHostToDevice);
    apply<<<1, 32>>>(d, n, [=] __device__(float x) { return a * x; });
    apply<<<1, 32>>>(d, n, [] __host__ __device__(float x) { return x + 1; });
    cudaMemcpy(h.get(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) printf("%g ", h[i]);
    printf("\n");
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
    const float left[] = {1, 2, 3, 4}, right[] = {5, 6, 7, 8}, one = 1, zero = 0;
    float *dl, *dr;
    cudaMalloc(&dl, sizeof left);
    cudaMalloc(&dr, sizeof right);
    cudaMemcpy(dl, left, sizeof left, cudaMemcpyHostToDevice);
    cudaMemcpy(dr, right, sizeof right, cudaMemcpyHostToDevice);
    // Rows for columns: the factors change places.
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, dr, 2, dl, 2, &zero, d, 2);
    cudaMemcpy(h.get(), d, sizeof left, cudaMemcpyDeviceToHost);
    printf("product %g %g %g %g\n", h[0], h[1], h[2], h[3]);
    cublasDestroy(handle);
    for (float* p : {d, dl, dr}) cudaFree(p);
    return 0;
}
