// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/1. No kernel of its own.
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor a, torch::Tensor b) { return torch::matmul(a, b); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
