// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/cost/Work.h"
#include "core/algebra/rewrite/Rule.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::algebra {

/// One rule, applied (a tidying rule as often as it fits, one after the other).
struct Rewrite {
    const Rule* rule = nullptr;
    std::vector<std::string> details; ///< one for each application
    Work before, after;
    /// The graph around it: where a tidying rule fitted again later, at no gain, around its first round.
    std::shared_ptr<const Graph> from, to;
};

/// How a graph was derived from another.
struct Derivation {
    Graph original, rewritten;
    Work before, after;
    std::vector<Rewrite> steps;
    std::size_t variants = 0; ///< graphs that were looked at
    bool isComplete = true;   ///< whether nothing was left to try within the limit
};

struct SearchLimits {
    std::size_t variants = 2000;
    /// Large graphs have many places to try: graphs times their tensors.
    std::size_t tensors = 60000;
    /// Whether rules may be used that hold for the inputs that the card draws alone (Exactness::drawn).
    bool useStatedStructure = true;
    std::stop_token stop;
    /// Hears how many graphs were looked at, from the thread that searches.
    std::function<void(std::size_t variants)> progress;
};

/// Looks for the graph of least bound on a device that the rules reach, best first; of equal bounds, the one with the
/// least arithmetic and traffic together. Deterministic. Error "cancelled".
[[nodiscard]] Result<Derivation> derive(const Graph& graph, const perf::DeviceSpec& device,
                                        const SearchLimits& limits = {});

/// Whether no output depends on any input: the task computes a constant.
[[nodiscard]] bool isConstant(const Graph& graph);

} // namespace kernelarium::algebra
