// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/16 16_Matmul_with_transposed_A
// Name:    naive
// Parent:  none
// Idea:    C = A^T B read as it stands: element (row, column) is the sum of A[i][row] * B[i][column].
//          Nothing is transposed in memory; the transposition is only an exchange of indices.
// Look at: Lanes along the columns read B in whole lines and A as a broadcast, so even the naive kernel is
//          coalesced. What it lacks is reuse.
#include <torch/extension.h>

__global__ void transposedNaive(const float* A, const float* B, float* C, int m, int n, int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum += A[size_t(i) * m + row] * B[size_t(i) * n + column];
    C[size_t(row) * n + column] = sum;
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && B.is_cuda(), "A and B must be CUDA tensors");
    TORCH_CHECK(A.scalar_type() == torch::kFloat32 && B.scalar_type() == torch::kFloat32,
                "A and B must be float32");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && A.size(0) == B.size(0), "A must be [k, m] and B [k, n]");
    A = A.contiguous();
    B = B.contiguous();
    const int k = A.size(0);
    const int m = A.size(1);
    const int n = B.size(1);
    auto C = torch::empty({m, n}, A.options());
    if (m == 0 || n == 0) return C;
    const dim3 block(32, 8);
    const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    transposedNaive<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matmul with transposed A (naive)");
}
