// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/3 3_Batched_matrix_multiplication
// Name:    shared_tiles
// Parent:  naive
// Idea:    16 by 16 tiles of both operands in shared memory, reused sixteen times. Small tiles suit small
//          matrices: a 128 by 512 product still gives 256 blocks per batch element.
// Look at: Global sectors against the naive kernel, and the barrier waits that the two synchronisations per
//          tile cost.
#include <torch/extension.h>

constexpr int tile = 16;

__global__ void bmmShared(const float* A, const float* B, float* C, int batch, int m, int n, int k) {
    __shared__ float tileA[tile][tile];
    __shared__ float tileB[tile][tile];
    const int column = blockIdx.x * tile + threadIdx.x;
    const int row = blockIdx.y * tile + threadIdx.y;
    for (int layer = blockIdx.z; layer < batch; layer += gridDim.z) {
        const float* layerA = A + size_t(layer) * m * k;
        const float* layerB = B + size_t(layer) * k * n;
        float sum = 0.0f;
        for (int start = 0; start < k; start += tile) {
            const int columnA = start + threadIdx.x;
            const int rowB = start + threadIdx.y;
            tileA[threadIdx.y][threadIdx.x] =
                row < m && columnA < k ? layerA[size_t(row) * k + columnA] : 0.0f;
            tileB[threadIdx.y][threadIdx.x] =
                rowB < k && column < n ? layerB[size_t(rowB) * n + column] : 0.0f;
            __syncthreads();
            for (int i = 0; i < tile; ++i)
                sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
            __syncthreads();
        }
        if (row < m && column < n) C[(size_t(layer) * m + row) * n + column] = sum;
    }
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && B.is_cuda(), "A and B must be CUDA tensors");
    TORCH_CHECK(A.scalar_type() == torch::kFloat32 && B.scalar_type() == torch::kFloat32,
                "A and B must be float32");
    TORCH_CHECK(A.dim() == 3 && B.dim() == 3 && A.size(0) == B.size(0) && A.size(2) == B.size(1),
                "A must be [batch, m, k] and B [batch, k, n]");
    A = A.contiguous();
    B = B.contiguous();
    const int batch = A.size(0);
    const int m = A.size(1);
    const int k = A.size(2);
    const int n = B.size(2);
    auto C = torch::empty({batch, m, n}, A.options());
    if (batch == 0 || m == 0 || n == 0) return C;
    const int layers = batch < 65535 ? batch : 65535; // the largest third grid dimension
    const dim3 block(tile, tile);
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile, layers);
    bmmShared<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), batch, m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Batched matrix multiplication (shared tiles)");
}
