// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/task/Card.h"

namespace kernelarium::algebra {

/// What a card's graph computes at one size, operator by operator and nothing rewritten: its tensors are named like the
/// card's tensors and nodes ("conv2d.products" where a node becomes several). Views (transpose, slice, expand, reshape,
/// pad, ...) become the maps by which others read, where these can say it. Inputs are those of the card's tensors that
/// something reads. Its outputs are forward's, a list laid out flat.
/// Errors: "bad_card" as inferShapes; "unsupported" names the operator and what of it has no form.
[[nodiscard]] Result<Graph> lower(const task::Card& card, const task::Symbols& symbols);

} // namespace kernelarium::algebra
