// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void addScaled(const float* x, const float* y, float* out, float factor, int count) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < count / 4) {
        const float4 a = reinterpret_cast<const float4*>(x)[thread];
        const float4 b = reinterpret_cast<const float4*>(y)[thread];
        reinterpret_cast<float4*>(out)[thread] =
            make_float4(factor * a.x + b.x, factor * a.y + b.y, factor * a.z + b.z, factor * a.w + b.w);
    }
    const int left = count / 4 * 4 + thread; // the tail: one element for each of the first threads
    if (left < count) out[left] = factor * x[left] + y[left];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor y, double factor) {
    x = x.contiguous();
    y = y.contiguous();
    auto out = torch::empty_like(x);
    const int count = x.numel();
    const int block = 128;
    const int grid = (count / 4 + 3 + block - 1) / block;
    addScaled<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), float(factor), count);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "factor * x + y");
}
