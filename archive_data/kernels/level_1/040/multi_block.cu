// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/40 40_LayerNorm
// Name:    multi_block
// Parent:  welford
// Idea:    Each row is cut into pieces of 16384 elements for a block each, so that 16 long rows fill the
//          machine. A second kernel merges the pieces of a row, a third normalises with the whole grid.
// Look at: Three launches where one was, and many times the speed: parallelism before elegance.
#include <torch/extension.h>

constexpr float epsilon = 1e-5f; // PyTorch's default
constexpr int threads = 256;
constexpr int64_t piece = 16384; // elements of a row per block

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

__global__ void pieceMoments(const float* x, Moments* parts, int64_t columns, int pieces) {
    const int row = blockIdx.x / pieces;
    const int64_t begin = int64_t(blockIdx.x % pieces) * piece;
    const int64_t end = begin + piece < columns ? begin + piece : columns;
    const float* in = x + row * columns;
    Moments own{0.0f, 0.0f, 0.0f};
    for (int64_t i = begin + threadIdx.x; i < end; i += threads)
        add(own, in[i]);
    own = mergeBlock(own);
    if (threadIdx.x == 0) parts[blockIdx.x] = own;
}

/// One block per row merges the row's pieces, always in the same order.
__global__ void rowMoments(const Moments* parts, Moments* moments, int pieces) {
    Moments own{0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < pieces; i += threads)
        own = merge(own, parts[size_t(blockIdx.x) * pieces + i]);
    own = mergeBlock(own);
    if (threadIdx.x == 0) moments[blockIdx.x] = own;
}

__global__ void normalise(const float* x, const float* weight, const float* bias, const Moments* moments,
                          float* y, int64_t columns, int64_t count) {
    const int64_t stride = int64_t(gridDim.x) * threads;
    for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < count; i += stride) {
        const Moments row = moments[i / columns];
        const int64_t column = i % columns;
        y[i] = (x[i] - row.mean) * rsqrtf(row.squares / columns + epsilon) * weight[column] + bias[column];
    }
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
    const int pieces = (columns + piece - 1) / piece;
    auto partsBuffer = torch::empty({rows, pieces, 3}, x.options());
    auto rowBuffer = torch::empty({rows, 3}, x.options());
    auto* parts = reinterpret_cast<Moments*>(partsBuffer.data_ptr<float>());
    auto* moments = reinterpret_cast<Moments*>(rowBuffer.data_ptr<float>());
    pieceMoments<<<rows * pieces, threads>>>(x.data_ptr<float>(), parts, columns, pieces);
    rowMoments<<<rows, threads>>>(parts, moments, pieces);
    const int64_t needed = (x.numel() + threads - 1) / threads;
    const int blocks = needed < 1056 ? needed : 1056;
    normalise<<<blocks, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                   moments, y.data_ptr<float>(), columns, x.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "LayerNorm (multi block)");
}
