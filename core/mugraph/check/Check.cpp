// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/check/Check.h"

#include "core/mugraph/graph/Formulas.h"
#include "core/mugraph/target/ProblemOf.h"

namespace kernelarium::mugraph {

Result<proof::Proof> prove(const task::Card& card, const MuGraph& graph, const proof::Options& options) {
    const proof::Rewriting tiled = [&](const algebra::Graph&, const task::Symbols& symbols) -> Result<algebra::Graph> {
        const Result<Problem> problem = problemOf(card, symbols);
        if (!problem) return problem.error();
        if (const Result<void> sound = checkGraph(*problem, graph); !sound) return sound.error();
        return formulasOf(*problem, graph, raggedTiling(*problem, graph.roles));
    };
    return proof::prove(card, tiled, options);
}

} // namespace kernelarium::mugraph
