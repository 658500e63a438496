// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/89 89_cumsum
// Name:    hillis_steele
// Parent:  naive
// Idea:    A block per line, 256 elements at a time. In step s every thread adds the value that lies 2^s
//          places before it (Hillis and Steele 1986): eight steps instead of 256, for eight times as many
//          additions. A carry links the chunks.
// Look at: Two barriers per step: all must have read before anyone writes.
#include <torch/extension.h>

constexpr int threads = 256;

__global__ void cumsumSteps(const float* x, float* y, int n, int64_t inner) {
    __shared__ float sums[threads];
    const int64_t line = blockIdx.x;
    const int64_t first = line / inner * n * inner + line % inner;
    float carry = 0.0f; // sum of all chunks before this one
    for (int start = 0; start < n; start += threads) {
        const int i = start + threadIdx.x;
        sums[threadIdx.x] = i < n ? x[first + i * inner] : 0.0f;
        __syncthreads();
        for (int distance = 1; distance < threads; distance *= 2) {
            const float before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0.0f;
            __syncthreads();
            sums[threadIdx.x] += before;
            __syncthreads();
        }
        if (i < n) y[first + i * inner] = carry + sums[threadIdx.x];
        carry += sums[threads - 1];
        __syncthreads(); // the next chunk overwrites sums
    }
}

torch::Tensor forward(torch::Tensor x, int64_t dim) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    if (dim < 0) dim += x.dim();
    TORCH_CHECK(dim >= 0 && dim < x.dim(), "dim is out of range");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const int n = x.size(dim);
    int64_t inner = 1; // distance of neighbours along the dimension
    for (int64_t d = dim + 1; d < x.dim(); ++d)
        inner *= x.size(d);
    const int64_t lines = x.numel() / n;
    cumsumSteps<<<lines, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "cumsum (hillis steele)");
}
