// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/1 1_Square_matrix_multiplication_
// Name:    coalesced
// Parent:  naive
// Idea:    The same work with the two axes exchanged: the lanes of a warp take neighbouring columns. A is
//          then a broadcast, B and C are read and written in whole 128-byte lines.
// Look at: Compare the sectors per request with the naive kernel: the arithmetic is identical, only the
//          addresses of a warp changed.
#include <torch/extension.h>

__global__ void matmulCoalesced(const float* A, const float* B, float* C, int m, int n, int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x; // lanes of a warp are neighbours in memory
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum += A[size_t(row) * k + i] * B[size_t(i) * n + column];
    C[size_t(row) * n + column] = sum;
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && B.is_cuda(), "A and B must be CUDA tensors");
    TORCH_CHECK(A.scalar_type() == torch::kFloat32 && B.scalar_type() == torch::kFloat32,
                "A and B must be float32");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && A.size(1) == B.size(0), "A must be [m, k] and B [k, n]");
    A = A.contiguous();
    B = B.contiguous();
    const int m = A.size(0);
    const int k = A.size(1);
    const int n = B.size(1);
    auto C = torch::empty({m, n}, A.options());
    if (m == 0 || n == 0) return C;
    const dim3 block(32, 8);
    const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    matmulCoalesced<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Square matrix multiplication (coalesced)");
}
