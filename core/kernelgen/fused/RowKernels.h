// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// Adds the kernels of a plan's row group to the file, and their launches: those of whole or of split rows. Returns the
/// number of launches.
int addRowKernels(KernelFile& file, const Plan& plan, std::size_t group);

} // namespace kernelarium::kernelgen
