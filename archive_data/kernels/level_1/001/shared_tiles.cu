// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/1 1_Square_matrix_multiplication_
// Name:    shared_tiles
// Parent:  coalesced
// Idea:    A block copies a 32 by 32 tile of A and of B into shared memory and lets its 1024 threads use
//          each element 32 times, so that global traffic falls by a factor of 32.
// Look at: The two barriers per tile: the first makes the tile complete before it is read, the second keeps
//          a fast warp from overwriting it.
#include <torch/extension.h>

constexpr int tile = 32;

__global__ void matmulShared(const float* A, const float* B, float* C, int m, int n, int k) {
    __shared__ float tileA[tile][tile];
    __shared__ float tileB[tile][tile];
    const int column = blockIdx.x * tile + threadIdx.x;
    const int row = blockIdx.y * tile + threadIdx.y;
    float sum = 0.0f;
    for (int start = 0; start < k; start += tile) {
        const int columnA = start + threadIdx.x;
        const int rowB = start + threadIdx.y;
        // Outside the matrices the tiles hold zeros, which add nothing.
        tileA[threadIdx.y][threadIdx.x] = row < m && columnA < k ? A[size_t(row) * k + columnA] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = rowB < k && column < n ? B[size_t(rowB) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < tile; ++i)
            sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x]; // a broadcast and a conflict-free row
        __syncthreads();
    }
    if (row < m && column < n) C[size_t(row) * n + column] = sum;
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
    const dim3 block(tile, tile);
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    matmulShared<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Square matrix multiplication (shared tiles)");
}
