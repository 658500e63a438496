// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <set>
#include <string>

namespace kernelarium::kernelgen::products {

/// Writes how the sums of a thread's fragments are added to those of the warps that share them, and, where a sum is
/// split, to those of the other blocks by the one that ends last: a thread finds them where it has its own.
void writeHalfJoin(KernelText& text, bool isSplit);

/// Writes the formulas after a unit's products and what is stored. The sums go through shared memory, where a warp's
/// lanes find neighbours of a row. `rows` and `columns`: their counts as the kernel has them.
void writeHalfFinish(KernelFile& file, KernelText& text, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                     const std::string& rows, const std::string& columns);

} // namespace kernelarium::kernelgen::products
