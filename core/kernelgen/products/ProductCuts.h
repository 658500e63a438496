// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/FloatKernel.h"
#include "core/kernelgen/products/HalfTiles.h"
#include "core/kernelgen/products/StripTiles.h"
#include "core/kernelgen/products/Units.h"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace kernelarium::kernelgen::products {

/// Which of its forms each product unit of a file has, how it is cut, and its kernels by that. Units of a form share
/// their tiles, which are the largest one's.
class ProductCuts {
public:
    /// Writes the file's constants of the tiles. Refusal of elements of several types, and of types without a form.
    ProductCuts(KernelFile& file, const SizedGraphs& graphs, const std::vector<ProductUnit>& units);

    /// Writes a unit's launches and describes them; how many they are.
    int add(std::size_t unit, const std::set<std::size_t>& inlined);

    /// 16-bit elements, by tensor cores.
    [[nodiscard]] bool isHalf() const { return m_isHalf; }
    [[nodiscard]] bool hasStrips() const;
    [[nodiscard]] bool hasTiles() const;
    /// Blocks that share a sum.
    [[nodiscard]] int parts(std::size_t unit) const;
    /// Whether a second launch of some unit puts parts together.
    [[nodiscard]] bool isTwice() const;

private:
    void choose();
    void describe(std::size_t unit, std::size_t firstLaunch);
    [[nodiscard]] const ProductUnit* largestOf(bool strips) const;
    [[nodiscard]] int stripParts(const ProductUnit& u) const;
    [[nodiscard]] int halfParts(const ProductUnit& u) const;
    [[nodiscard]] HalfShape shapeOf(const ProductUnit& u) const;
    [[nodiscard]] FloatTiles tilesOf(const ProductUnit& u, const std::optional<FloatTiles>& shape) const;
    [[nodiscard]] double points(const ProductForm& f, const Group& group) const;
    [[nodiscard]] tensor::DType sourceType(const ProductForm& f, std::size_t read) const;

    KernelFile& m_file;
    const SizedGraphs& m_graphs;
    const std::vector<ProductUnit>& m_units;
    bool m_isHalf = false;
    std::vector<bool> m_isStrip;     ///< by unit
    std::vector<FloatTiles> m_tiles; ///< by unit
    HalfTiles m_half;
    StripTiles m_strip;
};

} // namespace kernelarium::kernelgen::products
