// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/4 4_Matrix_vector_multiplication_
// Name:    split_k
// Parent:  block_per_row
// Idea:    256 long rows are too few blocks for 132 multiprocessors, so each row is cut into pieces that
//          different blocks add up. A second kernel adds the pieces in a fixed order: the result is the
//          same bit for bit on every run, which atomics would not promise.
// Look at: Blocks per multiprocessor, and the second launch that evenness costs.
#include <torch/extension.h>

constexpr int threads = 256;
constexpr int piece = 8192; // elements of a row per block

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// Sum over the block, whose size is a multiple of 32: every thread ends with the whole sum.
__device__ float blockSum(float value) {
    __shared__ float partial[32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    value = warpSum(value);
    __syncthreads(); // an earlier call may still be reading partial
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warpSum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
}

__global__ void matvecPieces(const float* A, const float* x, float* partial, int k, int pieces) {
    const int row = blockIdx.x / pieces;
    const int part = blockIdx.x % pieces;
    const int end = min(k, (part + 1) * piece);
    const float* rowA = A + size_t(row) * k;
    float sum = 0.0f;
#pragma unroll 4
    for (int i = part * piece + threadIdx.x; i < end; i += threads)
        sum += __ldg(rowA + i) * __ldg(x + i);
    sum = blockSum(sum);
    if (threadIdx.x == 0) partial[size_t(row) * pieces + part] = sum;
}

__global__ void addPieces(const float* partial, float* y, int m, int pieces) {
    const int row = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32;
    if (row >= m) return;
    float sum = 0.0f;
    for (int i = threadIdx.x % 32; i < pieces; i += 32)
        sum += partial[size_t(row) * pieces + i];
    sum = warpSum(sum);
    if (threadIdx.x % 32 == 0) y[row] = sum;
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && B.is_cuda(), "A and B must be CUDA tensors");
    TORCH_CHECK(A.scalar_type() == torch::kFloat32 && B.scalar_type() == torch::kFloat32,
                "A and B must be float32");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && B.size(0) == A.size(1) && B.size(1) == 1,
                "A must be [m, k] and B [k, 1]");
    A = A.contiguous();
    B = B.contiguous();
    const int m = A.size(0);
    const int k = A.size(1);
    auto y = torch::empty({m, 1}, A.options());
    if (m == 0) return y;
    const int pieces = k > piece ? (k + piece - 1) / piece : 1;
    auto partial = torch::empty({m, pieces}, A.options());
    matvecPieces<<<m * pieces, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(), partial.data_ptr<float>(),
                                          k, pieces);
    addPieces<<<(m + 7) / 8, 256>>>(partial.data_ptr<float>(), y.data_ptr<float>(), m, pieces);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matrix vector multiplication (split k)");
}
