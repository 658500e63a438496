// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Walk.h"

#include "core/mugraph/target/Reading.h"

#include <algorithm>

namespace kernelarium::mugraph {

Ground::Ground(const Problem& task, const Limits& searchLimits, const perf::DeviceSpec& device)
    : problem(task)
    , limits(searchLimits)
    , model(problem, device)
    , target(targetTerm(terms, problem))
    , facts(terms, problem, target)
    , output(problem.output.axisSet()) {}

std::vector<Roles> Ground::roles() const {
    std::vector<int> axes{-1};
    for (int axis = 0; axis < int(problem.extents.size()); ++axis)
        if (problem.summed() & ~output & axisBit(axis)) axes.push_back(axis);
    std::vector<Roles> all;
    for (const int loop : axes)
        for (const int split : axes)
            all.push_back({loop, split});
    return all;
}

Walk::Walk(Ground& ground, const Roles& roles)
    : m_ground(ground)
    , m_roles(roles)
    , m_inputs(ground.problem.inputs.size())
    , m_size(m_inputs)
    , m_limit(std::size_t(ground.limits.operators)) {
    for (std::size_t k = 0; k < m_inputs; ++k) {
        m_tiles[k] = loaded(ground.problem, roles, k);
        m_terms[k] = ground.terms.variable(std::uint32_t(k));
    }
}

MuGraph Walk::graph() const {
    return {m_roles, {m_steps.begin() + std::ptrdiff_t(m_inputs), m_steps.begin() + std::ptrdiff_t(m_size)}};
}

bool Walk::isComplete() const {
    if (m_size == m_inputs) return false;
    const Tile& last = m_tiles[m_size - 1];
    if (m_terms[m_size - 1] != m_ground.target || last.axes != m_ground.output || last.looped || last.partial)
        return false;
    return std::all_of(m_uses.begin(), m_uses.begin() + std::ptrdiff_t(m_size - 1), [](auto uses) { return uses > 0; });
}

/// Every step that may come next by the canonical order and the closure, in the order of its operands.
template <class Take> void Walk::eachStep(Take&& take) const {
    const Closure& closure = m_ground.problem.closure;
    const Step last = m_size > m_inputs ? m_steps[m_size - 1] : Step{};
    const bool isFirst = m_size == m_inputs;
    const auto offer = [&](const Step& step) {
        if (isFirst || last < step) take(step);
    };
    for (std::size_t i = last.a; i < m_size; ++i) {
        const auto a = std::uint8_t(i);
        for (std::uint8_t b = 0; b <= a; ++b) {
            const AxisSet common = b == a ? 0 : m_tiles[a].axes & m_tiles[b].axes & closure.products;
            for (AxisSet axes = common; axes != 0; axes = (axes - 1) & common)
                offer({a, b, Operator::product, false, axes});
            if (closure.multiply && !(closure.square && a == b)) offer({a, b, Operator::multiply});
            if (closure.add) offer({a, b, Operator::add});
            if (a == b) continue;
            for (const bool turned : {false, true}) {
                if (closure.subtract) offer({a, b, Operator::subtract, turned});
                if (closure.divide) offer({a, b, Operator::divide, turned});
            }
        }
        if (closure.square) offer({a, Step::none, Operator::square});
        if (closure.sqrt) offer({a, Step::none, Operator::sqrt});
        if (closure.exp) offer({a, Step::none, Operator::exp});
        for (const int constant : closure.scales)
            offer({a, Step::none, Operator::scale, false, std::uint32_t(constant)});
        for (const int constant : closure.offsets)
            offer({a, Step::none, Operator::offset, false, std::uint32_t(constant)});
        for (std::size_t f = 0; f < m_ground.problem.functions.size(); ++f)
            offer({a, Step::none, Operator::apply, false, std::uint32_t(f)});
        for (AxisSet axes = m_tiles[a].axes & closure.sums; axes != 0; axes &= axes - 1)
            offer({a, Step::none, Operator::sum, false, axes & (~axes + 1)});
        if (m_tiles[a].looped) offer({a, Step::none, Operator::accumulate});
        if (m_tiles[a].partial && !m_tiles[a].looped) offer({a, Step::none, Operator::gather});
    }
}

bool Walk::isKnown(TermId term, const Tile& tile) const {
    for (std::size_t i = 0; i < m_size; ++i)
        if (m_terms[i] == term && m_tiles[i].axes == tile.axes && m_tiles[i].looped == tile.looped &&
            m_tiles[i].partial == tile.partial)
            return true;
    return false;
}

Walk::Unused Walk::unusedAfter(const Step& step, const Tile& result) const {
    Unused unused{1, result.looped, result.partial};
    for (std::size_t i = 0; i < m_size; ++i) {
        if (m_uses[i] > 0 || i == step.a || i == step.b) continue;
        ++unused.count;
        unused.looped = unused.looped || m_tiles[i].looped;
        unused.partial = unused.partial || m_tiles[i].partial;
    }
    return unused;
}

/// Each operator makes one of what is not used yet, of two at most; what is another in each step or block must be
/// brought together by one more, and what the task's term has and nothing has yet is made by one more still.
bool Walk::canFinish(const Unused& unused, const FactBook::Missing& missing) const {
    const std::size_t binary = std::max<std::size_t>(unused.count - 1, missing.division ? 1 : 0);
    const std::size_t together =
        std::size_t(unused.looped || missing.loop) + std::size_t(unused.partial || missing.split);
    return binary + together + missing.unary <= m_limit - (m_size + 1);
}

/// Whether the search goes on from the state after the step; leaves its result for push().
bool Walk::fits(const Step& step) {
    const std::span<const Tile> tiles = this->tiles();
    const std::optional<Tile> result = resultOf(m_ground.problem, tiles, step);
    if (!result) return false;
    ++m_counts.extensions;
    const Unused unused = unusedAfter(step, *result);
    if (!canFinish(unused, {})) {
        ++m_counts.unfinished;
        return false;
    }
    const TermId term = termOf(m_ground.terms, m_roles, {m_terms.data(), m_size}, step);
    const TermFacts& facts = m_ground.facts.of(term);
    if (!facts.isPart) {
        ++m_counts.expression;
        return false;
    }
    const AxisSet open = result->axes & ~m_ground.output;
    if ((open & ~facts.tile) != 0 || (result->looped && !(facts.loop & axisBit(m_roles.loop))) ||
        (result->partial && !(facts.split & axisBit(m_roles.split)))) {
        ++m_counts.reach;
        return false;
    }
    if (isKnown(term, *result)) {
        ++m_counts.redundant;
        return false;
    }
    Level level = m_levels[m_size];
    level.made |= facts.made;
    if (!canFinish(unused, m_ground.facts.missing(level.made, m_roles.loop, m_roles.split))) {
        ++m_counts.unfinished;
        return false;
    }
    const double bytes = m_ground.model.leastBytes(m_roles, m_size, *result);
    if (step.op == Operator::accumulate) {
        level.lasting += bytes;
    } else {
        double own = m_ground.model.leastBytes(m_roles, step.a, tiles[step.a]);
        if (step.b != Step::none && step.b != step.a) own += m_ground.model.leastBytes(m_roles, step.b, tiles[step.b]);
        if (step.op == Operator::product || step.op == Operator::sum) own += bytes;
        level.largest = std::max(level.largest, own);
    }
    if (level.lasting + level.largest > m_ground.model.sharedBytes()) {
        ++m_counts.memory;
        return false;
    }
    level.seconds += m_ground.model.leastSeconds(m_roles, tiles, step);
    if (level.seconds > m_ground.model.formulaSeconds()) {
        ++m_counts.bound;
        return false;
    }
    m_result = *result;
    m_term = term;
    m_level = level;
    return true;
}

void Walk::push(const Step& step) {
    m_tiles[m_size] = m_result;
    m_terms[m_size] = m_term;
    m_steps[m_size] = step;
    m_uses[m_size] = 0;
    ++m_uses[step.a];
    if (step.b != Step::none) ++m_uses[step.b];
    m_levels[++m_size] = m_level;
}

void Walk::pop() {
    const Step& step = m_steps[--m_size];
    --m_uses[step.a];
    if (step.b != Step::none) --m_uses[step.b];
}

bool Walk::enter(const Step& step) {
    bool isOffered = false;
    eachStep([&](const Step& offered) { isOffered = isOffered || offered == step; });
    if (!isOffered || m_size >= m_limit || isComplete() || !fits(step)) return false;
    push(step);
    m_counts = {};
    return true;
}

void Walk::visitAll(const Visit& visit) {
    ++m_counts.states;
    const bool complete = isComplete();
    if (!visit(*this, complete) || complete || m_size == m_limit) return;
    eachStep([&](const Step& step) {
        if (!fits(step)) return;
        push(step);
        visitAll(visit);
        pop();
    });
}

} // namespace kernelarium::mugraph
