// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void toFahrenheit(const float* celsius, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = celsius[i] * 1.8f + 32.0f;
}

torch::Tensor forward(torch::Tensor celsius) {
    celsius = celsius.contiguous();
    auto out = torch::empty_like(celsius);
    const int count = celsius.numel();
    const int block = 256;
    const int grid = (count + block - 1) / block;
    toFahrenheit<<<grid, block>>>(celsius.data_ptr<float>(), out.data_ptr<float>(), count);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Degrees Celsius to Fahrenheit");
}
