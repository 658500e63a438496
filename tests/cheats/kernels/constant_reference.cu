// SPDX-License-Identifier: GPL-3.0-or-later
// Task sums of sigmoids. What the two are held against.
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) { return torch::sigmoid(x).sum(1); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
