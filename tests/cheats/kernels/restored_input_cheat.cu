// SPDX-License-Identifier: GPL-3.0-or-later
// Works in its input and puts back what was there.
#include <torch/extension.h>

__global__ void clampBelow(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] < 0.0f) values[i] = 0.0f;
}

torch::Tensor forward(torch::Tensor x) {
    torch::Tensor before = x.clone();
    const int n = int(x.numel());
    clampBelow<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), n);
    torch::Tensor y = x.clone();
    cudaMemcpy(x.data_ptr<float>(), before.data_ptr<float>(), n * sizeof(float), cudaMemcpyDeviceToDevice);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
