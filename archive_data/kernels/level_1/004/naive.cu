// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/4 4_Matrix_vector_multiplication_
// Name:    naive
// Parent:  none
// Idea:    One thread per row. The lanes of a warp walk down 32 rows side by side, each load in a line of
//          its own, and 256 rows keep 8 warps of a whole GPU busy.
// Look at: Sectors per request (32), and how few warps there are: both memory and machine are almost idle.
#include <torch/extension.h>

__global__ void matvecNaive(const float* A, const float* x, float* y, int m, int k) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum += A[size_t(row) * k + i] * x[i];
    y[row] = sum;
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
    const int threads = 64;
    matvecNaive<<<(m + threads - 1) / threads, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(),
                                                          y.data_ptr<float>(), m, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Matrix vector multiplication (naive)");
}
