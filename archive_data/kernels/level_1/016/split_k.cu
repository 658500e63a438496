// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/16 16_Matmul_with_transposed_A
// Name:    split_k
// Parent:  outer_product_tiles
// Idea:    128 by 128 tiles reuse more but leave only 128 blocks for 132 multiprocessors. The long inner
//          dimension is therefore cut in four: each grid layer sums a quarter into its own copy of C, and a
//          second kernel adds the copies in a fixed order, so results repeat bit for bit.
// Look at: Waves of blocks per multiprocessor, and the extra traffic of four copies of C against the time
//          that full occupancy saves.
#include <torch/extension.h>

constexpr int tileM = 128;
constexpr int tileN = 128;
constexpr int tileK = 8;
constexpr int threads = 256;
constexpr int splits = 4;

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
    transposedSplit(const float* A, const float* B, float* copies, int m, int n, int k, int perSplit) {
    __shared__ __align__(16) float tileA[tileK][tileM];
    __shared__ __align__(16) float tileB[tileK][tileN];
    const int firstRow = threadIdx.x / 16 * 4;
    const int firstColumn = threadIdx.x % 16 * 4;
    const int loadRow = threadIdx.x / 32, loadColumn = threadIdx.x % 32 * 4;
    const int begin = blockIdx.z * perSplit;
    const int end = min(k, begin + perSplit);

    float sum[8][8] = {};
    for (int start = begin; start < end; start += tileK) {
        const int row = start + loadRow;
        *reinterpret_cast<float4*>(&tileA[loadRow][loadColumn]) =
            loadFour<vector>(A + size_t(row) * m, row < end, blockIdx.y * tileM + loadColumn, m);
        *reinterpret_cast<float4*>(&tileB[loadRow][loadColumn]) =
            loadFour<vector>(B + size_t(row) * n, row < end, blockIdx.x * tileN + loadColumn, n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tileK; ++i) {
            __align__(16) float a[8], b[8];
            *reinterpret_cast<float4*>(a) = *reinterpret_cast<const float4*>(&tileA[i][firstRow]);
            *reinterpret_cast<float4*>(a + 4) =
                *reinterpret_cast<const float4*>(&tileA[i][firstRow + tileM / 2]);
            *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&tileB[i][firstColumn]);
            *reinterpret_cast<float4*>(b + 4) =
                *reinterpret_cast<const float4*>(&tileB[i][firstColumn + tileN / 2]);
            for (int r = 0; r < 8; ++r)
                for (int c = 0; c < 8; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    float* C = copies + size_t(blockIdx.z) * m * n;
    for (int r = 0; r < 8; ++r) {
        const int row = blockIdx.y * tileM + firstRow + (r < 4 ? r : tileM / 2 + r - 4);
        if (row >= m) continue;
        float* out = C + size_t(row) * n;
        const int column = blockIdx.x * tileN + firstColumn;
        storeFour<vector>(out, column, n, make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]));
        storeFour<vector>(out, column + tileN / 2, n,
                          make_float4(sum[r][4], sum[r][5], sum[r][6], sum[r][7]));
    }
}

__global__ void addCopies(const float* copies, float* C, size_t count) {
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        float sum = 0.0f;
        for (int s = 0; s < splits; ++s)
            sum += copies[s * count + i];
        C[i] = sum;
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
    auto copies = torch::empty({splits, m, n}, A.options());
    const int perSplit = (k + splits - 1) / splits;
    const dim3 grid((n + tileN - 1) / tileN, (m + tileM - 1) / tileM, splits);
    const bool vector = m % 4 == 0 && n % 4 == 0 && startsOn16Bytes(A) && startsOn16Bytes(B);
    auto kernel = vector ? transposedSplit<true> : transposedSplit<false>;
    kernel<<<grid, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), copies.data_ptr<float>(), m, n, k,
                              perSplit);
    const int64_t needed = (C.numel() + 255) / 256;
    const int blocks = needed < 1056 ? needed : 1056;
    addCopies<<<blocks, 256>>>(copies.data_ptr<float>(), C.data_ptr<float>(), C.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matmul with transposed A (split k)");
}
