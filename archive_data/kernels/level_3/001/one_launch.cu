// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    3/1 1_MLP
// Name:    one_launch
// Parent:  warp_per_neuron
// Idea:    All layers in one launch: a block of 1024 threads per sample keeps the activations in shared
//          memory and takes a barrier where the other kernels take a launch. The weights' addresses travel
//          as a kernel argument. More than eight layers, or layers too wide for shared memory, are refused.
// Look at: One launch against three, on one multiprocessor at batch 1 instead of many: which wins depends
//          on how long a launch takes and how wide the layers are.
#include <torch/extension.h>

constexpr int mostLayers = 8;
constexpr int threads = 1024;

struct Layers {
    int count;
    int inputs;
    const float* weight[mostLayers];
    const float* bias[mostLayers];
    int outputs[mostLayers];
};

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// Shared memory holds two rows of activations that change roles from layer to layer; `widest` is their
/// length.
__global__ void __launch_bounds__(threads) mlpOneLaunch(const float* x, float* y, Layers layers, int widest) {
    extern __shared__ float activations[];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    float* in = activations;
    float* out = activations + widest;
    for (int i = threadIdx.x; i < layers.inputs; i += threads)
        in[i] = x[size_t(blockIdx.x) * layers.inputs + i];
    int inputs = layers.inputs;
    for (int layer = 0; layer < layers.count; ++layer) {
        __syncthreads(); // the inputs are complete
        const int outputs = layers.outputs[layer];
        const bool last = layer + 1 == layers.count;
        for (int neuron = warp; neuron < outputs; neuron += threads / 32) {
            const float* row = layers.weight[layer] + size_t(neuron) * inputs;
            float sum = 0.0f;
#pragma unroll 4
            for (int j = lane; j < inputs; j += 32)
                sum += in[j] * row[j];
            sum = warpSum(sum) + layers.bias[layer][neuron];
            if (lane == 0 && last)
                y[size_t(blockIdx.x) * outputs + neuron] = sum;
            else if (lane == 0)
                out[neuron] = sum < 0.0f ? 0.0f : sum;
        }
        float* used = in;
        in = out;
        out = used;
        inputs = outputs;
    }
}

torch::Tensor forward(torch::Tensor x, std::vector<torch::Tensor> weights,
                      std::vector<torch::Tensor> biases) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32 && x.dim() == 2,
                "x must be a float32 CUDA matrix");
    TORCH_CHECK(!weights.empty() && weights.size() == biases.size(),
                "one bias per weight matrix, and at least one layer");
    x = x.contiguous();
    const int batch = x.size(0);
    TORCH_CHECK(weights.size() <= mostLayers, "at most eight layers");
    Layers layers;
    layers.count = weights.size();
    layers.inputs = x.size(1);
    int inputs = layers.inputs;
    int widest = inputs;
    for (int layer = 0; layer < layers.count; ++layer) {
        const torch::Tensor& weight = weights[layer];
        const torch::Tensor& bias = biases[layer];
        TORCH_CHECK(weight.is_cuda() && bias.is_cuda() && weight.is_contiguous() && bias.is_contiguous() &&
                        weight.scalar_type() == torch::kFloat32 && bias.scalar_type() == torch::kFloat32,
                    "weights and biases must be contiguous float32 CUDA tensors");
        TORCH_CHECK(weight.dim() == 2 && weight.size(1) == inputs && bias.numel() == weight.size(0),
                    "a layer's weight must be [outputs, inputs] and its bias [outputs]");
        layers.weight[layer] = weight.data_ptr<float>();
        layers.bias[layer] = bias.data_ptr<float>();
        inputs = weight.size(0);
        layers.outputs[layer] = inputs;
        widest = inputs > widest ? inputs : widest;
    }
    const int64_t bytes = int64_t(2) * widest * sizeof(float);
    TORCH_CHECK(bytes <= 48 * 1024, "a layer is too wide for shared memory");
    auto y = torch::empty({batch, inputs}, x.options());
    if (y.numel() > 0)
        mlpOneLaunch<<<batch, threads, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>(), layers, widest);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MLP (one launch)");
}
