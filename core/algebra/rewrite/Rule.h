// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::algebra {

/// In what sense both sides of a rewrite are equal.
enum class Exactness {
    reals,  ///< of real numbers; floating-point results differ by rounding
    floats, ///< the same operations on the same numbers, or fewer of them: bit by bit, in any order of the rest
    drawn,  ///< for all inputs that the card draws: its fill states a structure (a triangle of zeros, a mask)
};
[[nodiscard]] std::string_view name(Exactness exactness); ///< "exact in the reals", ...

/// One tensor's formula replaced. `added` are tensors that it now needs; they and `replacement` name each other by
/// graph.tensors.size() + place in `added`, and earlier tensors by their ids.
struct Edit {
    TensorId tensor = 0;
    std::vector<Tensor> added;
    Tensor replacement;
    std::vector<std::pair<TensorId, Tensor>> also; ///< later tensors whose formulas change with it
    std::string detail;                            ///< what was done here: "pool over o0, o1 joined with conv's taps"
};
/// The graph with the edit made, without what nothing needs any more. Ids change.
[[nodiscard]] Graph edited(Graph graph, Edit edit);

/// A law by which a formula may be replaced.
struct Rule {
    std::string_view name;      ///< "linear_maps_compose"
    std::string_view title;     ///< "Linear maps compose"
    std::string_view statement; ///< what it does, for a student
    std::string_view reason;    ///< the law, and the condition that was checked
    Exactness exactness = Exactness::reals;
    /// Ways to apply it to one tensor. What its condition does not allow is not offered.
    std::function<std::vector<Edit>(const Graph&, TensorId)> edits;
};

/// Rules after which a graph is never worse: applied wherever they fit, before and between all others.
[[nodiscard]] const std::vector<Rule>& tidyingRules();
/// Rules that may gain or lose: a search tries them.
[[nodiscard]] const std::vector<Rule>& searchedRules();

} // namespace kernelarium::algebra
