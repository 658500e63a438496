// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// Adds the kernels of a row group of few long rows, several blocks for each, and their launches: one for each stage of
/// the reductions, in which the block of a row that ends last puts its parts together, and one for the maps of
/// elements. Returns the number of launches.
int addSplitRows(KernelFile& file, const Plan& plan, std::size_t group);

} // namespace kernelarium::kernelgen
