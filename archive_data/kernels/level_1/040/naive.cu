// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/40 40_LayerNorm
// Name:    naive
// Parent:  none
// Idea:    A block per row and three walks over it: the mean, then the mean squared distance from it, then
//          the result. Sums meet in shared memory by halving.
// Look at: Three reads of four million elements per row. Sixteen rows use sixteen multiprocessors, the rest
//          look on.
#include <torch/extension.h>

constexpr float epsilon = 1e-5f; // PyTorch's default
constexpr int threads = 512;

/// Sum over the block by halving; the same in every thread.
__device__ float blockSum(float value) {
    __shared__ float values[threads];
    __syncthreads(); // an earlier call may still be reading values
    values[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    return values[0];
}

__global__ void layerNormNaive(const float* x, const float* weight, const float* bias, float* y,
                               int64_t columns) {
    const float* in = x + blockIdx.x * columns;
    float* out = y + blockIdx.x * columns;
    float sum = 0.0f;
    for (int64_t i = threadIdx.x; i < columns; i += threads)
        sum += in[i];
    const float mean = blockSum(sum) / columns;
    float squares = 0.0f;
    for (int64_t i = threadIdx.x; i < columns; i += threads) {
        const float distance = in[i] - mean;
        squares += distance * distance;
    }
    const float scale = rsqrtf(blockSum(squares) / columns + epsilon);
    for (int64_t i = threadIdx.x; i < columns; i += threads)
        out[i] = (in[i] - mean) * scale * weight[i] + bias[i];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && weight.is_cuda() && bias.is_cuda(), "all arguments must be CUDA tensors");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
                    bias.scalar_type() == torch::kFloat32,
                "all arguments must be float32");
    TORCH_CHECK(weight.numel() == bias.numel() && weight.numel() > 0 && x.numel() % weight.numel() == 0,
                "weight and bias must have the shape of x's last dimensions");
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    auto y = torch::empty_like(x);
    const int64_t columns = weight.numel(); // elements that are normalised together
    const int rows = x.numel() / columns;
    if (rows == 0) return y;
    layerNormNaive<<<rows, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                      y.data_ptr<float>(), columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "LayerNorm (naive)");
}
