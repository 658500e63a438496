// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"

#include <set>

namespace kernelarium::kernelgen::attention {

/// Writes the kernels of an attention of 16-bit elements by tensor cores: blocks go through a part of the keys with
/// running maxima and sums in float32, a second launch puts the parts together in their order. Refusal of heads longer
/// than a tile.
void addAttention(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen::attention
