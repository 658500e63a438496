// SPDX-License-Identifier: GPL-3.0-or-later
// A list with the right tensor in it is no tensor.
#include <torch/extension.h>
#include <vector>

__global__ void clampBelow(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}

std::vector<torch::Tensor> forward(torch::Tensor x) {
    torch::Tensor y = torch::empty_like(x);
    const int n = int(x.numel());
    clampBelow<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return {y};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
