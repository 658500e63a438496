// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/proof/evidence/Evidence.h"
#include "core/proof/evidence/Options.h"
#include "core/task/Card.h"

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::proof {

/// The graph that is to be shown equal to the card's, at any size: a function of the card's graph as lowered at that
/// size, or of the size alone.
using Rewriting = std::function<Result<algebra::Graph>(const algebra::Graph& lowered, const task::Symbols& symbols)>;

enum class Verdict {
    equal,      ///< every rung that applies passed, float64 among them and one of the first three
    different,  ///< one failed
    notDecided, ///< none failed, but what passed is not enough
};
[[nodiscard]] std::string_view name(Verdict verdict); ///< "equal", "different", "not_decided"

/// Evidence that a rewritten graph computes what a card's does. Field evidence is for the extents that it was taken at:
/// `equal` never means proved at full size.
struct Proof {
    Verdict verdict = Verdict::notDecided;
    std::vector<Evidence> rungs;      ///< in their order, up to the one that failed
    task::Symbols tinySize;           ///< that the first three were taken at, or what stands in its place
    std::vector<std::string> leftOut; ///< sizes at which the rewriting could not be done, and why

    [[nodiscard]] const Evidence* find(Rung rung) const;
    [[nodiscard]] const Evidence* failed() const; ///< the rung that did; null if none
    [[nodiscard]] std::string summary() const;    ///< one sentence
    double seconds = 0;
};

/// Climbs the rungs in order and stops at the first that fails. Errors: "unsupported" (the card has no formulas),
/// "bad_graph" (a graph is unsound, or the two have other inputs or outputs), "cancelled", and what `rewriting` gives.
[[nodiscard]] Result<Proof> prove(const task::Card& card, const Rewriting& rewriting, const Options& options = {});

/// What a card's fills say of its tensors.
[[nodiscard]] std::vector<InputKind> inputKinds(const task::Card& card, const task::Symbols& symbols);

/// The first three rungs alone, of two graphs as they are, over the same inputs: those without a card.
[[nodiscard]] Result<std::vector<Evidence>> proveAlgebraically(const algebra::Graph& original,
                                                               const algebra::Graph& rewritten,
                                                               const std::vector<InputKind>& kinds,
                                                               const Options& options = {});
/// The verdict of evidence.
[[nodiscard]] Verdict verdictOf(const std::vector<Evidence>& rungs);

[[nodiscard]] nlohmann::json toJson(const Proof& proof);

} // namespace kernelarium::proof
