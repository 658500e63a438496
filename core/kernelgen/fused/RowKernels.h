// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// Adds the kernels of a plan's row group to the file, and their launches: one kernel with some threads for each row;
/// where rows are split, one for each stage of the reductions, in which the block of a row that ends last puts its
/// parts together, and one for the maps of elements. Returns the number of launches.
int addRowKernels(KernelFile& file, const Plan& plan, std::size_t group);

} // namespace kernelarium::kernelgen
