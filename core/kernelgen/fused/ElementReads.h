// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/naive/DefinitionKernel.h"

namespace kernelarium::kernelgen {

/// Tensors that formulas read at their own element, or at the place within a row, through those written in place: their
/// neighbours are loaded together.
class ElementReads {
public:
    /// `withShort`: tensors of 16-bit elements as well as those of float32.
    ElementReads(const Each<algebra::Graph>& graph, const std::set<std::size_t>& inlined,
                 std::optional<RowLayout> layout = {}, bool withShort = false)
        : m_graph(graph)
        , m_inlined(inlined)
        , m_layout(std::move(layout))
        , m_withShort(withShort) {}

    void add(std::size_t id, bool withReduction);
    void add(const Each<algebra::Tensor>& tensor, bool withReduction);
    [[nodiscard]] const std::set<std::size_t>& found() const { return m_found; }
    /// Those of the place, the same for all rows.
    [[nodiscard]] const std::set<std::size_t>& places() const { return m_places; }

private:
    Each<algebra::Graph> m_graph;
    const std::set<std::size_t>& m_inlined;
    std::optional<RowLayout> m_layout;
    bool m_withShort;
    std::set<std::size_t> m_found, m_places;
};

/// What the parts of a point's number are called where a formula is written.
struct PointNames {
    std::string element, row, place;
    /// Of a RowLayout of columns or channels: the number among its first axes, and among its last.
    std::string outer, within;
};

/// The body's lines and value, and before them the axes that they mention, under names of their own. `expression` is
/// written in the body's stead if it is given.
[[nodiscard]] std::string pointValue(KernelText& text, const Each<algebra::Graph>& graph,
                                     const Each<algebra::Tensor>& tensor, const AtHand& hand, const PointNames& names,
                                     const Each<algebra::Expression>* expression = nullptr);

/// Axes of the tensor's space that its body's lines mention.
[[nodiscard]] std::vector<bool> usedAxes(const Each<algebra::Graph>& graph, const Each<algebra::Tensor>& tensor,
                                         const AtHand& hand, const Quantities& quantities);

/// "load" and "store" of `width` neighbours, as the emitted files define them; the short ones are for elements of 16
/// bits.
extern const char* const loadText;
extern const char* const storeText;
extern const char* const loadShortText;
extern const char* const storeShortText;
/// Whether neighbours of this type can be loaded together: float32 and the types of 16 bits.
[[nodiscard]] bool isLoadable(tensor::DType dtype);

} // namespace kernelarium::kernelgen
