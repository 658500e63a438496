// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pointwise kernel without marks: a space's file sets BLOCK_SIZE (a macro with a default), ITEMS (a macro without one,
// but used) and LIMIT (a constant).
#include <torch/extension.h>

#ifndef BLOCK_SIZE
#define BLOCK_SIZE (4 * 64)
#endif
#ifdef ITEMS
constexpr int items = ITEMS;
#else
constexpr int items = 1;
#endif
static constexpr unsigned LIMIT = 1056u;

__global__ void relu(const float* x, float* y, int64_t count) {
    const int64_t first = (int64_t(blockIdx.x) * BLOCK_SIZE + threadIdx.x) * items;
    for (int64_t i = first; i < count; i += int64_t(gridDim.x) * BLOCK_SIZE * items)
        for (int64_t j = i; j < i + items && j < count; ++j)
            y[j] = x[j] < 0.0f ? 0.0f : x[j];
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int64_t count = x.numel();
    if (count == 0) return y;
    const int64_t needed = (count + BLOCK_SIZE * items - 1) / (BLOCK_SIZE * items);
    relu<<<needed < LIMIT ? needed : LIMIT, BLOCK_SIZE>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ReLU (tunable by macros)");
}
