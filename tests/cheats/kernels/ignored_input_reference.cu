// SPDX-License-Identifier: GPL-3.0-or-later
// Task x + w / 1000. What the two are held against.
#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor w) { return x + w * 0.001; }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }
