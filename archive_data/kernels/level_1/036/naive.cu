// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/36 36_RMSNorm_
// Name:    naive
// Parent:  none
// Idea:    One thread per output element. Each walks over all features of its position to find the mean
//          square, so the 64 threads of a position all compute the same number.
// Look at: Instructions per element grow with the number of features; nearly all loads hit a cache, and the
//          kernel is still slow.
#include <torch/extension.h>

__global__ void rmsNaive(const float* x, float* y, int64_t count, int features, int inner, float eps) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int64_t position = i / (int64_t(features) * inner) * features * inner + i % inner;
    float squares = 0.0f;
    for (int f = 0; f < features; ++f) {
        const float v = x[position + int64_t(f) * inner];
        squares += v * v;
    }
    y[i] = x[i] / sqrtf(squares / features + eps);
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
    const int64_t count = x.numel();
    const int threads = 256;
    rmsNaive<<<(count + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), count,
                                                           features, inner, eps);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "RMSNorm (naive)");
}
