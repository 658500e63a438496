// SPDX-License-Identifier: GPL-3.0-or-later
//
// All that <torch/extension.h> brings.
#pragma once
#include "kernelarium/unit_plain.h"
#include "kernelarium/torch_extension.h"
