// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/88 88_MinGPTNewGelu
// Name:    naive
// Parent:  none
// Idea:    The tanh form of GELU as it is written in the paper, one thread per element, with powf for the
//          cube.
// Look at: How much of the kernel is powf: a general power costs a logarithm and an exponential with every
//          special case.
#include <torch/extension.h>

__device__ float gelu(float v) {
    return 0.5f * v * (1.0f + tanhf(0.7978845608028654f * (v + 0.044715f * powf(v, 3.0f))));
}

__global__ void newGeluNaive(const float* x, float* y, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) y[i] = gelu(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int64_t count = x.numel();
    if (count == 0) return y;
    const int threads = 256;
    newGeluNaive<<<(count + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                               count);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MinGPTNewGelu (naive)");
}
