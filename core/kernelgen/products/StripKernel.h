// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <set>

namespace kernelarium::kernelgen::products {

/// Writes the kernel of a strip unit by tensor cores, sums in float32, and its launch; the file's constants are
/// addStripTiles'.
void addStripProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen::products
