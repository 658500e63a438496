// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    3/1 1_MLP
// Name:    naive
// Parent:  none
// Idea:    A kernel per layer and a thread per neuron, with bias and ReLU in the same kernel. Each thread
//          reads its own row of weights, so the lanes of a warp are whole rows apart.
// Look at: Sectors per request (32), and three launches of a few microseconds around almost no arithmetic.
#include <torch/extension.h>

__global__ void denseNaive(const float* x, const float* weight, const float* bias, float* y, int64_t count,
                           int inputs, int outputs, bool relu) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int neuron = i % outputs;
    const float* in = x + i / outputs * inputs;
    float sum = bias[neuron];
    for (int j = 0; j < inputs; ++j)
        sum += in[j] * weight[size_t(neuron) * inputs + j];
    y[i] = relu && sum < 0.0f ? 0.0f : sum;
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
        const int threads = 128;
        if (count > 0)
            denseNaive<<<(count + threads - 1) / threads, threads>>>(
                x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                count, inputs, outputs, layer + 1 < weights.size());
        x = y;
    }
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MLP (naive)");
}
