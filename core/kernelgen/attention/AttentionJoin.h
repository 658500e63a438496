// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"

#include <set>
#include <string>

namespace kernelarium::kernelgen::attention {

/// Writes how maxima, totals and weighted values of the warps that share a row come to lie beside one another in shared
/// memory, in place of the tiles.
void writeWarpsJoin(KernelText& text);

/// Writes how they become one, and the formulas after the values' product: here where the keys are in one part, else by
/// the block that ends last, from what each has left in memory. `rows` and `width`: counts as the kernel has them.
void writeAttentionFinish(KernelFile& file, KernelText& text, const AttentionUnit& unit,
                          const std::set<std::size_t>& inlined, const std::string& rows, const std::string& width);

} // namespace kernelarium::kernelgen::attention
