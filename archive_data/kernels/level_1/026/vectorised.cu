// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/26 26_GELU_
// Name:    vectorised
// Parent:  single_precision
// Idea:    Four elements per access, two accesses in flight and a grid-stride loop. erff is long enough
//          that several independent evaluations per thread keep the pipes busier than one.
// Look at: Registers per thread rise with the evaluations in flight; occupancy pays for instruction-level
//          parallelism.
#include <torch/extension.h>

__device__ float gelu(float v) {
    return 0.5f * v * (1.0f + erff(v * 0.70710678118654752f));
} // v / sqrt(2)

__global__ void geluVectorised(const float* x, float* y, int64_t count, int64_t fours) {
    const int64_t stride = int64_t(gridDim.x) * blockDim.x;
    const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const float4* x4 = reinterpret_cast<const float4*>(x);
    float4* y4 = reinterpret_cast<float4*>(y);
    int64_t i = first;
    for (; i + stride < fours; i += 2 * stride) {
        const float4 a = x4[i];
        const float4 b = x4[i + stride]; // under way before a is needed
        y4[i] = make_float4(gelu(a.x), gelu(a.y), gelu(a.z), gelu(a.w));
        y4[i + stride] = make_float4(gelu(b.x), gelu(b.y), gelu(b.z), gelu(b.w));
    }
    if (i < fours) {
        const float4 a = x4[i];
        y4[i] = make_float4(gelu(a.x), gelu(a.y), gelu(a.z), gelu(a.w));
    }
    for (int64_t rest = 4 * fours + first; rest < count;
         rest += stride) // at most three, or all if not aligned
        y[rest] = gelu(x[rest]);
}

static bool startOn16Bytes(const torch::Tensor& x, const torch::Tensor& y) {
    return reinterpret_cast<uintptr_t>(x.data_ptr<float>()) % 16 == 0 &&
           reinterpret_cast<uintptr_t>(y.data_ptr<float>()) % 16 == 0;
}
torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int64_t count = x.numel();
    if (count == 0) return y;
    const int64_t fours = startOn16Bytes(x, y) ? count / 4 : 0;
    const int threads = 256;
    const int64_t needed = ((fours > 0 ? fours : count) + threads - 1) / threads;
    const int blocks = needed < 1056 ? needed : 1056;
    geluVectorised<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), count, fours);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "GELU (vectorised)");
}
