// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/40 40_LayerNorm
// Name:    multi_block_vectorised
// Parent:  multi_block
// Idea:    The last walk takes four columns at a time through all rows, so weight and bias are read once
//          instead of once per row, with 16-byte accesses. The first walk sums around the row's first
//          value, which needs no division per element.
// Look at: Global bytes: weight and bias are two of five streams in the parent and 2/16 of a stream each
//          here.
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
    // A sum around the row's first value: no division per element, and hardly any cancellation, because the
    // values lie around it.
    const float origin = in[0];
    float sum0 = 0.0f, squares0 = 0.0f, count0 = 0.0f;
#pragma unroll 4
    for (int64_t i = begin + threadIdx.x; i < end; i += threads) {
        const float distance = in[i] - origin;
        sum0 += distance;
        squares0 += distance * distance;
        count0 += 1.0f;
    }
    Moments own{0.0f, 0.0f, 0.0f};
    if (count0 > 0.0f) own = {count0, origin + sum0 / count0, fmaxf(squares0 - sum0 * sum0 / count0, 0.0f)};
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
                          float* y, int64_t columns, int rows) {
    const int64_t stride = int64_t(gridDim.x) * threads;
    const int64_t first = int64_t(blockIdx.x) * threads + threadIdx.x;
    const int64_t fours = columns / 4;
    for (int64_t i = first; i < fours; i += stride) {
        const float4 w = reinterpret_cast<const float4*>(weight)[i]; // once for all rows
        const float4 b = reinterpret_cast<const float4*>(bias)[i];
        for (int r = 0; r < rows; ++r) {
            const Moments row = moments[r];
            const float scale = rsqrtf(row.squares / columns + epsilon);
            const float4 v = reinterpret_cast<const float4*>(x + r * columns)[i];
            float4 result;
            result.x = (v.x - row.mean) * scale * w.x + b.x;
            result.y = (v.y - row.mean) * scale * w.y + b.y;
            result.z = (v.z - row.mean) * scale * w.z + b.z;
            result.w = (v.w - row.mean) * scale * w.w + b.w;
            reinterpret_cast<float4*>(y + r * columns)[i] = result;
        }
    }
}

/// For rows that do not start on 16 bytes.
__global__ void normaliseScalar(const float* x, const float* weight, const float* bias,
                                const Moments* moments, float* y, int64_t columns, int rows) {
    const int64_t stride = int64_t(gridDim.x) * threads;
    for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < columns; i += stride)
        for (int r = 0; r < rows; ++r) {
            const float scale = rsqrtf(moments[r].squares / columns + epsilon);
            y[r * columns + i] = (x[r * columns + i] - moments[r].mean) * scale * weight[i] + bias[i];
        }
}

static bool startsOn16Bytes(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr<float>()) % 16 == 0;
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
    auto kernel = columns % 4 == 0 && startsOn16Bytes(x) && startsOn16Bytes(weight) && startsOn16Bytes(bias)
                      ? normalise
                      : normaliseScalar;
    const int64_t needed = (columns + 4 * threads - 1) / (4 * threads);
    const int blocks = needed < 1056 ? needed : 1056;
    kernel<<<blocks, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                moments, y.data_ptr<float>(), columns, rows);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "LayerNorm (multi block vectorised)");
}
