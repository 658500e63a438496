// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    3/1 1_MLP
// Name:    vectorised
// Parent:  warp_per_neuron
// Idea:    16-byte loads of weights and inputs, unrolled so that several are under way before the first is
//          used. Layers whose rows are not made of whole 16-byte words go element by element.
// Look at: Loads in flight per warp: with so little data it is latency, not bandwidth, that these layers
//          wait for.
#include <torch/extension.h>

constexpr int warps = 4; // per block

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

__global__ void denseFours(const float* x, const float* weight, const float* bias, float* y, int64_t count,
                           int inputs, int outputs, bool relu, bool vector) {
    const int lane = threadIdx.x % 32;
    const int64_t i = int64_t(blockIdx.x) * warps + threadIdx.x / 32; // the same for a whole warp
    if (i >= count) return;
    const int neuron = i % outputs;
    const float* in = x + i / outputs * inputs;
    const float* row = weight + size_t(neuron) * inputs;
    const float4* in4 = reinterpret_cast<const float4*>(in);
    const float4* row4 = reinterpret_cast<const float4*>(row);
    const int fours = vector ? inputs / 4 : 0;
    float sum = 0.0f;
#pragma unroll 4
    for (int j = lane; j < fours; j += 32) {
        const float4 a = __ldg(in4 + j);
        const float4 b = __ldg(row4 + j);
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int j = 4 * fours + lane; j < inputs; j += 32)
        sum += in[j] * row[j];
    sum = warpSum(sum) + bias[neuron];
    if (lane == 0) y[i] = relu && sum < 0.0f ? 0.0f : sum;
}

static bool startsOn16Bytes(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr<float>()) % 16 == 0;
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
        const bool vector = inputs % 4 == 0 && startsOn16Bytes(x) && startsOn16Bytes(weight);
        if (count > 0)
            denseFours<<<(count + warps - 1) / warps, warps * 32>>>(
                x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                count, inputs, outputs, layer + 1 < weights.size(), vector);
        x = y;
    }
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MLP (vectorised)");
}
