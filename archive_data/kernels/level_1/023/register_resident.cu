// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/23 23_Softmax
// Name:    register_resident
// Parent:  online
// Idea:    Each thread keeps its part of the row in registers, up to 32 values: the row is read once, each
//          exponential is computed once, and only the quotients go back. Longer rows take the online walk.
// Look at: Global bytes reach the least possible, one read and one write per element; registers per thread
//          show the price.
#include <torch/extension.h>

constexpr int threads = 512;
constexpr int perThread = 32; // rows of up to 16384

__device__ float lowest() {
    return -__int_as_float(0x7f800000);
} // minus infinity

/// A running maximum and the sum of exp(value - maximum) over what was seen so far.
struct Softmax {
    float largest;
    float sum;
};

/// Two parts of a row as one: the sum that belongs to the smaller maximum is scaled down to the larger one.
__device__ Softmax merge(Softmax a, Softmax b) {
    const float largest = fmaxf(a.largest, b.largest);
    if (largest == lowest()) return a; // both are empty, and infinity minus infinity is no number
    return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__device__ Softmax mergeWarp(Softmax own) {
    for (int offset = 16; offset > 0; offset /= 2) {
        const float largest = __shfl_xor_sync(0xffffffffu, own.largest, offset);
        const float sum = __shfl_xor_sync(0xffffffffu, own.sum, offset);
        own = merge(own, {largest, sum});
    }
    return own;
}

/// The block's maximum and sum from each thread's; the same in every thread.
__device__ Softmax mergeBlock(Softmax own) {
    __shared__ Softmax parts[threads / 32];
    const int lane = threadIdx.x % 32;
    own = mergeWarp(own);
    if (lane == 0) parts[threadIdx.x / 32] = own;
    __syncthreads();
    return mergeWarp(lane < threads / 32 ? parts[lane] : Softmax{lowest(), 0.0f});
}

__global__ void __launch_bounds__(threads) softmaxRegisters(const float* x, float* y, int columns) {
    const float* in = x + size_t(blockIdx.x) * columns;
    float* out = y + size_t(blockIdx.x) * columns;
    float values[perThread];
    Softmax own{lowest(), 0.0f};
#pragma unroll // the array stays in registers only if every index is known
    for (int j = 0; j < perThread; ++j) {
        const int i = threadIdx.x + j * threads;
        values[j] = i < columns ? in[i] : lowest();
        own.largest = fmaxf(own.largest, values[j]);
    }
    if (own.largest > lowest()) {
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            values[j] = expf(values[j] - own.largest); // zero past the end of the row
            own.sum += values[j];
        }
    }
    const Softmax row = mergeBlock(own);
    const float scale = expf(own.largest - row.largest) / row.sum;
#pragma unroll
    for (int j = 0; j < perThread; ++j) {
        const int i = threadIdx.x + j * threads;
        if (i < columns) out[i] = values[j] * scale;
    }
}

__global__ void softmaxLong(const float* x, float* y, int columns) {
    const float* in = x + size_t(blockIdx.x) * columns;
    float* out = y + size_t(blockIdx.x) * columns;
    Softmax own{lowest(), 0.0f};
    for (int i = threadIdx.x; i < columns; i += threads)
        own = merge(own, {in[i], 1.0f});
    own = mergeBlock(own);
    for (int i = threadIdx.x; i < columns; i += threads)
        out[i] = expf(in[i] - own.largest) / own.sum;
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() == 2, "x must be [rows, columns]");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int rows = x.size(0);
    const int columns = x.size(1);
    if (rows == 0 || columns == 0) return y;
    auto kernel = columns <= threads * perThread ? softmaxRegisters : softmaxLong;
    kernel<<<rows, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Softmax (register resident)");
}
