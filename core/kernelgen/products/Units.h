// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/ProductForm.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// What one kernel does: products over the same rows and columns, and the maps of their elements that follow.
struct ProductUnit {
    std::vector<ProductForm> forms;  ///< in the graph's order
    std::set<std::size_t> members;   ///< products and maps: written in place where they are not stored
    std::vector<std::size_t> stored; ///< members that something else reads or that are returned, in the graph's order
    /// Members of a strip (see StripForm.h): sums over the left factor's rows, and small products that are the left
    /// factor of one of `forms`, each by that form's number.
    std::vector<std::size_t> statistics;
    std::map<std::size_t, ProductForm> inner;
    [[nodiscard]] const ProductForm& first() const { return forms.front(); }
};

/// Products worth a kernel of their own, with what follows each; where one map needs several of them, they are one.
/// Those of `taken` are left out.
[[nodiscard]] std::vector<ProductUnit> unitsOf(const SizedGraphs& graphs, const std::set<std::size_t>& taken = {});

/// Adds the maps that need nothing but the unit's members at their own element, and what is there before.
void addMaps(const Each<algebra::Graph>& graph, ProductUnit& unit);
/// Finds the members that something else reads or that are returned.
void chooseStored(const Each<algebra::Graph>& graph, ProductUnit& unit);

/// The graph tidied, factors of rows and columns moved past products (a norm's, say), and results in between in
/// float32 where nothing multiplies them. What was moved is added to `moved` in words.
[[nodiscard]] algebra::Graph prepared(algebra::Graph graph, std::vector<std::string>* moved = nullptr);

} // namespace kernelarium::kernelgen::products
