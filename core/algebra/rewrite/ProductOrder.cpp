// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a product of several operands is summed: dynamic programming over their subsets.
#include "core/algebra/rewrite/Contraction.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

constexpr std::size_t mostOperands = 5;

class Order {
public:
    Order(const Contraction& c, TensorId firstId, std::string name, tensor::DType dtype)
        : m_c(c)
        , m_space(c.space())
        , m_firstId(firstId)
        , m_name(std::move(name))
        , m_dtype(dtype) {
        for (const Read& r : c.reads) {
            std::set<int> axes;
            for (const Index& i : r.map)
                for (const Term& t : i.terms)
                    axes.insert(t.axis);
            m_axes.push_back(std::move(axes));
        }
        for (const Constraint& k : c.domain)
            for (const Term& t : k.terms)
                m_tied.insert(t.axis);
        const std::size_t subsets = std::size_t(1) << c.reads.size();
        m_cost.assign(subsets, std::numeric_limits<double>::infinity());
        m_split.assign(subsets, 0);
        for (std::size_t s = 1; s < subsets; ++s)
            plan(s);
    }

    Steps run() {
        const std::size_t all = m_cost.size() - 1;
        if (m_c.reads.size() < 2 || m_c.reads.size() > mostOperands) {
            m_steps.last = m_c;
            return std::move(m_steps);
        }
        const std::size_t half = m_split[all];
        std::vector<Read> reads{operandOf(half), operandOf(all ^ half)};
        Contraction& last = m_steps.last;
        last.out = m_c.out;
        last.factor = m_c.factor;
        std::vector<int> place(m_space.size(), 0);
        for (int a = 0; a < int(m_c.out.size()); ++a)
            place[std::size_t(a)] = a;
        std::set<int> used = m_tied;
        for (const Read& r : reads)
            for (const Index& i : r.map)
                for (const Term& t : i.terms)
                    used.insert(t.axis);
        for (int a : used) {
            if (a < int(m_c.out.size())) continue;
            place[std::size_t(a)] = int(last.out.size() + last.reduction.size());
            last.reduction.push_back(m_space[std::size_t(a)]);
        }
        for (int a = int(m_c.out.size()); a < int(m_space.size()); ++a) // an axis that nothing reads counts its points
            if (!used.contains(a) && !m_summed.contains(a)) last.factor *= double(m_space[std::size_t(a)]);
        for (Read& r : reads) {
            for (Index& i : r.map)
                i = renumbered(std::move(i), place);
            last.reads.push_back(std::move(r));
        }
        for (const Constraint& k : m_c.domain)
            last.domain.push_back(renumbered(k, place));
        return std::move(m_steps);
    }

private:
    [[nodiscard]] std::set<int> axesOf(std::size_t subset) const {
        std::set<int> axes;
        for (std::size_t i = 0; i < m_axes.size(); ++i)
            if (subset >> i & 1) axes.insert(m_axes[i].begin(), m_axes[i].end());
        return axes;
    }
    /// Axes of the subset's product that somebody else needs.
    [[nodiscard]] std::set<int> keptOf(std::size_t subset) const {
        std::set<int> kept = axesOf(subset);
        const std::set<int> others = axesOf((m_cost.size() - 1) ^ subset);
        std::erase_if(kept,
                      [&](int a) { return a >= int(m_c.out.size()) && !others.contains(a) && !m_tied.contains(a); });
        return kept;
    }
    [[nodiscard]] double pointsOf(const std::set<int>& axes) const {
        double n = 1;
        for (int a : axes)
            n *= double(m_space[std::size_t(a)]);
        return n;
    }
    void plan(std::size_t s) {
        if ((s & (s - 1)) == 0) {
            const std::set<int> axes = axesOf(s);
            m_cost[s] = keptOf(s).size() < axes.size() ? pointsOf(axes) : 0;
            return;
        }
        for (std::size_t half = (s - 1) & s; half > 0; half = (half - 1) & s) {
            if (half < (s ^ half)) continue;
            std::set<int> axes = keptOf(half);
            axes.merge(keptOf(s ^ half));
            const double cost = m_cost[half] + m_cost[s ^ half] + 2 * pointsOf(axes);
            if (cost < m_cost[s]) m_cost[s] = cost, m_split[s] = half;
        }
    }

    /// A read, over the whole space's axes, of the subset's product: an operand itself, or a tensor made for it.
    Read operandOf(std::size_t s) {
        const std::set<int> kept = keptOf(s), axes = axesOf(s);
        std::vector<Read> reads;
        if ((s & (s - 1)) == 0) {
            for (std::size_t i = 0; i < m_c.reads.size(); ++i)
                if (s >> i & 1) reads.push_back(m_c.reads[i]);
            if (kept.size() == axes.size()) return reads[0];
        } else
            reads = {operandOf(m_split[s]), operandOf(s ^ m_split[s])};
        Contraction part;
        std::vector<int> place(m_space.size(), 0);
        for (int a : kept) {
            place[std::size_t(a)] = int(part.out.size());
            part.out.push_back(m_space[std::size_t(a)]);
        }
        std::set<int> used;
        for (const Read& r : reads)
            for (const Index& i : r.map)
                for (const Term& t : i.terms)
                    used.insert(t.axis);
        for (int a : used) {
            if (kept.contains(a)) continue;
            place[std::size_t(a)] = int(part.out.size() + part.reduction.size());
            part.reduction.push_back(m_space[std::size_t(a)]);
            m_summed.insert(a);
        }
        for (Read& r : reads)
            for (Index& i : r.map)
                i = renumbered(std::move(i), place);
        part.reads = std::move(reads);
        Read out;
        out.source = m_firstId + m_steps.added.size();
        for (int a : kept)
            out.map.push_back(Index::axis(a));
        m_steps.added.push_back(
            {fmt::format("{}.part{}", m_name, m_steps.added.size() + 1), part.out, m_dtype, definitionOf(part)});
        return out;
    }

    const Contraction& m_c;
    Extents m_space;
    TensorId m_firstId;
    std::string m_name;
    tensor::DType m_dtype;
    std::vector<std::set<int>> m_axes;
    std::set<int> m_tied, m_summed;
    std::vector<double> m_cost;
    std::vector<std::size_t> m_split;
    Steps m_steps;
};

} // namespace

Steps inBestOrder(const Contraction& contraction, TensorId firstId, const std::string& name, tensor::DType dtype) {
    if (contraction.reads.size() < 2 || contraction.reads.size() > mostOperands) return {{}, contraction};
    return Order(contraction, firstId, name, dtype).run();
}

} // namespace kernelarium::algebra
