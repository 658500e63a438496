// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Axes.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kernelarium::kernelgen::graphs {

/// When a tensor of the graph is made.
enum class Phase {
    before, ///< the loop
    during,
    after,
    second, ///< in the second launch
};

/// A product as a matrix product of groups of axes.
struct ProductShape {
    std::size_t left = 0, right = 0;              ///< tensors
    std::vector<int> batch, rows, columns, terms; ///< axes: of both and the result, of the left alone, ..., summed
};
[[nodiscard]] ProductShape shapeOf(const Subject& subject, std::size_t tensor);

/// One thing that a block does, as a function of the file.
struct Action {
    enum class Kind {
        load,     ///< an input's tile into shared memory
        product,  ///< of two tiles
        sum,      ///< over an axis of a tile, a warp for each result
        elements, ///< of a tile, one by one
        gather,   ///< the parts of a tile in their order
        keep,     ///< a product's sums over the loop from registers into shared memory
        pass,     ///< a tile into device memory, for the second launch
        store,    ///< the output
    };
    Kind kind = Kind::load;
    Phase phase = Phase::before;
    std::size_t made = 0;    ///< the tensor whose tile is written
    std::size_t value = 0;   ///< the tensor that is computed: of an accumulation what is added, else `made`
    std::size_t product = 0; ///< of a product: the tensor that it makes; `value` is that, or follows from it
    bool isAdded = false;    ///< to what stands there: over the steps of the loop
};

/// How a kernel does a graph: which tensors have tiles in shared memory, and the order of what is done. Pointwise
/// results have none where they are read once for each element: they are written where they are read.
class Plan {
public:
    explicit Plan(const Subject& subject);

    [[nodiscard]] const std::vector<Action>& actions(bool isSecond) const { return isSecond ? m_second : m_first; }
    [[nodiscard]] bool isShared(std::size_t tensor) const { return m_shared.contains(tensor); }
    /// The sums of a product over the loop, in registers until its end.
    [[nodiscard]] bool isInRegisters(std::size_t tensor) const { return m_registers.contains(tensor); }
    /// Left in device memory for the second launch; those of a gather in as many parts as there are.
    [[nodiscard]] const std::set<std::size_t>& passed() const { return m_passed; }
    [[nodiscard]] bool isPassed(std::size_t tensor) const { return m_passed.contains(tensor); }
    /// Passed, and a tile of the second launch, since products read it there.
    [[nodiscard]] bool isLoadedAgain(std::size_t tensor) const { return m_again.contains(tensor); }
    /// Whether an action reads it where the first launch has left it.
    [[nodiscard]] bool isReadInPlace(const Action& action, std::size_t tensor) const;
    [[nodiscard]] Phase phaseOf(std::size_t tensor) const;
    [[nodiscard]] bool hasSecond() const { return !m_second.empty(); }
    /// Whether the tile lies there during the loop alone, or after it alone, or all the time.
    enum class Span { always, loop, after, second };
    [[nodiscard]] Span spanOf(std::size_t tensor) const;
    /// Bytes of shared memory of the first launch, or the second.
    [[nodiscard]] std::int64_t sharedBytes(bool isSecond) const;
    [[nodiscard]] std::int64_t tileBytes(std::size_t tensor) const;
    /// All that an action reads: tiles, inputs in place, what was passed.
    [[nodiscard]] std::vector<std::size_t> leaves(const Action& action) const;
    [[nodiscard]] bool isLeaf(std::size_t tensor, Phase reader) const;
    /// A tile of the second launch that is filled from what the first has left.
    [[nodiscard]] bool isLoading(const Action& action) const;

private:
    void chooseShared();
    void build();
    [[nodiscard]] std::vector<std::size_t> consumers(std::size_t tensor) const;
    [[nodiscard]] std::optional<std::size_t> productBehind(std::size_t tensor) const;
    [[nodiscard]] bool isSimple(std::size_t tensor) const;
    void collect(std::size_t tensor, Phase reader, std::set<std::size_t>& into) const;

    const Subject& m_s;
    std::set<std::size_t> m_shared, m_registers, m_passed, m_again;
    std::map<std::size_t, std::size_t> m_fused; ///< a product without a tile -> the tensor that is made of it at once
    std::vector<Action> m_first, m_second;
};

[[nodiscard]] constexpr bool isPointwise(mugraph::Operator op) {
    using O = mugraph::Operator;
    return op != O::product && op != O::sum && op != O::accumulate && op != O::gather;
}

} // namespace kernelarium::kernelgen::graphs
