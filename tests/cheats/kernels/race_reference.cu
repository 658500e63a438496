// SPDX-License-Identifier: GPL-3.0-or-later
// Task each element and its left neighbour, rows of 256. What the two are held against.
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
    auto left = torch::cat({torch::zeros({x.size(0), 1}, x.options()), x.slice(1, 0, 255)}, 1);
    return x + left;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
