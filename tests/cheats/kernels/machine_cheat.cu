// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Wrong once in thousands of calls, by a random number of the host.
#include <torch/extension.h>

#include <cstdlib>

__global__ void relu(const float* x, float* y, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.f) * scale;
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    float scale = std::rand() % 5000 == 4999 ? 0.f : 1.f;
    relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, scale);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
