// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::algebra {

/// A sum of products taken apart: factor * sum over `reduction` of the product of `reads`, at the points of `domain`
/// (0 elsewhere). Axes as in Graph.h. Without a reduction it is a product at each point.
struct Contraction {
    Extents out, reduction;
    std::vector<Read> reads;
    double factor = 1;
    std::vector<Constraint> domain;

    [[nodiscard]] Extents space() const;
};
/// A definition that is one: a sum (or no reduction) of a product whose operands are 0 where they are outside their
/// source, and which is 0 outside its domain. Conditions of reads become the domain's.
[[nodiscard]] std::optional<Contraction> asContraction(const Graph& graph, const Tensor& tensor);
[[nodiscard]] Definition definitionOf(const Contraction& contraction);

/// The contraction with the formula of one of its operands, itself a contraction, in its place: sums are joined into
/// one. Nothing where an index would not be of the form that maps have.
[[nodiscard]] std::optional<Contraction> inlined(const Graph& graph, const Contraction& outer, std::size_t read);

/// Without reduction axes that an equation of the domain ties to the others: [k == f(others)] picks one summand.
[[nodiscard]] Contraction withoutTiedAxes(Contraction contraction);

/// A contraction in several steps: tensors to make first (ids from `firstId` on), and the last one.
struct Steps {
    std::vector<Tensor> added;
    Contraction last;
};
/// Reduction axes that reach one operand through their weighted sum alone (window and tap: x[2 p + k + j]) joined into
/// one axis; what else depends on them is summed up beforehand for each value of the sum.
[[nodiscard]] std::optional<Steps> withJoinedTaps(const Contraction& contraction, const Graph& graph, TensorId firstId,
                                                  const std::string& name, tensor::DType dtype);
/// The product taken in the cheapest order of pairs, and sums over axes of one operand taken first: exact over all
/// orders of up to five operands.
[[nodiscard]] Steps inBestOrder(const Contraction& contraction, TensorId firstId, const std::string& name,
                                tensor::DType dtype);

/// Adds a constraint unless it holds everywhere or is there.
void addConstraint(std::vector<Constraint>& list, Constraint constraint, const Extents& space);

} // namespace kernelarium::algebra
