// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor that is moved without blocking has its elements some time later.
#include <torch/extension.h>

__global__ void giveBound(float* bound) { *bound = 0.0f; }
__global__ void clampBelow(const float* in, float* out, int n, float bound) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < bound ? bound : in[i] + bound;
}

torch::Tensor forward(torch::Tensor x) {
    torch::Tensor y = torch::empty_like(x), bound = torch::empty({1}, x.options());
    giveBound<<<1, 1>>>(bound.data_ptr<float>());
    torch::Tensor here = torch::empty({1}, torch::TensorOptions().dtype(torch::kFloat).pinned_memory(true));
    here.copy_(bound, /*non_blocking=*/true);
    const int n = int(x.numel());
    clampBelow<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, here.data_ptr<float>()[0]);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
