// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Plan.h"

#include <algorithm>

namespace kernelarium::kernelgen::graphs {

using mugraph::Operator;
using mugraph::Step;

ProductShape shapeOf(const Subject& s, std::size_t tensor) {
    const Step& step = s.step(tensor);
    const mugraph::AxisSet a = s.tiles[step.a].axes, b = s.tiles[step.b].axes, terms = step.parameter;
    ProductShape shape{step.a, step.b, listed(a & b & ~terms), listed(a & ~b), listed(b & ~a), listed(terms)};
    const auto points = [&](const std::vector<int>& axes) {
        std::int64_t count = 1;
        for (const int axis : axes)
            count *= s.sizes.tile[std::size_t(axis)];
        return count;
    };
    // A tensor core takes 16 rows and 8 columns: where one side has few, it is the columns.
    if (points(shape.rows) < points(shape.columns)) {
        std::swap(shape.left, shape.right);
        std::swap(shape.rows, shape.columns);
    }
    return shape;
}

Plan::Plan(const Subject& subject)
    : m_s(subject) {
    chooseShared();
    build();
}

Phase Plan::phaseOf(std::size_t tensor) const {
    const mugraph::Tile& t = m_s.tiles[tensor];
    return t.gathered ? Phase::second : t.accumulated ? Phase::after : t.looped ? Phase::during : Phase::before;
}

std::vector<std::size_t> Plan::consumers(std::size_t tensor) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < m_s.graph.steps.size(); ++i)
        if (m_s.graph.steps[i].a == tensor || m_s.graph.steps[i].b == tensor) all.push_back(m_s.inputs() + i);
    return all;
}

/// One operator on what lies in memory: written twice rather than kept.
bool Plan::isSimple(std::size_t tensor) const {
    const Step& step = m_s.step(tensor);
    const auto lies = [&](std::size_t k) { return m_s.isInput(k) || !isPointwise(m_s.step(k).op); };
    switch (step.op) {
    case Operator::exp:
    case Operator::sqrt:
    case Operator::divide:
    case Operator::apply: return false;
    default: return lies(step.a) && (step.b == Step::none || lies(step.b));
    }
}

/// The product that alone makes a pointwise result, by operators of one reader each and over the same axes.
std::optional<std::size_t> Plan::productBehind(std::size_t tensor) const {
    std::size_t at = tensor;
    for (;;) {
        const Step& step = m_s.step(at);
        std::optional<std::size_t> next;
        for (const std::size_t k : {std::size_t(step.a), std::size_t(step.b)}) {
            if (k == Step::none || m_s.isInput(k) || m_s.tiles[k].axes != m_s.tiles[tensor].axes) continue;
            const Operator op = m_s.step(k).op;
            if (consumers(k).size() != 1 || phaseOf(k) != phaseOf(tensor) || m_shared.contains(k)) continue;
            if (op == Operator::product || (isPointwise(op) && !next)) next = k;
            if (op == Operator::product) break;
        }
        if (!next || (step.a == step.b && step.b != Step::none)) return std::nullopt;
        if (m_s.step(*next).op == Operator::product) return next;
        at = *next;
    }
}

void Plan::chooseShared() {
    for (std::size_t i = 0; i < m_s.tiles.size(); ++i) {
        const std::vector<std::size_t> readers = consumers(i);
        const bool isFactor = std::any_of(readers.begin(), readers.end(),
                                          [&](std::size_t r) { return m_s.step(r).op == Operator::product; });
        const bool isLast = i + 1 == m_s.tiles.size();
        for (const std::size_t r : readers) {
            const bool leaves = m_s.step(r).op == Operator::gather ||
                                (m_s.tiles[r].gathered && !m_s.tiles[i].gathered && !m_s.isInput(i));
            if (leaves) m_passed.insert(i);
        }
        if (m_s.isInput(i)) {
            if (isFactor || readers.size() > 1) m_shared.insert(i);
            continue;
        }
        const Operator op = m_s.step(i).op;
        if (op == Operator::accumulate) {
            const std::size_t from = m_s.step(i).a;
            if (!m_s.isInput(from) && m_s.step(from).op == Operator::product && consumers(from).size() == 1)
                m_registers.insert(i);
            m_shared.insert(i);
        } else if (!isPointwise(op)) {
            const bool isAdded = readers.size() == 1 && m_s.step(readers[0]).op == Operator::accumulate;
            if (!isAdded || isLast) m_shared.insert(i);
        } else if (isFactor || (readers.size() > 1 && !isSimple(i))) {
            m_shared.insert(i);
        }
    }
    // A product that is read by one pointwise result alone is turned into that in registers.
    for (const std::size_t i : std::set<std::size_t>(m_shared)) {
        if (m_s.isInput(i) || !isPointwise(m_s.step(i).op)) continue;
        std::set<std::size_t> held;
        for (std::size_t k = 0; k < m_s.tiles.size(); ++k)
            if (!m_s.isInput(k) && m_s.step(k).op == Operator::product && m_shared.erase(k) > 0) held.insert(k);
        const auto product = productBehind(i);
        m_shared.insert(held.begin(), held.end());
        if (!product || !held.contains(*product) || m_passed.contains(*product)) continue;
        m_shared.erase(*product);
        m_fused[*product] = i;
    }
}

