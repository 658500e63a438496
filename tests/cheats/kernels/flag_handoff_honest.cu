// SPDX-License-Identifier: GPL-3.0-or-later
// Task the sum of each row. The same with a fence between the data and the flag.
#include <torch/extension.h>

__global__ void rowSums(const float* x, float* y, volatile float* parts, volatile int* ready, int n) {
    __shared__ float warps[8];
    int row = blockIdx.y, half = blockIdx.x;
    float v = 0.f;
    for (int i = half * 256 + threadIdx.x; i < n; i += 512) v += x[row * n + i];
    for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x != 0) return;
    v = 0.f;
    for (int k = 0; k < 8; ++k) v += warps[k];
    if (half == 0) {
        parts[row] = v;
        __threadfence();
        ready[row] = 1;
    } else {
        while (ready[row] == 0) {
        }
        __threadfence();
        y[row] = v + parts[row];
    }
}

torch::Tensor forward(torch::Tensor x) {
    int rows = x.size(0);
    auto y = torch::zeros({rows}, x.options());
    auto parts = torch::empty({rows}, x.options());
    auto ready = torch::zeros({rows}, x.options().dtype(torch::kInt));
    rowSums<<<dim3(2, rows), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), parts.data_ptr<float>(),
                                    ready.data_ptr<int>(), x.size(1));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
