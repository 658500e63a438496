// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// Adds the kernels of a row group to the file, and their launches: one kernel with a warp or block for each row; where
/// rows are split, one for each level of reductions and one for the maps, each of which first combines what the blocks
/// of its row left. Returns the number of launches.
int addRowKernels(KernelFile& file, const Plan& plan);

/// One kernel of four elements a thread for a map whose large operands are read element by element; nothing is added
/// and false returned where it has none.
bool addFourMap(KernelFile& file, const Plan& plan, std::size_t id);

} // namespace kernelarium::kernelgen
