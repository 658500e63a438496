// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/StripFactors.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace kernelarium::kernelgen::products {

/// A strip's sums: of the products, and of the formulas of the left factor's rows that are taken in. From a lane's
/// registers they come to lie in shared memory, "tile" of each product and then "stripRows" of each formula.
class StripSums {
public:
    StripSums(KernelFile& file, KernelText& text, const ProductUnit& unit, const StripFactors& factors)
        : m_file(file)
        , m_text(text)
        , m_unit(unit)
        , m_factors(factors) {}

    void writeShared();
    void writeRegisters();
    /// Adds the terms of a stage's left factor to the formulas' sums.
    void writeRowTerms();
    /// Each warp's sums beside one another, and all of them in the first one's place; with those of the other blocks
    /// where a sum is split, by the block that ends last.
    void writeJoin(bool isSplit);
    /// Inner products' second factors, the formulas after the products, and what is stored. `rows` and `columns`:
    /// counts as the kernel has them.
    void writeFinish(const std::set<std::size_t>& inlined, const std::string& rows, const std::string& columns);

private:
    [[nodiscard]] const std::string& name(std::size_t id) const { return m_file.full().tensors[id].name; }
    /// Where the sums of formula n begin.
    [[nodiscard]] std::string ofRows(std::size_t n) const;

    KernelFile& m_file;
    KernelText& m_text;
    const ProductUnit& m_unit;
    const StripFactors& m_factors;
    std::map<std::size_t, std::string> m_ofRow; ///< registers of the formulas' sums
};

} // namespace kernelarium::kernelgen::products
