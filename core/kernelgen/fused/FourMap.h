// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"

namespace kernelarium::kernelgen {

/// One kernel of four elements a thread for a map whose large operands are read element by element; nothing is added
/// and false returned where it has none.
bool addFourMap(KernelFile& file, const Plan& plan, std::size_t id);

} // namespace kernelarium::kernelgen
