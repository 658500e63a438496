// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Code.h"

namespace kernelarium::kernelgen::graphs {

/// Writes constants, structs, functions, kernels and the host's lines into the code's file.
void writeKernels(Code& code);

} // namespace kernelarium::kernelgen::graphs
