// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Rule.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <iterator>
#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra {

std::string_view name(Exactness exactness) {
    switch (exactness) {
    case Exactness::reals: return "exact in the reals";
    case Exactness::floats: return "exact in floating point";
    case Exactness::drawn: return "exact for all inputs that the task draws";
    }
    return {};
}

Graph edited(Graph graph, Edit edit) {
    const std::size_t n = graph.tensors.size(), m = edit.added.size();
    std::vector<TensorId> place(n + m);
    for (TensorId id = 0; id < n; ++id)
        place[id] = id < edit.tensor ? id : id + m;
    for (std::size_t k = 0; k < m; ++k)
        place[n + k] = edit.tensor + k;
    if (m > 0) {
        std::set<std::string> names;
        for (const Tensor& t : graph.tensors)
            names.insert(t.name);
        for (Tensor& t : edit.added) {
            const std::string wanted = t.name;
            for (int k = 2; !names.insert(t.name).second; ++k)
                t.name = fmt::format("{}_{}", wanted, k);
        }
    }
    graph.tensors[edit.tensor] = std::move(edit.replacement);
    for (auto& [id, tensor] : edit.also)
        graph.tensors[id] = std::move(tensor);
    graph.tensors.insert(graph.tensors.begin() + std::ptrdiff_t(edit.tensor),
                         std::make_move_iterator(edit.added.begin()), std::make_move_iterator(edit.added.end()));
    for (Tensor& t : graph.tensors)
        moveSources(t, place);
    for (TensorId& o : graph.outputs)
        o = place[o];
    return pruned(std::move(graph), true);
}

const std::vector<Rule>& tidyingRules() {
    static const std::vector<Rule> rules{
        singleElementRule(),   copyRule(),          diagonalRule(),     constantMaskRule(),
        statedStructureRule(), maskedOperandRule(), deadElementsRule(), deadSlicesRule(),
        fusionRule(),          foldingRule(),       monotoneRule()};
    return rules;
}

const std::vector<Rule>& searchedRules() {
    static const std::vector<Rule> rules{compositionRule(), orderRule(), distributionRule(), extremumRule()};
    return rules;
}

} // namespace kernelarium::algebra
