// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/proof/Rung.h"
#include "core/task/Card.h"

#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::proof {

/// The graph that is to be shown equal to the card's, at any size: a function of the card's graph as lowered at that
/// size, or of the size alone.
using Rewriting = std::function<Result<algebra::Graph>(const algebra::Graph& lowered, const task::Symbols& symbols)>;

struct Options {
    std::uint64_t seed = 1;
    std::size_t draws = 64; ///< of the rungs field, keyed and ordered; more where the theorem about exponentials asks
    std::size_t mostDraws = 256;   ///< of the rung field
    double largestError = 1e-9;    ///< that the rung field aims at
    double float64Distance = 1e-9; ///< largest difference over the largest value
    /// Points of formulas (algebra::evaluationWork) that one rung may visit: of draws together, and of float64 at one
    /// size. What needs more does fewer draws, or leaves the size out, and says so.
    double mostFieldWork = 1e7;
    double mostFloat64Work = 1e7;
    /// Names of the rewritten graph's tensors that will be kept in memory in their type; empty: all that have no
    /// counterpart of the same name in the card's graph, or one that stays in range there.
    std::set<std::string> stored;
    std::stop_token stop;
};

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
    std::vector<Evidence> rungs; ///< in their order, up to the one that failed
    task::Symbols tinySize;      ///< that the first three were taken at

    [[nodiscard]] const Evidence* find(Rung rung) const;
    [[nodiscard]] const Evidence* failed() const; ///< the rung that did; null if none
    [[nodiscard]] std::string summary() const;    ///< one sentence
    double seconds = 0;
};

/// Climbs the rungs in order and stops at the first that fails. Errors: "unsupported" (the card has no formulas),
/// "bad_graph" (a graph is unsound, or the two have other inputs or outputs), "cancelled", and what `rewriting` gives.
[[nodiscard]] Result<Proof> prove(const task::Card& card, const Rewriting& rewriting, const Options& options = {});

/// How an input's elements may be drawn, by Input::cardTensor.
struct InputKind {
    enum class Kind {
        free,     ///< any number
        positive, ///< as a real number; any element of a field
        integers, ///< whole numbers from low to high
        signs,    ///< -1 or 1
    };
    Kind kind = Kind::free;
    std::int64_t low = 0, high = 0;
};
/// What a card's fills say of its tensors.
[[nodiscard]] std::vector<InputKind> inputKinds(const task::Card& card, const task::Symbols& symbols);

/// The first three rungs alone, of two graphs as they are, over the same inputs: those without a card.
[[nodiscard]] Result<std::vector<Evidence>> proveAlgebraically(const algebra::Graph& original,
                                                               const algebra::Graph& rewritten,
                                                               const std::vector<InputKind>& kinds,
                                                               const Options& options = {});
/// The verdict of evidence.
[[nodiscard]] Verdict verdictOf(const std::vector<Evidence>& rungs);

[[nodiscard]] nlohmann::json toJson(const Evidence& evidence);
[[nodiscard]] nlohmann::json toJson(const Proof& proof);

} // namespace kernelarium::proof
