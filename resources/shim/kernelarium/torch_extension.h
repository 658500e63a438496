// SPDX-License-Identifier: GPL-3.0-or-later
//
// <torch/extension.h>: torch:: and pybind11.
#pragma once
#include "kernelarium/py_module.h"
#include "kernelarium/torch_all.h"

namespace py = pybind11;
