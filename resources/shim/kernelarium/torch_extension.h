// SPDX-License-Identifier: GPL-3.0-or-later
//
// <torch/extension.h>: torch:: and pybind11.
#pragma once
#include "kernelarium/py_module.h"
#include "kernelarium/torch_all.h"
#include "kernelarium/torch_library.h"

namespace py = pybind11;
