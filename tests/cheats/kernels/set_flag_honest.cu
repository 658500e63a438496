// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Whoever sets the shared flag sets it to the same; some do not since others have.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    __shared__ int anyPositive;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) anyPositive = 0;
    __syncthreads();
    if (i < n && x[i] > 0.f && !anyPositive) anyPositive = 1;
    __syncthreads();
    if (i < n) y[i] = anyPositive ? fmaxf(x[i], 0.f) : 0.f;
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
