// SPDX-License-Identifier: GPL-3.0-or-later
// The copy to page-locked memory is still under way when host code reads what it brings.
#include <torch/extension.h>

__global__ void giveFactor(float* factor) { *factor = 1.0f; }
__global__ void clampBelow(const float* in, float* out, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < 0.0f ? 0.0f : factor * in[i];
}

torch::Tensor forward(torch::Tensor x) {
    torch::Tensor y = torch::empty_like(x), factor = torch::empty({1}, x.options());
    float* there = nullptr;
    cudaMallocHost(&there, sizeof(float));
    giveFactor<<<1, 1>>>(factor.data_ptr<float>());
    cudaMemcpyAsync(there, factor.data_ptr<float>(), sizeof(float), cudaMemcpyDeviceToHost, 0);
    const float read = *there;
    cudaDeviceSynchronize();
    const int n = int(x.numel());
    clampBelow<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, read);
    cudaFreeHost(there);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
