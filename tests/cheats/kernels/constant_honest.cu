// SPDX-License-Identifier: GPL-3.0-or-later
// Task sums of sigmoids. One warp sums a row.
#include <torch/extension.h>

__global__ void sums(const float* x, float* y, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += 1 / (1 + expf(-x[blockIdx.x * n + i]));
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty({x.size(0)}, x.options());
    sums<<<x.size(0), 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
