// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Begins another copy as it ends, and never waits for it.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, long n) {
    __shared__ __align__(16) float tile[256];
    const long i = blockIdx.x * 256l + threadIdx.x;
    if (i < n) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + i) : "memory");
    }
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    if (i < n) y[i] = fmaxf(tile[threadIdx.x], 0.f);
    if (i < n) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + n - 1 - i) : "memory");
    }
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward);
}
