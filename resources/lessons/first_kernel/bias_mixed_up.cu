// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

__global__ void addToRows(const float* in, const float* bias, float* out, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= columns || column >= rows) return;
    out[row * columns + column] = in[row * columns + column] + bias[column];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias) {
    x = x.contiguous();
    bias = bias.contiguous();
    auto out = torch::empty_like(x);
    const int rows = x.size(0);
    const int columns = x.size(1);
    const dim3 block(32, 8);
    const dim3 grid((rows + 31) / 32, (columns + 7) / 8);
    addToRows<<<grid, block>>>(x.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(), rows, columns);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Adds a number of its own to each column");
}
