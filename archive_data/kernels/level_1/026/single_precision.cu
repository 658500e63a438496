// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/26 26_GELU_
// Name:    single_precision
// Parent:  naive
// Idea:    The same formula with float literals and erff. Nothing else changed; the result differs in the
//          last bits.
// Look at: Instructions per element, and the largest error against the reference: still below 1e-6.
#include <torch/extension.h>

__device__ float gelu(float v) {
    return 0.5f * v * (1.0f + erff(v * 0.70710678118654752f));
} // v / sqrt(2)

__global__ void geluFloat(const float* x, float* y, int64_t count) {
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
    geluFloat<<<(count + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "GELU (single precision)");
}
