// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. A flag that many may set, and each only if it finds it unset.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int* seen, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i] > 2.f && *seen == 0) atomicExch(seen, 1);
    y[i] = fmaxf(x[i], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    auto seen = torch::zeros({1}, x.options().dtype(torch::kInt));
    relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), seen.data_ptr<int>(), x.numel());
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
