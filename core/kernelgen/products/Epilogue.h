// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// What of a point of the product a kernel has in variables.
struct PointNames {
    std::string batch, row, column;           ///< numbers among the groups' points; "0" where there is one
    std::string element;                      ///< number among the output's elements
    std::vector<std::string> sums;            ///< of each of the unit's products
    std::map<std::size_t, std::string> given; ///< AtHand::given
};
/// The variables "batch", "row", "column" and "element"; no sums yet.
[[nodiscard]] PointNames namesOfPoint(const ProductForm& form);
/// "element" by "batch", "row" and "column".
[[nodiscard]] std::string elementOf(KernelText& text, const Each<algebra::Tensor>& tensor, const ProductForm& form);

/// Writes the formulas after the products at one point; `store` is called for each value that is stored.
void writeFormulas(KernelFile& file, KernelText& text, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                   const PointNames& names, const std::function<void(std::size_t, const std::string&)>& store);

/// Writes that a stored tensor's element becomes a value; `condition` stands before it.
void storeElement(const KernelFile& file, KernelText& text, std::size_t id, const std::string& element,
                  const std::string& value, const std::string& condition = "");

/// Whether the formulas read nothing but the products: then they may be computed where there is no element as well.
[[nodiscard]] bool readsProductsAlone(const KernelFile& file, const ProductUnit& unit);

/// What writeFormulas would write, to see which names it needs.
[[nodiscard]] std::string formulasTried(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                                        const PointNames& names);
/// "const auto from = [&](Index k) { return address; };"
void writeAddress(KernelText& text, const std::string& variable, const std::string& address);
/// A number as a factor: in parentheses unless it is one word.
[[nodiscard]] std::string asFactor(const std::string& number);

/// A kernel over the output's elements, a thread for each, that makes the products' values of what was left before.
struct ElementKernel {
    std::string comment, parameters;
    std::vector<std::string> words, arguments; ///< names that its text has; what stands for the parameters
    bool line = false;                         ///< the number of the row among all batches' is needed
    /// Writes how each product's value is made at element "i", and gives their names.
    std::function<std::vector<std::string>(KernelText&)> sums;
};
void addElements(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                 const ElementKernel& kernel);

/// A kernel that adds up what the parts of split sums left, in their order, and writes the formulas; launched over
/// `partials`, `parts` tensors of the output's size.
void addFinish(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
               const std::string& partials, const std::string& parts);

} // namespace kernelarium::kernelgen::products
