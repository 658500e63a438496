// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/sizes/RowLayout.h"

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

/// What is at hand where a formula is written, by the names of variables.
struct AtHand {
    /// The number of the point: of the output's element, times the reduction's points plus the number among these if
    /// `withReduction`. Reads of the element of that number use it. Empty where there is none.
    std::string element;
    bool withReduction = false;
    /// Elements are those of rows. The number of a point is row * length + place where it counts the reduction's
    /// points, too, and the element's own number else. Values of `rowValues` are those of the element's row.
    std::optional<RowLayout> layout;
    std::string row;   ///< its number
    std::string place; ///< of the element within its row
    std::map<std::size_t, std::string> rowValues;
    /// Values of these tensors at the element.
    std::map<std::size_t, std::string> values;
    /// Values of these tensors at the place, for every row alike.
    std::map<std::size_t, std::string> placeValues;
    /// Values of these tensors wherever they are read: whoever gives them has seen to it that it is one element.
    std::map<std::size_t, std::string> given;
    /// Tensors whose formulas are written in place of reads.
    std::set<std::size_t> inlined;
};

/// Writes what a definition needs at one point, into a kernel's text.
class PointText {
public:
    /// `axes` are the names of the axes' variables; `graph` has the tensors that are read.
    PointText(KernelText& text, const Each<algebra::Graph>& graph, const Each<algebra::Tensor>& tensor,
              std::vector<std::string> axes, AtHand atHand = {})
        : m_text(text)
        , m_graph(graph)
        , m_tensor(tensor)
        , m_axes(std::move(axes))
        , m_atHand(std::move(atHand)) {}

    /// Where the number of the output's element is at hand: reads of the same element use it.
    void setElement(std::string name) { m_atHand.element = std::move(name); }
    /// The constraints of the domain as a condition, empty where they always hold.
    [[nodiscard]] std::string domain();
    /// The body's value; lines that it needs are written before.
    [[nodiscard]] std::string body();
    /// Another expression of the definition's reads in the body's stead.
    [[nodiscard]] std::string valueOf(const Each<algebra::Expression>& expression);
    /// The offset of an element: "(o0 * H + o1) * W + o2".
    [[nodiscard]] std::string offset(const std::vector<std::string>& indices, std::size_t tensor);
    /// Whether read k is of the element with the point's number (AtHand::element), or of the row's.
    [[nodiscard]] bool isSameElement(std::size_t k) const;
    [[nodiscard]] bool isOfRow(std::size_t k) const;
    [[nodiscard]] bool isOfPlace(std::size_t k) const;

private:
    [[nodiscard]] std::string read(std::size_t k);
    [[nodiscard]] std::string inlinedValue(std::size_t source, std::vector<std::string> indices, const AtHand& inner);
    [[nodiscard]] std::string condition(const Each<algebra::Index>& constraint, const std::string& hint);

    KernelText& m_text;
    Each<algebra::Graph> m_graph;
    Each<algebra::Tensor> m_tensor;
    std::vector<std::string> m_axes;
    AtHand m_atHand;
};

/// Declares the variables of those axes (of a tensor's own, or of its reduction) that `used` mentions, from the number
/// of a point of theirs.
void declareAxes(KernelText& text, const Each<algebra::Tensor>& tensor, std::size_t from, std::size_t to,
                 const std::vector<std::string>& axes, const std::string& number, const std::string& used);
/// Whether a text has this word.
[[nodiscard]] bool mentions(const std::string& text, const std::string& word);

/// What is stored in an element of this type.
[[nodiscard]] std::string stored(const std::string& value, tensor::DType dtype);
/// "float" or, where so many terms are added that float would lose the tolerance, "double".
[[nodiscard]] std::string accumulatorOf(const Each<algebra::Tensor>& tensor);

/// The terms of a sum without a literal factor that all of them have: it is multiplied in once, behind the sum.
struct Terms {
    std::vector<algebra::Expression> bodies; ///< at each size
    std::vector<double> factor;              ///< likewise; empty where there is none
    [[nodiscard]] Each<algebra::Expression> each() const;
};
[[nodiscard]] Terms termsOf(const Each<algebra::Tensor>& tensor);

/// What a combination begins with, and the statement that adds a value to it.
[[nodiscard]] std::string startOf(algebra::Combine combine);
[[nodiscard]] std::string combined(algebra::Combine combine, const std::string& to, const std::string& value);

/// How a definition's kernel is launched.
struct DefinitionKernel {
    std::string name;
    KernelText text;
    bool blockPerElement = false;
    std::string count; ///< "elements" that the kernel counts, where that is not the output's number of elements
};
/// One kernel for the definition, one thread for each element: nothing but the formula. A long reduction to few
/// elements takes a block for each, and a prefix combination a thread for each row.
[[nodiscard]] DefinitionKernel definitionKernel(KernelFile& file, const Each<algebra::Graph>& graph, std::size_t id,
                                                const std::set<std::size_t>& inlined = {});

} // namespace kernelarium::kernelgen
