// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/proof/Proof.h"
#include "core/task/Card.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::proof::test {

/// A wrong rewrite and the right one that it was meant to be, of a card. Graphs are nodes as a card writes them, over
/// the card's tensors; the last node is the output.
struct Planted {
    std::string name;
    std::string card; ///< "2/50"; "own:attention", a text of ours; "shared:001_mirage_gqa.json"
    Rung refusedBy = Rung::field;
    std::string original; ///< empty: the card's own
    std::string right;
    std::string wrong; ///< empty: `spoil` makes it from the right one
    std::function<void(algebra::Graph&)> spoil = {};
};

std::vector<Planted> plantedPointwise();  ///< limits, signs, orders
std::vector<Planted> plantedWindows();    ///< convolutions and pooling
std::vector<Planted> plantedReductions(); ///< norms, losses, products
std::vector<Planted> plantedAttention();
std::vector<Planted> plantedMirage(); ///< of the six cards that are not part of the sources

/// The card with its nodes replaced. Nothing where the card is not there (`shared:`).
std::optional<task::Card> cardOf(const std::string& source);
task::Card withNodes(const task::Card& card, const std::string& nodes);
/// Lowers what the nodes say, at any size, and spoils it.
Rewriting rewritingTo(const task::Card& card, const std::string& nodes,
                      std::function<void(algebra::Graph&)> spoil = {});
/// The tensor of this name.
algebra::Tensor& named(algebra::Graph& graph, const std::string& name);

} // namespace kernelarium::proof::test
