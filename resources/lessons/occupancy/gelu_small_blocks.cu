// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void gelu(const float* in, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = 0.5f * in[i] * (1.0f + erff(in[i] * 0.70710678f));
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    const int count = x.numel();
    const int block = 32;
    const int grid = (count + block - 1) / block;
    gelu<<<grid, block>>>(x.data_ptr<float>(), out.data_ptr<float>(), count);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "GELU");
}
