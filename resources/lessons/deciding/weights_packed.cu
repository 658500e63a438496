// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int group = 64; // weights that share a scale

/// The sum of a warp's values, in lane 0.
__device__ float sumOfWarp(float sum) {
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// y = W x, one warp for a row. Eight weights of 4 bits in each int, the first in the lowest bits; a weight is
/// (bits - 8) * scale.
__global__ void multiply(const int* packed, const float* scales, const float* x, float* y, int columns) {
    const size_t first = size_t(blockIdx.x * 4 + threadIdx.x / 32) * columns;
    const int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int i = lane; i < columns / 8; i += 32) {
        const int eight = packed[first / 8 + i];
        float part = 0.0f;
        for (int k = 0; k < 8; ++k)
            part += ((eight >> 4 * k & 15) - 8) * x[i * 8 + k];
        sum += part * scales[(first + i * 8) / group];
    }
    sum = sumOfWarp(sum);
    if (lane == 0) y[blockIdx.x * 4 + threadIdx.x / 32] = sum;
}

torch::Tensor forward(torch::Tensor packed, torch::Tensor scales, torch::Tensor x) {
    const int rows = packed.size(0);
    const int columns = packed.size(1) * 8;
    TORCH_CHECK(rows % 4 == 0 && columns % group == 0 && x.numel() == columns, "whole groups only");
    auto y = torch::empty({rows}, x.options());
    multiply<<<rows / 4, 128>>>(packed.data_ptr<int>(), scales.data_ptr<float>(), x.data_ptr<float>(),
                                y.data_ptr<float>(), columns);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "4-bit weights times a vector");
}
