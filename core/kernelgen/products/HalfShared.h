// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/products/TileReads.h"
#include "core/kernelgen/products/Units.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// Products of a unit that read the same left factor in the same way: in shared memory their right tiles are beside one
/// another, behind the left one.
struct HalfGroup {
    std::vector<std::size_t> forms; ///< the unit's
    std::unique_ptr<Operand> left;
    std::vector<std::unique_ptr<Operand>> rights; ///< by form
};
[[nodiscard]] std::vector<HalfGroup> halfGroupsOf(KernelFile& file, KernelText& text, const ProductUnit& unit);

/// What a block has in shared memory: `stages` of the factors' tiles, and its sums in their place afterwards. Names in
/// the file: 16-bit elements of tiles and of a stage, bytes of all.
struct HalfShared {
    std::string leftSize, rightSize, stageSize, bytes;
    /// A stage's tiles, from "leftTile" on.
    [[nodiscard]] static SharedTile left() { return {"leftTile", "tileRows", "tileSums"}; }
    [[nodiscard]] SharedTile right(std::size_t k) const;
};
/// Writes the file's constants of these sizes; the kernel's text takes their names as well.
[[nodiscard]] HalfShared addHalfShared(KernelFile& file, KernelText& text, const ProductUnit& unit,
                                       const std::vector<HalfGroup>& groups);

/// "2 * " where a unit has two products.
[[nodiscard]] std::string timesForms(const ProductUnit& unit);

} // namespace kernelarium::kernelgen::products
