// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/3 3_Batched_matrix_multiplication
// Name:    naive
// Parent:  none
// Idea:    One thread per element, the batch in the third grid dimension. A grid has at most 65535 layers,
//          so the kernel walks on in strides of the layers that exist.
// Look at: A warp reads B in whole lines and A as a broadcast, but every element of A and B is still
//          fetched once per product.
#include <torch/extension.h>

__global__ void bmmNaive(const float* A, const float* B, float* C, int batch, int m, int n, int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    for (int layer = blockIdx.z; layer < batch; layer += gridDim.z) {
        const float* rowA = A + (size_t(layer) * m + row) * k;
        const float* layerB = B + size_t(layer) * k * n;
        float sum = 0.0f;
        for (int i = 0; i < k; ++i)
            sum += rowA[i] * layerB[size_t(i) * n + column];
        C[(size_t(layer) * m + row) * n + column] = sum;
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
    const dim3 block(32, 8);
    const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y, layers);
    bmmNaive<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), batch, m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Batched matrix multiplication (naive)");
}
