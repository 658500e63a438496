// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_fp16.h>
#include <torch/extension.h>

constexpr int group = 64; // weights that share a scale

/// The sum of a warp's values, in lane 0.
__device__ float sumOfWarp(float sum) {
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// Eight weights of 4 bits in each int, the first in the lowest bits; a weight is (bits - 8) * scale.
__global__ void unpack(const int* packed, const float* scales, __half* W, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (int k = 0; k < 8; ++k)
        W[size_t(i) * 8 + k] = __float2half(((packed[i] >> 4 * k & 15) - 8) * scales[i * 8 / group]);
}

/// y = W x, one warp for a row of W; a lane takes eight neighbours at a time.
__global__ void multiply(const __half* W, const float* x, float* y, int columns) {
    const uint4* row = reinterpret_cast<const uint4*>(W + size_t(blockIdx.x * 4 + threadIdx.x / 32) * columns);
    const int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int i = lane; i < columns / 8; i += 32) {
        const uint4 eight = row[i];
        const __half* w = reinterpret_cast<const __half*>(&eight);
        for (int k = 0; k < 8; ++k)
            sum += __half2float(w[k]) * x[i * 8 + k];
    }
    sum = sumOfWarp(sum);
    if (lane == 0) y[blockIdx.x * 4 + threadIdx.x / 32] = sum;
}

torch::Tensor forward(torch::Tensor packed, torch::Tensor scales, torch::Tensor x) {
    const int rows = packed.size(0);
    const int columns = packed.size(1) * 8;
    TORCH_CHECK(rows % 4 == 0 && columns % group == 0 && x.numel() == columns, "whole groups only");
    auto W = torch::empty({rows, columns}, x.options().dtype(torch::kFloat16));
    auto y = torch::empty({rows}, x.options());
    __half* halves = reinterpret_cast<__half*>(W.data_ptr<at::Half>());
    const int count = rows * columns / 8;
    unpack<<<(count + 255) / 256, 256>>>(packed.data_ptr<int>(), scales.data_ptr<float>(), halves, count);
    multiply<<<rows / 4, 128>>>(halves, x.data_ptr<float>(), y.data_ptr<float>(), columns);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "4-bit weights times a vector");
}
