// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int tile = 64;  // rows and columns of C for a block
constexpr int depth = 16; // of the tiles of A and B
constexpr int side = 4;   // of a thread's square
constexpr int threads = (tile / side) * (tile / side);

__global__ void multiply(const float* A, const float* B, float* C, int n) {
    __shared__ float tileA[depth][tile + 4]; // transposed; padded so that its stores meet few bank conflicts
    __shared__ float tileB[depth][tile];
    const int firstRow = threadIdx.x / (tile / side) * side;
    const int firstColumn = threadIdx.x % (tile / side) * side;

    float sum[side][side] = {};
    for (int start = 0; start < n; start += depth) {
        for (int i = threadIdx.x; i < tile * depth; i += threads) {
            const int row = blockIdx.y * tile + i / depth;
            const int column = start + i % depth;
            tileA[i % depth][i / depth] = row < n && column < n ? A[size_t(row) * n + column] : 0.0f;
        }
        for (int i = threadIdx.x; i < depth * tile; i += threads) {
            const int row = start + i / tile;
            const int column = blockIdx.x * tile + i % tile;
            tileB[i / tile][i % tile] = row < n && column < n ? B[size_t(row) * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < depth; ++i) {
            float a[side], b[side]; // registers
#pragma unroll
            for (int s = 0; s < side; ++s) {
                a[s] = tileA[i][firstRow + s];
                b[s] = tileB[i][firstColumn + s];
            }
#pragma unroll
            for (int r = 0; r < side; ++r)
#pragma unroll
                for (int c = 0; c < side; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            const int row = blockIdx.y * tile + firstRow + r;
            const int column = blockIdx.x * tile + firstColumn + c;
            if (row < n && column < n) C[size_t(row) * n + column] = sum[r][c];
        }
    }
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    A = A.contiguous();
    B = B.contiguous();
    const int n = A.size(0);
    auto C = torch::empty({n, n}, A.options());
    const dim3 grid((n + tile - 1) / tile, (n + tile - 1) / tile);
    multiply<<<grid, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), n);
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Square matrix product");
}
