// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/analysis/Degree.h"
#include "core/proof/analysis/Features.h"
#include "core/proof/values/Machine.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace kernelarium::proof {

namespace {

using algebra::Expression;
using algebra::Function;

bool isExponential(Function f) {
    return f == Function::exp || f == Function::elu || f == Function::selu;
}
std::size_t exponentialsIn(const Expression& e) {
    std::size_t n = e.kind == Expression::Kind::apply && isExponential(e.function) ? 1 : 0;
    for (const Expression& a : e.arguments)
        n += exponentialsIn(a);
    return n;
}
double exponentialsIn(const algebra::Graph& graph) {
    double n = 0;
    for (const algebra::Tensor& t : graph.tensors) {
        if (const algebra::Recurrence* r = t.recurrence()) n += double(r->steps) * exponentialsIn(*r->body);
        if (const algebra::Definition* d = t.definition())
            n += double(exponentialsIn(d->body)) * double(algebra::pointCount(algebra::spaceOf(t)));
    }
    return n;
}

/// A Machine's domain: which exponentials a value depends on, a bit for each.
class Dependence {
public:
    using Cell = std::vector<std::uint64_t>;
    [[nodiscard]] Cell literal(double) const { return {}; }
    [[nodiscard]] Cell number(std::int64_t) const { return {}; }
    void apply(const Expression& e, std::span<const Cell* const> arguments, Cell& out) {
        Cell all;
        for (const Cell* c : arguments)
            join(all, *c);
        if (isExponential(e.function)) {
            all.resize(std::max(all.size(), m_next / 64 + 1), 0);
            all[m_next / 64] |= std::uint64_t(1) << (m_next % 64);
            ++m_next;
        }
        note(all);
        out = std::move(all);
    }
    void combine(algebra::Combine, Cell& running, const Cell& next) {
        join(running, next);
        note(running);
    }
    void place(bool, Cell& best, Cell& where, const Cell& next, const Cell&) {
        join(best, next);
        where = best;
    }
    [[nodiscard]] std::size_t most() const { return m_most; }

private:
    static void join(Cell& a, const Cell& b) {
        if (a.size() < b.size()) a.resize(b.size(), 0);
        for (std::size_t i = 0; i < b.size(); ++i)
            a[i] |= b[i];
    }
    void note(const Cell& c) {
        std::size_t n = 0;
        for (std::uint64_t w : c)
            n += std::size_t(std::popcount(w));
        m_most = std::max(m_most, n);
    }
    std::size_t m_next = 0, m_most = 0;
};

} // namespace

std::size_t exponentialsOf(const algebra::Graph& graph, std::stop_token stop) {
    constexpr double mostCounted = 2048;
    const double all = exponentialsIn(graph);
    if (all == 0 || all > mostCounted) return std::size_t(all);
    Dependence domain;
    Machine<Dependence> machine(domain, std::move(stop));
    (void)machine.run(graph, [&](algebra::TensorId id) {
        const std::int64_t known = graph.at(id).input() ? algebra::pointCount(graph.at(id).extents) : 0;
        return std::vector<Dependence::Cell>(std::size_t(known));
    });
    return domain.most();
}

} // namespace kernelarium::proof
