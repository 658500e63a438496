// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/fused/Plan.h"

#include <vector>

namespace kernelarium::kernelgen {

/// Reductions that one pass over the blocks' parts of rows can make: those that need none of the others, and sums of
/// squares about a mean among them. A part's squares are taken about the part's own mean; parts are put together as
/// sum of (squares + count * (mean of the part - mean of the row)^2) (Chan, Golub, LeVeque 1979).
struct RowStage {
    std::vector<std::size_t> plain;
    std::vector<std::pair<std::size_t, std::size_t>> about; ///< squares, and the mean that they are about

    [[nodiscard]] std::vector<std::size_t> aboutIds() const {
        std::vector<std::size_t> out;
        for (const auto& [id, mean] : about)
            out.push_back(id);
        return out;
    }
    [[nodiscard]] std::vector<std::size_t> all() const {
        std::vector<std::size_t> out = plain, more = aboutIds();
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
};

/// In an order in which each stage needs earlier ones alone.
[[nodiscard]] std::vector<RowStage> rowStages(const Each<algebra::Graph>& graph, const algebra::Graph& full,
                                              const RowGroup& group);

} // namespace kernelarium::kernelgen
