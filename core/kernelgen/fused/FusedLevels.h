// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// What the file's launches from number `first` on, those of addRowKernels, do.
void describeRows(KernelFile& file, const Plan& plan, std::size_t first);
/// What the file's last launch, that of addFourMap, does.
void describeFourMap(KernelFile& file, const Plan& plan, std::size_t id);

} // namespace kernelarium::kernelgen
