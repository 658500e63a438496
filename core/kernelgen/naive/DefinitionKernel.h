// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"

#include <span>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// A tensor's extent along an axis, at every size.
[[nodiscard]] Values extentOf(const Each<algebra::Tensor>& tensor, std::size_t axis);
/// The extent of a definition's axis: of the tensor's own, then of the reduction.
[[nodiscard]] Values spaceExtent(const Each<algebra::Tensor>& tensor, std::size_t axis);
/// Whether a number is this one at every size.
[[nodiscard]] bool isAlways(const Values& values, std::int64_t number);

/// Writes what a definition needs at one point, into a kernel's text.
class PointText {
public:
    /// `axes` are the names of the axes' variables; `graph` has the tensors that are read.
    PointText(KernelText& text, const Each<algebra::Graph>& graph, const Each<algebra::Tensor>& tensor,
              std::vector<std::string> axes)
        : m_text(text)
        , m_graph(graph)
        , m_tensor(tensor)
        , m_axes(std::move(axes)) {}

    /// Where the number of the output's element is at hand: reads of the same element use it.
    void setElement(std::string name) { m_element = std::move(name); }
    /// Values that are at hand already: a read of this tensor at the same point gives the text.
    void setKnown(std::size_t tensor, std::string value) { m_known[tensor] = std::move(value); }
    /// The constraints of the domain as a condition, empty where they always hold.
    [[nodiscard]] std::string domain();
    /// The body's value; lines that it needs are written before.
    [[nodiscard]] std::string body();
    /// The offset of an element: "(o0 * H + o1) * W + o2".
    [[nodiscard]] std::string offset(const std::vector<std::string>& indices, std::size_t tensor);

private:
    [[nodiscard]] std::string read(std::size_t k);
    [[nodiscard]] std::string condition(const Each<algebra::Index>& constraint, const std::string& hint);
    [[nodiscard]] bool isSameElement(const Each<algebra::Read>& read) const;

    KernelText& m_text;
    Each<algebra::Graph> m_graph;
    Each<algebra::Tensor> m_tensor;
    std::vector<std::string> m_axes;
    std::string m_element;
    std::map<std::size_t, std::string> m_known;
};

/// What is stored in an element of this type.
[[nodiscard]] std::string stored(const std::string& value, tensor::DType dtype);
/// "float" or, where so many terms are added that float would lose the tolerance, "double".
[[nodiscard]] std::string accumulatorOf(const Each<algebra::Tensor>& tensor);

/// How a definition's kernel is launched.
struct DefinitionKernel {
    std::string name;
    KernelText text;
    bool blockPerElement = false;
    std::string count; ///< "elements" that the kernel counts, where that is not the output's number of elements
};
/// One kernel for the definition, one thread for each element: nothing but the formula. A long reduction to few
/// elements takes a block for each, and a prefix combination a thread for each row.
[[nodiscard]] DefinitionKernel definitionKernel(KernelFile& file, const Each<algebra::Graph>& graph, std::size_t id);

} // namespace kernelarium::kernelgen
