// SPDX-License-Identifier: GPL-3.0-or-later
//
// <torch/extension.h>: torch:: and pybind11.
#pragma once
#include "kernelarium/py_module.h"
#include "kernelarium/torch_all.h"
#include "kernelarium/torch_library.h"

namespace torch {
template <class F> const F& wrap_pybind_function(const F& f) { return f; }
template <class F> const F& wrap_pybind_function_no_gil(const F& f) { return f; }
} // namespace torch

namespace py = pybind11;
