// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept from call to call is scratch memory: the result is the caller's alone.
#include <torch/extension.h>

__global__ void clampBelow(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}
__global__ void copyOver(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

torch::Tensor forward(torch::Tensor x) {
    static torch::Tensor scratch;
    if (!scratch.defined() || scratch.numel() != x.numel()) scratch = torch::empty_like(x);
    torch::Tensor y = torch::empty_like(x);
    const int n = int(x.numel());
    clampBelow<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), scratch.data_ptr<float>(), n);
    copyOver<<<(n + 127) / 128, 128>>>(scratch.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
