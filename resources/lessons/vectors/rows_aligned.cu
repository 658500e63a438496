// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

/// One block halves one row.
__global__ void halve(const float* in, float* out, int columns) {
    const float* from = in + size_t(blockIdx.x) * columns;
    float* to = out + size_t(blockIdx.x) * columns;
    // Floats before the first address that is a multiple of 16.
    const int beyond = reinterpret_cast<size_t>(from) % 16 / 4;
    const int head = min(beyond == 0 ? 0 : 4 - beyond, columns);
    if (threadIdx.x < head) to[threadIdx.x] = 0.5f * from[threadIdx.x];
    const int groups = (columns - head) / 4;
    for (int i = threadIdx.x; i < groups; i += blockDim.x) {
        const float4 four = reinterpret_cast<const float4*>(from + head)[i];
        reinterpret_cast<float4*>(to + head)[i] =
            make_float4(0.5f * four.x, 0.5f * four.y, 0.5f * four.z, 0.5f * four.w);
    }
    const int tail = head + groups * 4 + threadIdx.x;
    if (tail < columns) to[tail] = 0.5f * from[tail];
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    halve<<<x.size(0), 64>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "x / 2");
}
