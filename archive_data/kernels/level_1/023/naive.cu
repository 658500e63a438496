// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/23 23_Softmax
// Name:    naive
// Parent:  none
// Idea:    One thread per row, three walks over it: the maximum, the sum of exponentials, the quotients.
//          The maximum is subtracted so that no exponential overflows.
// Look at: 16 rows mean 16 working threads; each of their accesses is a line of its own, and every
//          exponential is computed twice. The sum of 16384 terms in one chain also has the largest rounding
//          error of the four kernels.
#include <torch/extension.h>

__global__ void softmaxNaive(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* in = x + size_t(row) * columns;
    float* out = y + size_t(row) * columns;
    float largest = in[0];
    for (int i = 1; i < columns; ++i)
        largest = fmaxf(largest, in[i]);
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i)
        sum += expf(in[i] - largest);
    for (int i = 0; i < columns; ++i)
        out[i] = expf(in[i] - largest) / sum;
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() == 2, "x must be [rows, columns]");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int rows = x.size(0);
    const int columns = x.size(1);
    if (rows == 0 || columns == 0) return y;
    const int threads = 32;
    softmaxNaive<<<(rows + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows,
                                                              columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Softmax (naive)");
}
