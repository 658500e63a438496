// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/26 26_GELU_
// Name:    naive
// Parent:  none
// Idea:    One thread per element with constants written without an f: the literals are double, so the
//          whole expression, erf included, is evaluated in double precision.
// Look at: Double-precision instructions in the counters. A GPU built for graphics or inference has 1/32 or
//          1/64 of the units for them.
#include <torch/extension.h>

/// Gauss's distribution function in double precision, rounded at the end.
__device__ float gelu(float v) {
    return 0.5 * v * (1.0 + erf(v * 0.70710678118654752));
}

__global__ void geluNaive(const float* x, float* y, int64_t count) {
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
    geluNaive<<<(count + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "GELU (naive)");
}
