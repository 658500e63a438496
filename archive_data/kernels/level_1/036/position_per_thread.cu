// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/36 36_RMSNorm_
// Name:    position_per_thread
// Parent:  naive
// Idea:    One thread per position: it walks over the features once for the mean square and once to scale
//          them. Neighbouring lanes hold neighbouring positions, so every step reads a whole line although
//          each thread strides.
// Look at: Two reads and one write per element. Coalescing is about what a warp does in one instruction,
//          not about what one thread does over time.
#include <torch/extension.h>

__global__ void rmsPosition(const float* x, float* y, int64_t positions, int features, int inner, float eps) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= positions) return;
    const int64_t first = i / inner * features * inner + i % inner;
    float squares = 0.0f;
    for (int f = 0; f < features; ++f) {
        const float v = x[first + int64_t(f) * inner];
        squares += v * v;
    }
    const float scale = 1.0f / sqrtf(squares / features + eps);
    for (int f = 0; f < features; ++f)
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
    const int threads = 128;
    rmsPosition<<<(positions + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                  positions, features, inner, eps);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "RMSNorm (position per thread)");
}
