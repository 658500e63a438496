// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/Units.h"

namespace kernelarium::kernelgen::products {

/// Whether a unit's products are of few rows: 16-bit factors, no batches, one left factor with neighbours of the sums
/// beside one another and right factors with neighbours of the columns so. Then the right factors are read once, each
/// block a strip of their columns over all terms, and the left one is read by all.
[[nodiscard]] bool isStrip(const SizedGraphs& graphs, const ProductUnit& unit);

/// Strips take in what their pass over the left factor's rows makes as well: sums of formulas of a row's elements, and
/// products of the same rows so small that every block makes them, whose result is the left factor of another of the
/// unit's products. Units that are taken in are left out.
void growStrips(const SizedGraphs& graphs, std::vector<ProductUnit>& units);

} // namespace kernelarium::kernelgen::products
