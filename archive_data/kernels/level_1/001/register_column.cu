// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/1 1_Square_matrix_multiplication_
// Name:    register_column
// Parent:  shared_tiles
// Idea:    Each thread computes eight elements of one column instead of one. An element of B read from
//          shared memory then serves eight multiplications from a register.
// Look at: Shared-memory loads per multiplication: 2 before, 9/8 now. The multiplier, not the loads, begins
//          to set the pace.
#include <torch/extension.h>

constexpr int tileM = 64;
constexpr int tileN = 64;
constexpr int tileK = 8;
constexpr int perThread = 8;                       // rows of one column
constexpr int threads = tileM * tileN / perThread; // 512: one element of each tile per thread

__global__ void matmulRegisterColumn(const float* A, const float* B, float* C, int m, int n, int k) {
    __shared__ float tileA[tileM][tileK];
    __shared__ float tileB[tileK][tileN];
    const int column = threadIdx.x % tileN;
    const int firstRow = threadIdx.x / tileN * perThread;
    const int rowA = threadIdx.x / tileK, columnA = threadIdx.x % tileK;
    const int rowB = threadIdx.x / tileN, columnB = threadIdx.x % tileN;
    const int globalRowA = blockIdx.y * tileM + rowA;
    const int globalColumnB = blockIdx.x * tileN + columnB;

    float sum[perThread] = {};
    for (int start = 0; start < k; start += tileK) {
        const bool insideA = globalRowA < m && start + columnA < k;
        const bool insideB = start + rowB < k && globalColumnB < n;
        tileA[rowA][columnA] = insideA ? A[size_t(globalRowA) * k + start + columnA] : 0.0f;
        tileB[rowB][columnB] = insideB ? B[size_t(start + rowB) * n + globalColumnB] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tileK; ++i) {
            const float b = tileB[i][column]; // once for eight products
#pragma unroll
            for (int r = 0; r < perThread; ++r)
                sum[r] += tileA[firstRow + r][i] * b;
        }
        __syncthreads();
    }
    const int globalColumn = blockIdx.x * tileN + column;
    for (int r = 0; r < perThread; ++r) {
        const int globalRow = blockIdx.y * tileM + firstRow + r;
        if (globalRow < m && globalColumn < n) C[size_t(globalRow) * n + globalColumn] = sum[r];
    }
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
    const dim3 grid((n + tileN - 1) / tileN, (m + tileM - 1) / tileM);
    matmulRegisterColumn<<<grid, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m,
                                            n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Square matrix multiplication (register column)");
}
