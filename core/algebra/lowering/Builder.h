// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/lowering/Operand.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::algebra::lowering {

/// Makes a graph, tensor by tensor. Names that are taken get a number.
class Builder {
public:
    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] Graph take() { return std::move(m_graph); }

    [[nodiscard]] Operand input(std::string name, Extents extents, DType dtype, Input input);
    [[nodiscard]] Operand add(std::string name, Extents extents, DType dtype, Definition definition);
    [[nodiscard]] Operand add(std::string name, Extents extents, DType dtype, Recurrence recurrence);
    /// body at every point of `shape`, operands broadcast to it as PyTorch does.
    [[nodiscard]] Operand pointwise(const std::string& name, Extents shape, DType dtype, Expression body,
                                    const std::vector<Operand>& operands);
    /// A number everywhere.
    [[nodiscard]] Operand constant(const std::string& name, Extents shape, DType dtype, double value);

    /// Reads an operand at these indices, one for each of its axes, over `space`; where they leave its shape it gives
    /// `outside`. Copies the operand first where one map cannot say both its view and the indices.
    [[nodiscard]] Read at(const Operand& operand, std::vector<Index> indices, const Extents& space, double outside = 0);
    /// The same as an operand of its own, of shape `space`.
    [[nodiscard]] Operand view(const Operand& operand, std::vector<Index> indices, Extents space, double outside = 0);
    /// Elements in row-major order under another shape.
    [[nodiscard]] Operand reshaped(const Operand& operand, Extents shape);
    [[nodiscard]] Operand permuted(const Operand& operand, std::span<const int> order);
    [[nodiscard]] Operand broadcast(const Operand& operand, const Extents& shape);
    /// The tensor that the operand is, as it is: itself, or a copy of the view.
    [[nodiscard]] TensorId whole(const Operand& operand, const std::string& name = "copy");
    [[nodiscard]] Operand operandOf(TensorId id) const;

    /// A reduction of body over these axes of operands (all of one shape, after broadcasting); reduced axes stay with
    /// extent 1 if `keep`.
    [[nodiscard]] Operand reduce(const std::string& name, DType dtype, Combine combine, Expression body,
                                 const std::vector<Operand>& operands, std::span<const int> axes, bool keep);

private:
    [[nodiscard]] std::string unique(const std::string& name);
    [[nodiscard]] Operand copied(const Operand& operand, const std::string& name);

    Graph m_graph;
    std::set<std::string> m_names;
};

/// The shape that several broadcast to.
[[nodiscard]] Extents broadcastShape(const std::vector<Operand>& operands);
/// Axes 0, 1, ... of a shape, each as an index.
[[nodiscard]] std::vector<Index> identity(int rank, int firstAxis = 0);

} // namespace kernelarium::algebra::lowering
