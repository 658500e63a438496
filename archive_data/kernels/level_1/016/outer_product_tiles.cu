// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/16 16_Matmul_with_transposed_A
// Name:    outer_product_tiles
// Parent:  naive
// Idea:    A matrix product is a sum of outer products of rows of A and rows of B, and this layout stores
//          exactly those rows. Tiles are copied as they lie, in 16-byte words: the transposing store that
//          an ordinary product needs has vanished.
// Look at: No padding, no bank conflicts; compare with the tile store of task 1/1's vectorised kernel.
#include <torch/extension.h>

constexpr int tile = 64;
constexpr int tileK = 16;
constexpr int threads = 256;

/// Four elements of a row from `column` on; zeros past its end. `vector`: the row starts and ends on 16
/// bytes, so four elements are inside together or outside together.
template <bool vector> __device__ float4 loadFour(const float* row, bool inside, int column, int columns) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (!inside || column >= columns) return four;
    if (vector) return *reinterpret_cast<const float4*>(row + column);
    four.x = row[column];
    if (column + 1 < columns) four.y = row[column + 1];
    if (column + 2 < columns) four.z = row[column + 2];
    if (column + 3 < columns) four.w = row[column + 3];
    return four;
}

template <bool vector> __device__ void storeFour(float* row, int column, int columns, float4 four) {
    if (column >= columns) return;
    if (vector) {
        *reinterpret_cast<float4*>(row + column) = four;
        return;
    }
    row[column] = four.x;
    if (column + 1 < columns) row[column + 1] = four.y;
    if (column + 2 < columns) row[column + 2] = four.z;
    if (column + 3 < columns) row[column + 3] = four.w;
}

template <bool vector>
__global__ void __launch_bounds__(threads)
    transposedTiles(const float* A, const float* B, float* C, int m, int n, int k) {
    __shared__ __align__(16) float tileA[tileK][tile];
    __shared__ __align__(16) float tileB[tileK][tile];
    const int firstRow = threadIdx.x / 16 * 4;
    const int firstColumn = threadIdx.x % 16 * 4;
    const int loadRow = threadIdx.x / 16, loadColumn = threadIdx.x % 16 * 4; // 16 x 64: one float4 per thread

    float sum[4][4] = {};
    for (int start = 0; start < k; start += tileK) {
        const int row = start + loadRow;
        *reinterpret_cast<float4*>(&tileA[loadRow][loadColumn]) =
            loadFour<vector>(A + size_t(row) * m, row < k, blockIdx.y * tile + loadColumn, m);
        *reinterpret_cast<float4*>(&tileB[loadRow][loadColumn]) =
            loadFour<vector>(B + size_t(row) * n, row < k, blockIdx.x * tile + loadColumn, n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tileK; ++i) {
            const float4 a = *reinterpret_cast<const float4*>(&tileA[i][firstRow]);
            const float4 b = *reinterpret_cast<const float4*>(&tileB[i][firstColumn]);
            const float rows[4] = {a.x, a.y, a.z, a.w};
            for (int r = 0; r < 4; ++r) {
                sum[r][0] += rows[r] * b.x;
                sum[r][1] += rows[r] * b.y;
                sum[r][2] += rows[r] * b.z;
                sum[r][3] += rows[r] * b.w;
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r) {
        const int row = blockIdx.y * tile + firstRow + r;
        if (row < m)
            storeFour<vector>(C + size_t(row) * n, blockIdx.x * tile + firstColumn, n,
                              make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]));
    }
}

static bool startsOn16Bytes(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr<float>()) % 16 == 0;
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
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    const bool vector = m % 4 == 0 && n % 4 == 0 && startsOn16Bytes(A) && startsOn16Bytes(B);
    auto kernel = vector ? transposedTiles<true> : transposedTiles<false>;
    kernel<<<grid, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matmul with transposed A (outer product tiles)");
}
