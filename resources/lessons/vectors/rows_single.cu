// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

/// One block halves one row.
__global__ void halve(const float* in, float* out, int columns) {
    const float* from = in + size_t(blockIdx.x) * columns;
    float* to = out + size_t(blockIdx.x) * columns;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        to[i] = 0.5f * from[i];
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    halve<<<x.size(0), 64>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "x / 2");
}