bool Plan::isLeaf(std::size_t tensor, Phase reader) const {
    if (m_s.isInput(tensor)) return true;
    if (reader == Phase::second && !m_s.tiles[tensor].gathered) return true; // it was passed
    return m_shared.contains(tensor);
}

bool Plan::isLoading(const Action& action) const {
    return action.kind == Action::Kind::elements && action.phase == Phase::second && m_again.contains(action.made);
}

void Plan::collect(std::size_t tensor, Phase reader, std::set<std::size_t>& into) const {
    if (isLeaf(tensor, reader)) {
        into.insert(tensor);
        return;
    }
    const Step& step = m_s.step(tensor);
    if (!isPointwise(step.op)) return; // in a register of the same function
    collect(step.a, reader, into);
    if (step.b != Step::none) collect(step.b, reader, into);
}

std::vector<std::size_t> Plan::leaves(const Action& action) const {
    std::set<std::size_t> all;
    const auto operands = [&](std::size_t tensor) {
        const Step& step = m_s.step(tensor);
        collect(step.a, action.phase, all);
        if (step.b != Step::none) collect(step.b, action.phase, all);
    };
    switch (action.kind) {
    case Action::Kind::load:
    case Action::Kind::gather:
    case Action::Kind::keep: break;
    case Action::Kind::product:
        operands(action.product);
        if (action.value != action.product) operands(action.value);
        break;
    case Action::Kind::sum: operands(action.value); break;
    case Action::Kind::elements:
        if (m_s.isInput(action.value) || action.isAdded || isLoading(action))
            collect(action.value, action.phase, all);
        else
            operands(action.value);
        break;
    case Action::Kind::pass:
    case Action::Kind::store: collect(action.value, action.phase, all); break;
    }
    return {all.begin(), all.end()};
}

