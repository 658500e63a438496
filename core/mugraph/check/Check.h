// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/graph/MuGraph.h"
#include "core/proof/Proof.h"
#include "core/task/Card.h"

namespace kernelarium::mugraph {

/// Evidence that a graph computes what a card does: its formulas, block by block (core/mugraph/graph/Formulas.h), held
/// against the card's by core/proof at the sizes of a proof, each axis in several pieces of unequal size. Only a graph
/// whose verdict is `equal` may be shown as right. Errors: as proof::prove and problemOf; "bad_graph".
[[nodiscard]] Result<proof::Proof> prove(const task::Card& card, const MuGraph& graph,
                                         const proof::Options& options = {});

} // namespace kernelarium::mugraph
