// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// Adds the kernel of a row group in which a block has whole rows, some threads for each, and its launch. With totals
/// of all rows, the block that ends last puts the rows' values together. Returns the number of launches.
int addWholeRows(KernelFile& file, const Plan& plan, std::size_t group);

} // namespace kernelarium::kernelgen
