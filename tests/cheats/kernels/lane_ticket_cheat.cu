// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Takes for granted that an atomic serves the lanes in their order.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    __shared__ int tickets[8];
    int warp = threadIdx.x / 32, i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x % 32 == 0) tickets[warp] = 0;
    __syncwarp();
    int ticket = atomicAdd(&tickets[warp], 1);
    int to = blockIdx.x * 256 + warp * 32 + ticket;
    if (to < n) y[to] = fmaxf(x[i], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
