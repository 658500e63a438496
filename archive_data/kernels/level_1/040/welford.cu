// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/40 40_LayerNorm
// Name:    welford
// Parent:  naive
// Idea:    Mean and variance in one walk with Welford's update, and the parts of threads and warps merged
//          pairwise. Two reads instead of three, and no cancellation.
// Look at: Each update divides. The walk is bound by that chain of dependent instructions, not by memory:
//          fewer bytes, not less time.
#include <torch/extension.h>

constexpr float epsilon = 1e-5f; // PyTorch's default
constexpr int threads = 512;

/// Count, mean and sum of squared distances from the mean of a set of values (Welford 1962; merging after
/// Chan, Golub and LeVeque 1979). No large sum of squares ever appears, so nothing cancels.
struct Moments {
    float count;
    float mean;
    float squares;
};

__device__ void add(Moments& moments, float value) {
    moments.count += 1.0f;
    const float distance = value - moments.mean;
    moments.mean += distance / moments.count;
    moments.squares += distance * (value - moments.mean);
}

__device__ Moments merge(Moments a, Moments b) {
    const float count = a.count + b.count;
    if (count == 0.0f) return a;
    const float share = b.count / count;
    const float distance = b.mean - a.mean;
    return {count, a.mean + distance * share, a.squares + b.squares + distance * distance * a.count * share};
}

__device__ Moments mergeWarp(Moments own) {
    for (int offset = 16; offset > 0; offset /= 2) {
        Moments other;
        other.count = __shfl_xor_sync(0xffffffffu, own.count, offset);
        other.mean = __shfl_xor_sync(0xffffffffu, own.mean, offset);
        other.squares = __shfl_xor_sync(0xffffffffu, own.squares, offset);
        own = merge(own, other);
    }
    return own;
}

/// The block's moments from each thread's; complete in the first warp.
__device__ Moments mergeBlock(Moments own) {
    __shared__ Moments warps[threads / 32];
    own = mergeWarp(own);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x < 32)
        own = mergeWarp(threadIdx.x < threads / 32 ? warps[threadIdx.x] : Moments{0.0f, 0.0f, 0.0f});
    return own;
}

__global__ void layerNormWelford(const float* x, const float* weight, const float* bias, float* y,
                                 int64_t columns) {
    __shared__ Moments row;
    const float* in = x + blockIdx.x * columns;
    float* out = y + blockIdx.x * columns;
    Moments own{0.0f, 0.0f, 0.0f};
    for (int64_t i = threadIdx.x; i < columns; i += threads)
        add(own, in[i]);
    own = mergeBlock(own);
    if (threadIdx.x == 0) row = own;
    __syncthreads();
    const float mean = row.mean;
    const float scale = rsqrtf(row.squares / columns + epsilon);
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
    layerNormWelford<<<rows, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                        y.data_ptr<float>(), columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "LayerNorm (welford)");
}
