// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void relu(const float* in, float* out, int count) {
    for (int i = 0; i < count; ++i)
        out[i] = fmaxf(in[i], 0.0f);
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    const int count = x.numel();
    relu<<<1, 1>>>(x.data_ptr<float>(), out.data_ptr<float>(), count); // one block of one thread
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ReLU");
}
