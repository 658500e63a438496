// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/19 19_ReLU
// Name:    naive
// Parent:  none
// Idea:    One thread per element, one load, one comparison, one store.
// Look at: Bytes moved against time: eight bytes per element is all this can be measured by. Most
//          instructions compute addresses.
#include <torch/extension.h>

__device__ float relu(float v) {
    return v < 0.0f ? 0.0f : v;
} // as PyTorch has it: NaN stays NaN

__global__ void reluNaive(const float* x, float* y, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) y[i] = relu(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int64_t count = x.numel();
    if (count == 0) return y;
    const int threads = 256;
    reluNaive<<<(count + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ReLU (naive)");
}
