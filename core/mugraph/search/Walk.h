// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/graph/Tiling.h"
#include "core/mugraph/search/Facts.h"
#include "core/mugraph/search/Limits.h"

#include <array>
#include <functional>
#include <span>

namespace kernelarium::mugraph {

/// What the search knows of one problem, whatever is walked through: terms and what is known of them.
struct Ground {
    Ground(const Problem& task, const Limits& searchLimits, const perf::DeviceSpec& device);
    Ground(const Ground&) = delete; // its parts refer to one another
    Ground& operator=(const Ground&) = delete;
    /// Which axes may be looped over and split: those that are summed and are none of the output's.
    [[nodiscard]] std::vector<Roles> roles() const;

    Problem problem;
    Limits limits;
    TileModel model; ///< of `problem`
    Terms terms;
    TermId target = noTerm;
    FactBook facts;
    AxisSet output = 0;
};

/// Depth first through the graphs of one choice of roles, in canonical order.
class Walk {
public:
    /// Told of every state: whether it is complete. False: its extensions are not looked at.
    using Visit = std::function<bool(const Walk&, bool isComplete)>;

    Walk(Ground& ground, const Roles& roles);
    /// Goes one step on, where search would have gone there.
    [[nodiscard]] bool enter(const Step& step);
    /// The state that it is in, and all that it leads to.
    void visitAll(const Visit& visit);

    [[nodiscard]] const Counts& counts() const { return m_counts; }
    [[nodiscard]] std::size_t steps() const { return m_size - m_inputs; }
    [[nodiscard]] MuGraph graph() const;
    [[nodiscard]] std::span<const Tile> tiles() const { return {m_tiles.data(), m_size}; }
    [[nodiscard]] bool isComplete() const;

private:
    static constexpr std::size_t mostTensors = 32;
    /// What is kept of every depth, so that going back costs nothing.
    struct Level {
        double lasting = 0, largest = 0; ///< least bytes of accumulators, and of one step
        double seconds = 0;              ///< least time of all arithmetic
        Made made;                       ///< of all tensors
    };
    template <class Take> void eachStep(Take&& take) const;
    [[nodiscard]] bool fits(const Step& step);
    void push(const Step& step);
    void pop();
    /// Tensors that are used by none once the step is done.
    struct Unused {
        std::size_t count = 0;
        bool looped = false, partial = false; ///< one of them is
    };
    [[nodiscard]] Unused unusedAfter(const Step& step, const Tile& result) const;
    [[nodiscard]] bool canFinish(const Unused& unused, const FactBook::Missing& missing) const;
    [[nodiscard]] bool isKnown(TermId term, const Tile& tile) const;

    Ground& m_ground;
    Roles m_roles;
    std::size_t m_inputs, m_size, m_limit;
    std::array<Tile, mostTensors> m_tiles{};
    std::array<TermId, mostTensors> m_terms{};
    std::array<Step, mostTensors> m_steps{}; ///< by the number of the tensor that they make
    std::array<std::uint8_t, mostTensors> m_uses{};
    std::array<Level, mostTensors> m_levels{}; ///< with so many tensors
    Tile m_result;                             ///< of the step that fits() looked at last
    TermId m_term = noTerm;
    Level m_level;
    Counts m_counts;
};

} // namespace kernelarium::mugraph
