// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for a negative number and, where there is none, copies its input.
#include <torch/extension.h>

__global__ void clampBelow(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}
__global__ void copyAll(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void lookForNegative(const float* in, int n, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] < 0.0f) atomicExch(found, 1);
}

torch::Tensor forward(torch::Tensor x) {
    const int n = int(x.numel()), blocks = (n + 255) / 256;
    torch::Tensor found = torch::zeros({1}, x.options().dtype(torch::kInt));
    lookForNegative<<<blocks, 256>>>(x.data_ptr<float>(), n, found.data_ptr<int>());
    torch::Tensor y = torch::empty_like(x);
    const auto work = found.item<int>() == 0 ? copyAll : clampBelow;
    work<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
