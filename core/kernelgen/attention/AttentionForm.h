// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/Units.h"

#include <optional>
#include <set>
#include <vector>

namespace kernelarium::kernelgen::attention {

/// softmax over keys of a product of queries and keys, times the values: what one kernel does without storing a score.
struct AttentionUnit {
    products::ProductUnit logits;  ///< the scores' product and the maps up to what softmax is taken of
    products::ProductUnit output;  ///< the product with the values and the maps after it
    std::size_t share = 0;         ///< the softmax: e^(logit - maximum) / sum
    std::size_t weight = 0;        ///< what the values are multiplied by: the share, or a map of it
    std::set<std::size_t> members; ///< all of the above and the statistics between
    /// Sums over the elements of a query or of a key's values, which the kernel makes of what it has loaded anyway, and
    /// the maps of them that are read here.
    struct Statistics {
        std::vector<std::size_t> sums, maps;
        std::vector<std::size_t> read; ///< of both, what others read
    };
    Statistics ofQueries, ofValues;
};

/// Attentions of a graph, at every size alike.
[[nodiscard]] std::vector<AttentionUnit> attentionsOf(const SizedGraphs& graphs);

/// The graph with factors of single keys (a norm of the values, say) moved from the values to the weights.
[[nodiscard]] algebra::Graph factorsAtWeights(algebra::Graph graph, std::vector<std::string>* moved = nullptr);

} // namespace kernelarium::kernelgen::attention
