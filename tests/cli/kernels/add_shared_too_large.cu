// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float much[20 * 1024];
    much[threadIdx.x] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n) c[i] = much[threadIdx.x] + b[i];
}

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty_like(a);
    const int n = a.numel();
    add_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "sum of two tensors"); }
