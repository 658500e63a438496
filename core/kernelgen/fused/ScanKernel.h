// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

#include <set>

namespace kernelarium::kernelgen {

/// Adds a kernel with a block for each row of a prefix combination along the last axis, each thread some neighbours. A
/// map that nothing but turns the result round along that axis is made by the same kernel, from the rows' ends on: it
/// is then in `done`. Nothing is added and false returned for any other tensor.
bool addScanKernel(KernelFile& file, const Plan& plan, std::size_t id, std::set<std::size_t>& done);

} // namespace kernelarium::kernelgen
