// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/Units.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Products of fewer multiplications than this are left to the kernels of formulas, as are those that touch an element
/// for every few of them.
constexpr double fewestTerms = 65536, leastReuse = 1.5;

class UnitFinder {
public:
    UnitFinder(const Each<Graph>& each, const Graph& full)
        : m_each(each)
        , m_full(full) {}

    std::vector<ProductUnit> run(const std::set<TensorId>& taken) {
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (taken.contains(id)) continue;
            const auto form = productOf(m_each, id);
            if (!form || !pays(id)) continue;
            ProductUnit unit;
            unit.forms.push_back(*form);
            unit.members.insert(id);
            m_units.push_back(std::move(unit));
        }
        joinAlike();
        for (ProductUnit& u : m_units) {
            addMaps(u);
            chooseStored(u);
        }
        return std::move(m_units);
    }

    void addMaps(ProductUnit& u) const {
        for (TensorId id = u.first().tensor + 1; id < m_full.tensors.size(); ++id)
            if (follows(id, u.members)) u.members.insert(id);
    }
    void chooseStored(ProductUnit& u) const {
        for (const TensorId id : u.members) {
            bool isRead = std::count(m_full.outputs.begin(), m_full.outputs.end(), id) > 0;
            for (TensorId reader = 0; reader < m_full.tensors.size() && !isRead; ++reader) {
                if (u.members.contains(reader)) continue;
                const auto sources = algebra::sourcesOf(m_full.tensors[reader]);
                isRead = std::count(sources.begin(), sources.end(), id) > 0;
            }
            if (isRead) u.stored.push_back(id);
        }
    }

private:
    [[nodiscard]] Each<Tensor> tensor(TensorId id) const {
        return m_each.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    }
    [[nodiscard]] bool pays(TensorId id) const {
        const Tensor& t = m_full.tensors[id];
        const double points = double(algebra::pointCount(algebra::spaceOf(t)));
        double touched = double(algebra::pointCount(t.extents));
        for (const TensorId s : algebra::sourcesOf(t))
            touched += double(algebra::pointCount(m_full.tensors[s].extents));
        return points >= fewestTerms && points >= leastReuse * touched;
    }
    [[nodiscard]] bool sameExtents(TensorId a, TensorId b) const {
        return std::all_of(m_each.at.begin(), m_each.at.end(),
                           [=](const Graph* g) { return g->tensors[a].extents == g->tensors[b].extents; });
    }
    [[nodiscard]] bool dependsOn(TensorId id, const std::set<TensorId>& others) const {
        if (others.empty() || id < *others.begin()) return false;
        return algebra::dependents(m_full, std::vector<TensorId>(others.begin(), others.end()))[id];
    }
    /// Whether a map reads members at its own element, and nothing else that needs a member.
    [[nodiscard]] bool follows(TensorId id, const std::set<TensorId>& members) const {
        const Definition* d = m_full.tensors[id].definition();
        if (!d || d->combine != Combine::none || !sameExtents(id, *members.begin())) return false;
        const Each<Tensor> t = tensor(id);
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        const PointText point(text, m_each, t, algebra::axisNames(t.first()), {});
        bool any = false;
        for (std::size_t k = 0; k < d->reads.size(); ++k) {
            const TensorId s = d->reads[k].source;
            if (members.contains(s)) {
                if (!point.isSameElement(k)) return false;
                any = true;
            } else if (dependsOn(s, members)) {
                return false;
            }
        }
        return any;
    }
    /// Two products of one shape, neither of which needs the other and that a map of both reads: one kernel, where
    /// tensor cores leave room for two sums.
    void joinAlike() {
        const auto isShort = [this](const ProductForm& f) {
            const auto& reads = m_full.tensors[f.tensor].definition()->reads;
            return m_full.tensors[reads[f.left].source].dtype != tensor::DType::Float32;
        };
        for (std::size_t a = 0; a < m_units.size(); ++a)
            for (std::size_t b = a + 1; b < m_units.size(); ++b) {
                const ProductForm &p = m_units[a].first(), &q = m_units[b].first();
                if (!sameExtents(p.tensor, q.tensor) || p.batch != q.batch || p.rows != q.rows ||
                    p.columns != q.columns || !isShort(p) || !isShort(q) || dependsOn(q.tensor, {p.tensor}))
                    continue;
                ProductUnit one = m_units[a], other = m_units[b];
                addMaps(one);
                addMaps(other);
                bool meet = false;
                for (TensorId id = q.tensor + 1; id < m_full.tensors.size() && !meet; ++id)
                    meet = joins(id, one.members, other.members);
                if (!meet) continue;
                m_units[a].forms.push_back(q);
                m_units[a].members.insert(q.tensor);
                m_units.erase(m_units.begin() + std::ptrdiff_t(b--));
            }
    }
    /// Whether a map needs members of both.
    [[nodiscard]] bool joins(TensorId id, std::set<TensorId> a, const std::set<TensorId>& b) const {
        const auto sources = algebra::sourcesOf(m_full.tensors[id]);
        const auto reads = [&](const std::set<TensorId>& some) {
            return std::any_of(sources.begin(), sources.end(), [&](TensorId s) { return some.contains(s); });
        };
        if (!reads(a) || !reads(b)) return false;
        a.insert(b.begin(), b.end());
        return follows(id, a);
    }

    Each<Graph> m_each;
    const Graph& m_full;
    std::vector<ProductUnit> m_units;
};

} // namespace

void addMaps(const Each<Graph>& each, ProductUnit& unit) {
    UnitFinder(each, each.first()).addMaps(unit);
}

void chooseStored(const Each<Graph>& each, ProductUnit& unit) {
    UnitFinder(each, each.first()).chooseStored(unit);
}

std::vector<ProductUnit> unitsOf(const SizedGraphs& graphs, const std::set<std::size_t>& taken) {
    return UnitFinder(graphs.each(), graphs.graphs[graphs.full]).run(taken);
}

} // namespace kernelarium::kernelgen::products
