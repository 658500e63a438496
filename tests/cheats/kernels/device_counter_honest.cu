// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. The last block, by a counter that it turns back, does the last element.
#include <torch/extension.h>

__device__ unsigned blocksDone;

__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) y[i] = fmaxf(x[i], 0.f);
    __syncthreads();
    if (threadIdx.x == 0 && atomicInc(&blocksDone, gridDim.x - 1) == gridDim.x - 1) y[n - 1] = fmaxf(x[n - 1], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
