// SPDX-License-Identifier: GPL-3.0-or-later
//
// A product of two matrices by tiles in shared memory; each thread computes ROWS elements of a column.
#include <torch/extension.h>

/* tune
   where: TILE % ROWS == 0, TILE * TILE / ROWS <= MAX_THREADS
   where: TILE * TILE / ROWS >= 32     # a warp at least
   registers: 0, 32, 64, 128
*/
constexpr int MAX_THREADS = 1024;
constexpr int TILE = 16; // tune: 8, 16, 32, 64
constexpr int ROWS = 2;  // tune: pow2 1..16
#define PAD 1            // tune: 0, 1

__global__ void __launch_bounds__(MAX_THREADS, 1) // tune min_blocks: 1, 2
    matmulTiles(const float* A, const float* B, float* C, int m, int n, int k) {
    __shared__ float tileA[TILE][TILE + PAD];
    __shared__ float tileB[TILE][TILE + PAD];
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int top = blockIdx.y * TILE;
    float sum[ROWS] = {};
    for (int start = 0; start < k; start += TILE) {
        for (int r = threadIdx.y; r < TILE; r += TILE / ROWS) {
            const int columnA = start + threadIdx.x;
            const int rowB = start + r;
            tileA[r][threadIdx.x] = top + r < m && columnA < k ? A[size_t(top + r) * k + columnA] : 0.0f;
            tileB[r][threadIdx.x] = rowB < k && column < n ? B[size_t(rowB) * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll 4 // tune UNROLL: 1, 2, 4, 8
        for (int i = 0; i < TILE; ++i)
            for (int r = 0; r < ROWS; ++r)
                sum[r] += tileA[threadIdx.y + r * (TILE / ROWS)][i] * tileB[i][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < ROWS; ++r) {
        const int row = top + threadIdx.y + r * (TILE / ROWS);
        if (row < m && column < n) C[size_t(row) * n + column] = sum[r];
    }
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && B.is_cuda(), "A and B must be CUDA tensors");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && A.size(1) == B.size(0), "A must be [m, k] and B [k, n]");
    A = A.contiguous();
    B = B.contiguous();
    const int m = A.size(0);
    const int k = A.size(1);
    const int n = B.size(1);
    auto C = torch::empty({m, n}, A.options());
    if (m == 0 || n == 0) return C;
    const dim3 block(TILE, TILE / ROWS);
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matmulTiles<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m, n, k);
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Square matrix multiplication (tunable tiles)");
}
