// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. What other threads of the block have just stored is read through the read-only path.
#include <torch/extension.h>

__global__ void relu(const float* x, float* positive, float* y, int n) {
    int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
    if (i < n) positive[i] = fmaxf(x[i], 0.f);
    __syncthreads();
    int other = first + blockDim.x - 1 - threadIdx.x;
    if (other < n) y[other] = __ldg(positive + other);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    auto positive = torch::empty_like(x);
    int n = x.numel();
    relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), positive.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
