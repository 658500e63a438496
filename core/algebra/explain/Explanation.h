// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/rewrite/Search.h"
#include "core/perf/DeviceSpec.h"
#include "core/task/Card.h"

#include <string>
#include <vector>

namespace kernelarium::algebra {

/// What algebra says of a task at one size, on one device.
struct Explanation {
    std::string task, name, size;
    task::Symbols symbols;
    const perf::DeviceSpec* device = nullptr;
    Derivation derivation;
    Bound before, after;
    /// Why the output is the same whatever the inputs are: by the rewrites, or as the card says. Empty otherwise.
    std::string degenerate;
    bool collapses = false; ///< degenerate by the rewrites: no input is left
    /// What the result rests on beside the formulas: the structure of inputs that the card states, say.
    std::vector<std::string> assumptions;
};

/// Errors: lower()'s ("unsupported" names the operator), derive()'s, "bad_input" (no such size).
[[nodiscard]] Result<Explanation> explain(const task::Card& card, const std::string& size,
                                          const perf::DeviceSpec& device, const SearchLimits& limits = {});

/// The formulas of a graph, one a line, the inputs first.
[[nodiscard]] std::vector<std::string> formulas(const Graph& graph);
/// "1/8192", "1/3.4", "all": what is left of an amount.
[[nodiscard]] std::string shareLeft(double before, double after);
/// The whole in a sentence: "This task needs 1/8192 of its FLOPs: ...".
[[nodiscard]] std::string conclusion(const Explanation& explanation);
/// What has to be known beside it, a sentence each: what the bound means, what is assumed, where the search ended.
[[nodiscard]] std::vector<std::string> remarks(const Explanation& explanation);

} // namespace kernelarium::algebra
