// SPDX-License-Identifier: GPL-3.0-or-later
// Task the sum of each row. The last warp adds up what the others left in volatile variables, at once.
#include <torch/extension.h>

__global__ void rowSums(const float* x, float* y, int n) {
    __shared__ volatile float parts[8];
    float v = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[blockIdx.x * n + i];
    for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    if (threadIdx.x == 224) {
        float sum = 0.f;
        for (int k = 0; k < 8; ++k) sum += parts[k];
        y[blockIdx.x] = sum;
    }
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros({x.size(0)}, x.options());
    rowSums<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
