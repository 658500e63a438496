// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/target/ProblemOf.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/mugraph/target/Reading.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace kernelarium::mugraph {

namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;

Error unsupported(const std::string& what, const std::string& tensor) {
    return {"unsupported", fmt::format("The search has no operator for {} (in `{}`).", what, tensor)};
}

/// Places of all spaces, and which of them are one axis.
class Axes {
public:
    explicit Axes(const Graph& graph) {
        for (const algebra::Tensor& t : graph.tensors) {
            m_first.push_back(m_parent.size());
            const std::size_t rank = t.definition() ? algebra::spaceOf(t).size() : t.extents.size();
            m_parent.resize(m_parent.size() + rank);
        }
        std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
    }
    std::size_t of(algebra::TensorId tensor, std::size_t place) { return root(m_first[tensor] + place); }
    void join(std::size_t a, std::size_t b) { m_parent[root(a)] = root(b); }

private:
    std::size_t root(std::size_t a) {
        while (m_parent[a] != a)
            a = m_parent[a] = m_parent[m_parent[a]];
        return a;
    }
    std::vector<std::size_t> m_first, m_parent;
};

Result<void> joinReads(const Graph& graph, algebra::TensorId id, Axes& axes) {
    const algebra::Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d) return unsupported("a recurrence", t.name);
    if (!d->domain.empty()) return unsupported("a sum over a part of its points", t.name);
    if (d->combine != Combine::none && d->combine != Combine::sum && d->combine != Combine::maximum)
        return unsupported(fmt::format("the reduction {}", algebra::name(d->combine)), t.name);
    for (const algebra::Read& r : d->reads) {
        const algebra::Extents& extents = graph.at(r.source).extents;
        if (!r.constraints.empty()) return unsupported("a read of a part of a tensor", t.name);
        for (std::size_t k = 0; k < r.map.size(); ++k) {
            if (extents[k] == 1) continue;
            if (!r.map[k].isAxis()) return unsupported("an index that is not one axis", t.name);
            const auto axis = std::size_t(r.map[k].terms[0].axis);
            if (algebra::spaceOf(t)[axis] != extents[k]) return unsupported("a slice", t.name);
            axes.join(axes.of(id, axis), axes.of(r.source, k));
        }
    }
    return {};
}

/// Everything but the literals' numbers.
Result<Problem> structureOf(const task::Card& card, const task::Symbols& symbols, std::vector<double>& literals) {
    Result<Graph> lowered = algebra::lower(card, symbols);
    if (!lowered) return lowered.error();
    Problem p;
    p.name = card.name;
    p.graph = algebra::pruned(*lowered);
    const Graph& graph = p.graph;
    if (graph.outputs.size() != 1) return unsupported("several outputs", card.name);
    Axes axes(graph);
    for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id)
        if (!graph.at(id).input())
            if (Result<void> r = joinReads(graph, id, axes); !r) return r.error();
    std::map<std::size_t, int> numbers;
    for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id) {
        const algebra::Tensor& t = graph.at(id);
        const algebra::Extents space = t.definition() ? algebra::spaceOf(t) : t.extents;
        std::vector<int>& own = p.axesOf.emplace_back();
        for (std::size_t a = 0; a < space.size(); ++a) {
            if (space[a] == 1) {
                own.push_back(-1);
                continue;
            }
            const auto [at, isNew] = numbers.emplace(axes.of(id, a), int(numbers.size()));
            if (isNew) {
                p.extents.push_back(space[a]);
                p.axisNames.push_back(fmt::format("{}.{}", t.name, a));
            }
            if (std::find(own.begin(), own.end(), at->second) != own.end())
                return unsupported("a tensor that has one axis twice", t.name);
            own.push_back(at->second);
        }
        if (t.input() && t.input()->cardTensor != algebra::Input::drawn)
            p.inputs.push_back({t.name, t.input()->cardTensor, t.extents, own, t.dtype});
        else if (t.input())
            return unsupported("numbers that an operator draws itself", t.name);
    }
    if (numbers.size() > std::size_t(mostAxes)) return unsupported("so many axes", card.name);
    const algebra::TensorId out = graph.outputs.front();
    if (graph.at(out).input()) return unsupported("an output that is an input", card.name);
    const algebra::Tensor& t = graph.at(out);
    p.output = {t.name,
                0,
                t.extents,
                {p.axesOf[out].begin(), p.axesOf[out].begin() + std::ptrdiff_t(t.extents.size())},
                t.dtype};
    Result<std::vector<double>> values = readFormulas(p);
    if (!values) return values.error();
    literals = *std::move(values);
    return p;
}

/// Literals that are equal at every size are one.
std::vector<int> numbersOf(const std::vector<std::vector<double>>& bySize) {
    std::vector<int> numbers;
    std::map<std::vector<double>, int> known;
    for (std::size_t i = 0; i < bySize.front().size(); ++i) {
        std::vector<double> key;
        for (const std::vector<double>& values : bySize)
            key.push_back(values[i]);
        numbers.push_back(known.emplace(key, int(known.size())).first->second);
    }
    return numbers;
}

} // namespace

Result<Problem> problemOf(const task::Card& card, const task::Symbols& symbols) {
    std::vector<double> own;
    Result<Problem> problem = structureOf(card, symbols, own);
    if (!problem) return problem.error();
    Problem& p = *problem;
    std::vector<std::vector<double>> bySize;
    for (const auto& [name, values] : card.sizes) {
        std::vector<double> there;
        const Result<Problem> other = structureOf(card, values, there);
        // At a size where an axis has the extent 1 the formulas are others; it says nothing of the literals.
        if (other && other->axesOf == p.axesOf && there.size() == own.size()) bySize.push_back(there);
    }
    bySize.push_back(own);
    p.literals = numbersOf(bySize);
    p.constants.assign(std::set<int>(p.literals.begin(), p.literals.end()).size(), 0);
    for (std::size_t i = 0; i < own.size(); ++i)
        p.constants[std::size_t(p.literals[i])] = own[i];
    const auto renumbered = [&](const std::set<int>& numbers) {
        std::set<int> result;
        for (int n : numbers)
            result.insert(p.literals[std::size_t(n)]);
        return result;
    };
    p.closure.scales = renumbered(p.closure.scales);
    p.closure.offsets = renumbered(p.closure.offsets);
    std::vector<OpaqueFunction> functions;
    for (OpaqueFunction f : p.functions) {
        for (int& c : f.constants)
            c = p.literals[std::size_t(c)];
        if (std::find(functions.begin(), functions.end(), f) == functions.end()) functions.push_back(std::move(f));
    }
    p.functions = std::move(functions);
    return problem;
}

} // namespace kernelarium::mugraph
