// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowStages.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;
using algebra::Graph;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;

namespace {

class StageFinder {
public:
    StageFinder(const Each<Graph>& graph, const Graph& full, const RowGroup& group)
        : m_each(graph)
        , m_full(full)
        , m_group(group) {}

    std::vector<RowStage> run() {
        std::vector<RowStage> stages;
        std::map<TensorId, std::size_t> stageOf;
        std::map<TensorId, std::vector<bool>> dependents; ///< of a reduction, by tensor
        for (const TensorId id : m_group.reductions) {
            std::size_t stage = 0;
            for (const auto& [other, its] : stageOf)
                if (dependents.at(other)[id]) stage = std::max(stage, its + 1);
            const auto mean = stage > 0 ? aboutMean(id) : std::nullopt;
            if (mean && stageOf.at(*mean) + 1 == stage && has(stages[stage - 1].plain, *mean)) {
                stages[--stage].about.emplace_back(id, *mean);
            } else {
                if (stages.size() <= stage) stages.resize(stage + 1);
                stages[stage].plain.push_back(id);
            }
            stageOf[id] = stage;
            dependents[id] = algebra::dependents(m_full, std::array{id});
        }
        return stages;
    }

private:
    static bool has(const std::vector<std::size_t>& list, TensorId id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    }
    [[nodiscard]] const Definition& definition(TensorId id) const { return *m_full.tensors[id].definition(); }

    /// The mean m of sum (x - m)^2, where m is the sum of the same x over as many.
    [[nodiscard]] std::optional<TensorId> aboutMean(TensorId id) const {
        const Definition& d = definition(id);
        if (d.combine != Combine::sum || !d.body.is(Function::square)) return std::nullopt;
        const Expression& difference = d.body.arguments[0];
        if (!difference.is(Function::sub) || !difference.arguments[0].isRead() || !difference.arguments[1].isRead())
            return std::nullopt;
        const Read& x = d.reads[difference.arguments[0].operand];
        const Read& m = d.reads[difference.arguments[1].operand];
        if (!has(m_group.reductions, m.source)) return std::nullopt;
        const Each<Tensor> mean = m_each.part([&](const Graph& g) -> const Tensor& { return g.tensors[m.source]; });
        const Terms terms = termsOf(mean);
        if (terms.factor.empty() || !terms.bodies[0].isRead()) return std::nullopt;
        for (std::size_t s = 0; s < terms.factor.size(); ++s)
            if (std::abs(terms.factor[s] * double(m_group.layout.length[s]) - 1) > 1e-9) return std::nullopt;
        const Read& same = definition(m.source).reads[terms.bodies[0].operand];
        if (same.source != x.source || !same.constraints.empty() || !x.constraints.empty()) return std::nullopt;
        return same.map == x.map ? std::optional(m.source) : std::nullopt;
    }

    Each<Graph> m_each;
    const Graph& m_full;
    const RowGroup& m_group;
};

} // namespace

std::vector<RowStage> rowStages(const Each<Graph>& graph, const Graph& full, const RowGroup& group) {
    return StageFinder(graph, full, group).run();
}

} // namespace kernelarium::kernelgen
