// SPDX-License-Identifier: GPL-3.0-or-later
// Task the sum of each row. Eight blocks add to each volatile sum, each while it holds a lock.
#include <torch/extension.h>

__global__ void addParts(const float* x, volatile float* y, int* lock, int n) {
    int row = blockIdx.y, part = n / gridDim.x;
    if (threadIdx.x != 0) return;
    float v = 0.f;
    for (int i = 0; i < part; ++i) v += x[row * n + blockIdx.x * part + i];
    while (atomicCAS(&lock[row], 0, 1) != 0) {}
    __threadfence();
    y[row] += v;
    __threadfence();
    atomicExch(&lock[row], 0);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros({x.size(0)}, x.options());
    auto lock = torch::zeros({x.size(0)}, x.options().dtype(torch::kInt));
    addParts<<<dim3(8, x.size(0)), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), lock.data_ptr<int>(), x.size(1));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
