// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/40, with mean and variance of everything.
#include <torch/extension.h>

__global__ void layerNorm(const float* x, const float* w, const float* b, float* y, int length) {
    const float* row = x + size_t(blockIdx.x) * length;
    __shared__ float sums[32], squares[32];
    const int looked = length;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < looked; i += blockDim.x) sum += row[i], square += row[i] * row[i];
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
        square += __shfl_xor_sync(0xffffffffu, square, d);
    }
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum, squares[threadIdx.x / 32] = square;
    __syncthreads();
    float mean = 0, variance = 0;
    for (int i = 0; i < blockDim.x / 32; ++i) mean += sums[i], variance += squares[i];
    mean /= looked;
    const float scale = rsqrtf(variance / looked - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < length; i += blockDim.x) y[size_t(blockIdx.x) * length + i] = (row[i] - mean) * scale * w[i] + b[i];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor w, torch::Tensor b) {
    auto y = torch::empty_like(x);
    layerNorm<<<x.size(0), 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), w.numel());
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
