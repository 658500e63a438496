// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/graph/MuGraph.h"
#include "core/perf/DeviceSpec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::mugraph {

/// Sizes that make a kernel of a graph. The grid has a block for each tile of the axes that are no one's but the
/// output's, times `splits`.
struct Tiling {
    std::vector<std::int64_t> tile; ///< of each axis: indices in one tile; of the loop's, in one step
    std::int64_t splits = 1;        ///< blocks that share out the split axis
    bool operator==(const Tiling&) const = default;
};

/// Axes along which the grid may lie: the output's, but those that something is summed over.
[[nodiscard]] AxisSet gridAxes(const Problem& problem);
/// Indices of an axis that one block sees: all but of the grid's and the split axes.
[[nodiscard]] std::int64_t spanOf(const Problem& problem, const Roles& roles, const Tiling& tiling, int axis);
/// Steps of the loop, 1 where there is none. A step at the end may have fewer indices, or none.
[[nodiscard]] std::int64_t loopSteps(const Problem& problem, const Roles& roles, const Tiling& tiling);

/// What a device's figures say of graphs, from below. Everything is counted as if a tile were read once by its block,
/// nothing waited, and all units worked at their peaks:
///   seconds = launches + max(bytes of inputs and output / device memory,
///                            waves * what a block reads and writes / its multiprocessor's share of L2,
///                            waves * a block's products / its share of the tensor cores (fp32 units for float32),
///                            waves * a block's other results / its share of the fp32 units)
/// waves: blocks over multiprocessors, rounded up. The second launch adds its own bytes over L2's bandwidth. A tile's
/// elements have the type of its input, those computed float32's four bytes.
class TileModel {
public:
    TileModel(const Problem& problem, const perf::DeviceSpec& device);

    /// The least bytes of a tile, at the smallest sizes that there are.
    [[nodiscard]] double leastBytes(const Roles& roles, std::size_t number, const Tile& tile) const;
    [[nodiscard]] double sharedBytes() const { return m_shared; }
    /// The least time of a step's arithmetic on the whole device, when no block repeats what another does.
    [[nodiscard]] double leastSeconds(const Roles& roles, std::span<const Tile> before, const Step& step) const;
    /// Of the task formula by formula, each in a launch of its own that reads and writes device memory.
    [[nodiscard]] double formulaSeconds() const { return m_formulaSeconds; }

    /// Whether it fits into shared memory: what lasts longer than its step (accumulators), and the largest step.
    [[nodiscard]] bool fits(const MuGraph& graph, std::span<const Tile> tiles, const Tiling& tiling) const;
    [[nodiscard]] double seconds(const MuGraph& graph, std::span<const Tile> tiles, const Tiling& tiling) const;
    struct Best {
        Tiling tiling;
        double seconds = 0;
    };
    /// The fastest of those that fit, powers of two; nothing where none does.
    [[nodiscard]] std::optional<Best> best(const MuGraph& graph, std::span<const Tile> tiles) const;

private:
    [[nodiscard]] std::int64_t elements(const Roles& roles, const Tile& tile, const Tiling& tiling) const;
    [[nodiscard]] double elementBytes(std::size_t number) const;
    [[nodiscard]] double productRate() const;

    const Problem& m_problem;
    const perf::DeviceSpec& m_device;
    AxisSet m_grid;
    double m_shared = 0, m_formulaSeconds = 0;
};

} // namespace kernelarium::mugraph
