// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/3 3_Batched_matrix_multiplication
// Name:    register_tiles
// Parent:  shared_tiles
// Idea:    64 by 64 per block and 4 by 4 per thread, with 16-byte loads from global memory straight into
//          the tiles and 16-byte reads from them. A is stored transposed and padded so that its reads are
//          rows as well.
// Look at: Two 16-byte shared loads feed sixteen fused multiply-adds; the naive kernel needed two global
//          loads for one.
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
    bmmRegisterTiles(const float* A, const float* B, float* C, int batch, int m, int n, int k) {
    __shared__ __align__(16) float tileA[tileK][tile + 4]; // transposed
    __shared__ __align__(16) float tileB[tileK][tile];
    const int firstRow = threadIdx.x / 16 * 4;
    const int firstColumn = threadIdx.x % 16 * 4;
    const int rowA = threadIdx.x / 4, columnA = threadIdx.x % 4 * 4;   // 64 x 16: one float4 per thread
    const int rowB = threadIdx.x / 16, columnB = threadIdx.x % 16 * 4; // 16 x 64: one float4 per thread
    const int globalRowA = blockIdx.y * tile + rowA;
    const int globalColumn = blockIdx.x * tile + firstColumn;

    for (int layer = blockIdx.z; layer < batch; layer += gridDim.z) {
        const float* pointerA = A + (size_t(layer) * m + globalRowA) * k;
        const float* layerB = B + size_t(layer) * k * n;
        float sum[4][4] = {};
        for (int start = 0; start < k; start += tileK) {
            const float4 a4 = loadFour<vector>(pointerA, globalRowA < m, start + columnA, k);
            const float4 b4 = loadFour<vector>(layerB + size_t(start + rowB) * n, start + rowB < k,
                                               blockIdx.x * tile + columnB, n);
            tileA[columnA + 0][rowA] = a4.x;
            tileA[columnA + 1][rowA] = a4.y;
            tileA[columnA + 2][rowA] = a4.z;
            tileA[columnA + 3][rowA] = a4.w;
            *reinterpret_cast<float4*>(&tileB[rowB][columnB]) = b4;
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
                storeFour<vector>(C + (size_t(layer) * m + row) * n, globalColumn, n,
                                  make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]));
        }
    }
}

static bool startsOn16Bytes(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr<float>()) % 16 == 0;
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
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile, layers);
    const bool vector = k % 4 == 0 && n % 4 == 0 && startsOn16Bytes(A) && startsOn16Bytes(B);
    auto kernel = vector ? bmmRegisterTiles<true> : bmmRegisterTiles<false>;
    kernel<<<grid, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), batch, m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Batched matrix multiplication (register tiles)");
}