void Plan::build() {
    const auto add = [&](Phase phase, Action action) {
        action.phase = phase;
        (phase == Phase::second ? m_second : m_first).push_back(action);
    };
    const auto make = [&](std::size_t i) {
        if (m_s.isInput(i)) {
            if (m_shared.contains(i)) add(phaseOf(i), {Action::Kind::load, {}, i, i, 0, false});
            return;
        }
        const Step& step = m_s.step(i);
        const Phase phase = phaseOf(i);
        if (step.op == Operator::accumulate) {
            const bool isProduct = m_registers.contains(i);
            const std::size_t from = step.a;
            const bool isSum = !m_s.isInput(from) && m_s.step(from).op == Operator::sum && !m_shared.contains(from);
            const auto kind = isProduct ? Action::Kind::product : isSum ? Action::Kind::sum : Action::Kind::elements;
            add(Phase::during, {kind, {}, i, from, from, true});
        } else if (step.op == Operator::gather) {
            add(phase, {Action::Kind::gather, {}, i, i, 0, false});
        } else if (step.op == Operator::product) {
            if (m_shared.contains(i)) add(phase, {Action::Kind::product, {}, i, i, i, false});
        } else if (m_shared.contains(i)) {
            const auto fused =
                std::find_if(m_fused.begin(), m_fused.end(), [&](const auto& f) { return f.second == i; });
            if (fused != m_fused.end())
                add(phase, {Action::Kind::product, {}, i, i, fused->first, false});
            else
                add(phase, {step.op == Operator::sum ? Action::Kind::sum : Action::Kind::elements, {}, i, i, 0, false});
        }
    };
    for (std::size_t i = 0; i < m_s.tiles.size(); ++i)
        make(i);
    for (const std::size_t i : m_registers)
        add(Phase::after, {Action::Kind::keep, {}, i, i, i, false});
    for (const std::size_t i : m_passed)
        add(Phase::after, {Action::Kind::pass, {}, i, i, 0, false});
    const std::size_t last = m_s.tiles.size() - 1;
    add(m_s.tiles[last].gathered ? Phase::second : Phase::after, {Action::Kind::store, {}, last, last, 0, false});
    // Registers are emptied first, and what leaves the block does so last.
    std::stable_sort(m_first.begin(), m_first.end(), [](const Action& a, const Action& b) {
        const auto late = [](const Action& x) {
            return x.kind == Action::Kind::keep ? -1 : x.kind == Action::Kind::pass || x.kind == Action::Kind::store;
        };
        return a.phase != b.phase ? a.phase < b.phase : late(a) < late(b);
    });
    if (m_second.empty()) return;
    for (const Action& action : m_second)
        if (action.kind == Action::Kind::product)
            for (const std::size_t k :
                 {std::size_t(m_s.step(action.product).a), std::size_t(m_s.step(action.product).b)})
                if (!m_s.isInput(k) && !m_s.tiles[k].gathered) m_again.insert(k);
    // The second launch loads what it reads more than once of the inputs itself.
    std::set<std::size_t> read;
    for (const Action& action : m_second)
        for (const std::size_t leaf : leaves(action))
            read.insert(leaf);
    std::vector<Action> loads;
    for (const std::size_t leaf : read)
        if (m_s.isInput(leaf) && m_shared.contains(leaf))
            loads.push_back({Action::Kind::load, Phase::second, leaf, leaf, 0, false});
    for (const std::size_t again : m_again)
        loads.push_back({Action::Kind::elements, Phase::second, again, again, 0, false});
    m_second.insert(m_second.begin(), loads.begin(), loads.end());
}

bool Plan::isReadInPlace(const Action& action, std::size_t tensor) const {
    if (action.phase != Phase::second || m_s.isInput(tensor) || m_s.tiles[tensor].gathered) return false;
    return !m_again.contains(tensor) || (action.kind == Action::Kind::elements && action.made == tensor);
}

Plan::Span Plan::spanOf(std::size_t tensor) const {
    if (m_registers.contains(tensor)) return Span::after;
    if (!m_s.isInput(tensor) && m_s.step(tensor).op == Operator::accumulate) return Span::always;
    switch (phaseOf(tensor)) {
    case Phase::before: return Span::always;
    case Phase::during: return Span::loop;
    case Phase::after: return Span::after;
    case Phase::second: break;
    }
    return Span::second;
}

std::int64_t Plan::tileBytes(std::size_t tensor) const {
    const std::int64_t each =
        m_s.isInput(tensor) ? std::int64_t(tensor::byteSize(m_s.problem.inputs[tensor].dtype)) : 4;
    const std::vector<int> axes = m_s.axesOf(tensor);
    std::int64_t lines = 1, line = 1;
    for (std::size_t k = 0; k < axes.size(); ++k)
        (k + 1 == axes.size() ? line : lines) *= m_s.sizes.tile[std::size_t(axes[k])];
    if (axes.size() > 1) line += 16 / each;
    return (lines * line * each + 15) / 16 * 16;
}

std::int64_t Plan::sharedBytes(bool isSecond) const {
    std::int64_t always = 0, loop = 0, after = 0, second = 0;
    for (const std::size_t tensor : m_shared) {
        const std::int64_t bytes = tileBytes(tensor);
        switch (spanOf(tensor)) {
        case Span::always: always += bytes; break;
        case Span::loop: loop += bytes * (m_s.isInput(tensor) ? m_s.sizes.stages : 1); break;
        case Span::after: after += bytes; break;
        case Span::second: second += bytes; break;
        }
    }
    if (isSecond) {
        for (const Action& action : m_second)
            if (action.kind == Action::Kind::load || isLoading(action)) second += tileBytes(action.made);
        return second;
    }
    return always + std::max(loop, after);
}

} // namespace kernelarium::kernelgen::graphs
