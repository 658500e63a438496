// SPDX-License-Identifier: GPL-3.0-or-later
// Task the sum of each row. What the kernels of this task are held against.
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
    return x.sum(1);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
