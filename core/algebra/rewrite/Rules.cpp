// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Rule.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>
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

Graph edited(const Graph& graph, Edit edit) {
    const std::size_t n = graph.tensors.size(), m = edit.added.size();
    std::vector<TensorId> place(n + m);
    for (TensorId id = 0; id < n; ++id)
        place[id] = id < edit.tensor ? id : id + m;
    for (std::size_t k = 0; k < m; ++k)
        place[n + k] = edit.tensor + k;
    std::set<std::string> names;
    for (const Tensor& t : graph.tensors)
        names.insert(t.name);
    const auto moved = [&](Tensor t) {
        if (Definition* d = t.definition())
            for (Read& r : d->reads)
                r.source = place[r.source];
        if (auto* r = std::get_if<Recurrence>(&t.origin))
            for (auto* list : {&r->initial, &r->sequences, &r->constants})
                for (TensorId& s : *list)
                    s = place[s];
        return t;
    };
    Graph out;
    out.tensors.reserve(n + m);
    for (TensorId id = 0; id < n; ++id) {
        if (id != edit.tensor) {
            const auto other =
                std::find_if(edit.also.begin(), edit.also.end(), [id](const auto& a) { return a.first == id; });
            out.tensors.push_back(moved(other == edit.also.end() ? graph.tensors[id] : std::move(other->second)));
            continue;
        }
        for (Tensor& t : edit.added) {
            const std::string wanted = t.name;
            for (int k = 2; !names.insert(t.name).second; ++k)
                t.name = fmt::format("{}_{}", wanted, k);
            out.tensors.push_back(moved(std::move(t)));
        }
        out.tensors.push_back(moved(std::move(edit.replacement)));
    }
    for (TensorId o : graph.outputs)
        out.outputs.push_back(place[o]);
    return pruned(out, true);
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
