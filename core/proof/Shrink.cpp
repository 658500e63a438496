// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/Shrink.h"

#include "core/algebra/graph/Interpreter.h"
#include "core/algebra/lowering/Lowering.h"

#include <algorithm>
#include <optional>

namespace kernelarium::proof {

namespace {

/// Whether it has the same formulas as before, over extents that are not too small to tell one index from another.
bool saysTheSame(const algebra::Graph& tiny, const algebra::Graph& before) {
    if (tiny.tensors.size() != before.tensors.size()) return false;
    for (algebra::TensorId id = 0; id < tiny.tensors.size(); ++id) {
        const algebra::Tensor &t = tiny.at(id), &b = before.at(id);
        if (t.name != b.name || t.extents.size() != b.extents.size() || t.origin.index() != b.origin.index())
            return false;
        for (std::size_t a = 0; a < t.extents.size(); ++a)
            if (t.extents[a] < std::min<std::int64_t>(b.extents[a], t.input() && a > 1 ? 3 : 2)) return false;
    }
    return true;
}

} // namespace

Result<task::Symbols> tinySize(const task::Card& card) {
    std::optional<algebra::Graph> base;
    task::Symbols symbols;
    std::optional<Error> failure;
    for (const auto& [name, values] : card.sizes) {
        if (name == "full" && card.sizes.size() > 1) continue;
        Result<algebra::Graph> graph = algebra::lower(card, values);
        if (!graph) {
            failure = graph.error();
        } else if (!base || algebra::evaluationWork(*graph) < algebra::evaluationWork(*base)) {
            base = *std::move(graph);
            symbols = values;
        }
    }
    if (!base) return failure.value_or(Error{"bad_card", "The card has no sizes."});
    constexpr std::int64_t values[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 24, 28, 32, 48, 64, 96, 128};
    std::vector<std::int64_t> taken;
    for (auto& [symbol, value] : symbols) {
        const std::int64_t before = value;
        for (std::int64_t tried : values) {
            if (tried >= before) break;
            if (std::find(taken.begin(), taken.end(), tried) != taken.end()) continue;
            value = tried;
            const Result<algebra::Graph> graph = algebra::lower(card, symbols);
            if (graph && saysTheSame(*graph, *base)) break;
            value = before;
        }
        taken.push_back(value);
    }
    return symbols;
}

} // namespace kernelarium::proof
