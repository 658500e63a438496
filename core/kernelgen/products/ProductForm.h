// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/sizes/SizedGraphs.h"
#include "core/kernelgen/text/KernelText.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// Axes of a definition's space that are counted by one number, the last one fastest. Those of extent 1 at every size
/// are left out.
using Group = std::vector<std::size_t>;

/// A sum of products of two tensors as a matrix product: out[batch, row, column] = factor * sum over k of
/// left[batch, row, k] * right[batch, k, column]. The columns are the output's last axes, so that neighbouring columns
/// are neighbours in memory.
struct ProductForm {
    std::size_t tensor = 0;
    double factor = 1;
    Group batch, rows, columns, sums;
    std::size_t left = 0, right = 0; ///< reads of the definition
};

/// The definition as a product, if it is one at every size: affine reads without edges, every axis of one of the kinds
/// above, at least one row axis, one column axis and one that is summed. A domain may leave out elements, not terms.
[[nodiscard]] std::optional<ProductForm> productOf(const Each<algebra::Graph>& graph, std::size_t id);

/// Points of a group of axes, at every size.
[[nodiscard]] Values pointsOf(const Each<algebra::Tensor>& tensor, const Group& group);

/// Where the element that a read meets lies in its source, as parts for groups of axes: their sum is the offset.
class Offsets {
public:
    Offsets(const Each<algebra::Graph>& graph, const Each<algebra::Tensor>& tensor, std::size_t read);
    /// Of the tensor's own elements.
    explicit Offsets(const Each<algebra::Tensor>& tensor);

    /// The part of a group whose points are counted by the variable `at`; empty where it is 0.
    [[nodiscard]] std::string part(KernelText& text, const Group& group, const std::string& at) const;
    /// The part that is the same everywhere; empty where it is 0.
    [[nodiscard]] std::string constant(KernelText& text) const;
    /// Whether neighbouring points of the group are neighbours in memory, within runs.
    [[nodiscard]] bool isContiguous(const Group& group) const;
    /// What has to be divisible by n for n neighbours of the group to begin on a border of n elements: strides, the
    /// length of a run, where the tensor begins.
    [[nodiscard]] std::vector<Values> borders(const Group& contiguous) const;
    [[nodiscard]] bool uses(std::size_t axis) const;

private:
    struct Part {
        std::size_t axis;
        Values factor, divisor, modulus;
    };
    [[nodiscard]] std::vector<const Part*> partsOf(std::size_t axis) const;
    [[nodiscard]] bool collapses(const Group& group) const;

    std::vector<Part> m_parts;
    std::vector<Values> m_extents; ///< of the space
    Values m_constant;
};

/// "a + b" of what is not empty, "0" of nothing.
[[nodiscard]] std::string sumOf(const std::vector<std::string>& parts);

} // namespace kernelarium::kernelgen::products
