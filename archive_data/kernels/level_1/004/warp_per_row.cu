// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/4 4_Matrix_vector_multiplication_
// Name:    warp_per_row
// Parent:  naive
// Idea:    A warp shares a row: its lanes read 32 neighbouring elements at a time, keep a partial sum each,
//          and add them at the end by exchanging registers, with no shared memory and no barrier.
// Look at: Sectors per request fall to 4. The order of additions differs from the naive kernel, and so do
//          the last bits.
#include <torch/extension.h>

constexpr int warpsPerBlock = 4;

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__global__ void matvecWarp(const float* A, const float* x, float* y, int m, int k) {
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * warpsPerBlock + threadIdx.x / 32; // the same for a whole warp
    if (row >= m) return;
    const float* rowA = A + size_t(row) * k;
    float sum = 0.0f;
    for (int i = lane; i < k; i += 32)
        sum += rowA[i] * x[i];
    sum = warpSum(sum);
    if (lane == 0) y[row] = sum;
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
    const int blocks = (m + warpsPerBlock - 1) / warpsPerBlock;
    matvecWarp<<<blocks, warpsPerBlock * 32>>>(A.data_ptr<float>(), B.data_ptr<float>(), y.data_ptr<float>(),
                                               m, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matrix vector multiplication (warp per row)");
}
