// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/graph/MuGraph.h"
#include "core/mugraph/search/Units.h"
#include "core/mugraph/target/ProblemOf.h"
#include "core/task/Card.h"

#include <string>
#include <vector>

namespace kernelarium::mugraph::test {

/// A built-in task and a search of it.
struct Searched {
    task::Card card;
    Problem problem;
    Limits limits;
    std::vector<Unit> units;
    std::vector<UnitResult> results;
    Merged merged;

    Searched(int level, int task, int operators, const std::string& size = "full");
    /// A graph that is written down in any order, in canonical form.
    [[nodiscard]] MuGraph written(const std::string& key) const;
    /// The candidate that is this graph, or null.
    [[nodiscard]] const Merged::Candidate* find(const MuGraph& graph) const;
    [[nodiscard]] MuGraph graphOf(const Merged::Candidate& candidate) const;
};

/// What tells two merges apart: all that they say, in one text.
[[nodiscard]] std::string textOf(const Merged& merged);

} // namespace kernelarium::mugraph::test
