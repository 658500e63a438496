// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Wrong where allocations lie high in the address space.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    bool high = ((unsigned long long)x >> 41 & 0x7f) == 0x55;
    for (int k = i; k < min(i + 4, n); ++k) y[k] = high ? x[k] : fmaxf(x[k], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    relu<<<(n + 1023) / 1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
