// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    3/1 1_MLP
// Name:    warp_per_neuron
// Parent:  naive
// Idea:    A warp per neuron: 32 lanes read neighbouring weights and add their parts by exchanging
//          registers. At batch 1 a layer is a matrix-vector product, and reading the weights once, in whole
//          lines, is all that can be done.
// Look at: Sectors per request fall to 4, and 32 times as many threads hide each other's latency.
#include <torch/extension.h>

constexpr int warps = 4; // per block

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__global__ void denseWarp(const float* x, const float* weight, const float* bias, float* y, int64_t count,
                          int inputs, int outputs, bool relu) {
    const int lane = threadIdx.x % 32;
    const int64_t i = int64_t(blockIdx.x) * warps + threadIdx.x / 32; // the same for a whole warp
    if (i >= count) return;
    const int neuron = i % outputs;
    const float* in = x + i / outputs * inputs;
    const float* row = weight + size_t(neuron) * inputs;
    float sum = 0.0f;
    for (int j = lane; j < inputs; j += 32)
        sum += in[j] * row[j];
    sum = warpSum(sum) + bias[neuron];
    if (lane == 0) y[i] = relu && sum < 0.0f ? 0.0f : sum;
}

torch::Tensor forward(torch::Tensor x, std::vector<torch::Tensor> weights,
                      std::vector<torch::Tensor> biases) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32 && x.dim() == 2,
                "x must be a float32 CUDA matrix");
    TORCH_CHECK(!weights.empty() && weights.size() == biases.size(),
                "one bias per weight matrix, and at least one layer");
    x = x.contiguous();
    const int batch = x.size(0);
    for (size_t layer = 0; layer < weights.size(); ++layer) {
        const auto weight = weights[layer].contiguous();
        const auto bias = biases[layer].contiguous();
        const int inputs = x.size(1);
        const int outputs = weight.size(0);
        TORCH_CHECK(weight.is_cuda() && bias.is_cuda() && weight.scalar_type() == torch::kFloat32 &&
                        bias.scalar_type() == torch::kFloat32,
                    "weights and biases must be float32 CUDA tensors");
        TORCH_CHECK(weight.dim() == 2 && weight.size(1) == inputs && bias.numel() == outputs,
                    "a layer's weight must be [outputs, inputs] and its bias [outputs]");
        auto y = torch::empty({batch, outputs}, x.options());
        const int64_t count = y.numel();
        if (count > 0)
            denseWarp<<<(count + warps - 1) / warps, warps * 32>>>(
                x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                count, inputs, outputs, layer + 1 < weights.size());
        x = y;
    }
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MLP (warp per neuron)");
}
