// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/36 36_RMSNorm_
// Name:    register_resident
// Parent:  position_per_thread
// Idea:    Eight threads share a position and keep its features in registers, eight each, between the sum
//          and the scaling: every element is read once. The eight partial sums meet in shared memory, laid
//          out so that the 32 lanes of a warp stay neighbours.
// Look at: Global bytes: one read and one write, the least there is. More than 64 features are read a
//          second time, from the cache.
#include <torch/extension.h>

constexpr int lanes = 32; // positions per block
constexpr int parts = 8;  // threads per position
constexpr int kept = 8;   // features per thread that stay in registers

__global__ void __launch_bounds__(lanes* parts)
    rmsRegisters(const float* x, float* y, int64_t positions, int features, int inner, float eps) {
    __shared__ float squares[parts][lanes];
    const int64_t i = int64_t(blockIdx.x) * lanes + threadIdx.x;
    const int part = threadIdx.y;
    const bool inside = i < positions;
    const int64_t first = inside ? i / inner * features * inner + i % inner : 0;

    float values[kept];
    float own = 0.0f;
#pragma unroll
    for (int j = 0; j < kept; ++j) {
        const int f = part + j * parts;
        values[j] = inside && f < features ? x[first + int64_t(f) * inner] : 0.0f;
        own += values[j] * values[j];
    }
    for (int f = part + kept * parts; inside && f < features; f += parts) {
        const float v = x[first + int64_t(f) * inner];
        own += v * v;
    }
    squares[part][threadIdx.x] = own;
    __syncthreads();
    float sum = 0.0f;
    for (int p = 0; p < parts; ++p)
        sum += squares[p][threadIdx.x];
    if (!inside) return;
    const float scale = 1.0f / sqrtf(sum / features + eps);
#pragma unroll
    for (int j = 0; j < kept; ++j) {
        const int f = part + j * parts;
        if (f < features) y[first + int64_t(f) * inner] = values[j] * scale;
    }
    for (int f = part + kept * parts; f < features; f += parts)
        y[first + int64_t(f) * inner] = x[first + int64_t(f) * inner] * scale;
}

torch::Tensor forward(torch::Tensor x, double eps) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() >= 2, "x must be [batch, features, ...]");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const int batch = x.size(0);
    const int features = x.size(1);
    const int inner = x.numel() / (int64_t(batch) * features); // positions per feature
    const int64_t positions = int64_t(batch) * inner;
    const dim3 block(lanes, parts);
    rmsRegisters<<<(positions + lanes - 1) / lanes, block>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                             positions, features, inner, eps);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "RMSNorm (register resident)");
}
