// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cost/Points.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernelarium::algebra {

namespace {

constexpr double mostSteps = 2e7;
constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max() / 4;

/// Whole numbers from low to high that leave `rest` by `period`.
std::int64_t countBetween(std::int64_t low, std::int64_t high, std::int64_t rest, std::int64_t period) {
    const std::int64_t first = low + ((rest - low) % period + period) % period;
    return first > high ? 0 : (high - first) / period + 1;
}

/// A condition split into what the walked axes give and the factor of the longest one.
struct Split {
    const Condition* condition;
    std::int64_t factor = 0;
};

class Component {
public:
    Component(const Extents& space, std::vector<int> axes, std::vector<const Condition*> conditions)
        : m_space(space)
        , m_axes(std::move(axes)) {
        std::sort(m_axes.begin(), m_axes.end(), [&](int a, int b) {
            return space[std::size_t(a)] != space[std::size_t(b)] ? space[std::size_t(a)] < space[std::size_t(b)]
                                                                  : a < b;
        });
        // The longest axis that is plain wherever it occurs is solved for, the others are walked.
        for (std::size_t i = m_axes.size(); i-- > 0 && m_solved < 0;) {
            const bool plain = std::all_of(conditions.begin(), conditions.end(), [&](const Condition* c) {
                return std::all_of(c->index.terms.begin(), c->index.terms.end(),
                                   [&](const Term& t) { return t.axis != m_axes[i] || t.isPlain(); });
            });
            if (!plain) continue;
            m_solved = m_axes[i];
            m_axes.erase(m_axes.begin() + std::ptrdiff_t(i));
        }
        for (const Condition* c : conditions) {
            Split s{c, 0};
            for (const Term& t : c->index.terms)
                if (t.axis == m_solved) s.factor += t.factor;
            m_splits.push_back(s);
            m_period = std::lcm(m_period, c->index.divisor);
        }
    }

    std::optional<double> count() {
        double steps = double(m_period);
        for (int a : m_axes)
            steps *= double(m_space[std::size_t(a)]);
        if (steps > mostSteps) return std::nullopt;
        m_point.assign(m_space.size(), 0);
        return walk(0);
    }

private:
    double walk(std::size_t at) {
        if (at == m_axes.size()) return solved();
        double sum = 0;
        std::int64_t& i = m_point[std::size_t(m_axes[at])];
        for (i = 0; i < m_space[std::size_t(m_axes[at])]; ++i)
            sum += walk(at + 1);
        i = 0;
        return sum;
    }

    [[nodiscard]] std::int64_t baseOf(const Index& index) const {
        std::int64_t v = index.offset;
        for (const Term& t : index.terms) {
            if (t.axis == m_solved) continue;
            std::int64_t i = m_point[std::size_t(t.axis)] / t.divisor;
            if (t.modulus > 0) i %= t.modulus;
            v += t.factor * i;
        }
        return v;
    }

    double solved() {
        std::int64_t low = 0, high = m_solved >= 0 ? m_space[std::size_t(m_solved)] - 1 : 0;
        m_bases.clear();
        for (const Split& s : m_splits) {
            const Condition& c = *s.condition;
            const std::int64_t base = baseOf(c.index);
            m_bases.push_back(base);
            // c.low * d <= base + factor * x <= c.high * d
            const std::int64_t d = c.index.divisor;
            const std::int64_t least = c.low <= -unbounded ? -unbounded : c.low * d - base;
            const std::int64_t most = c.high >= unbounded ? unbounded : c.high * d - base;
            if (s.factor == 0) {
                if (least > 0 || most < 0) return 0;
                continue;
            }
            const auto down = [](std::int64_t a, std::int64_t b) {
                return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
            };
            const std::int64_t from = s.factor > 0 ? least : most, to = s.factor > 0 ? most : least;
            if (std::abs(from) < unbounded) low = std::max(low, -down(-from, s.factor));
            if (std::abs(to) < unbounded) high = std::min(high, down(to, s.factor));
        }
        if (low > high) return 0;
        if (m_period == 1) return double(high - low + 1);
        double sum = 0;
        for (std::int64_t rest = 0; rest < m_period; ++rest) {
            bool divides = true;
            for (std::size_t i = 0; i < m_splits.size() && divides; ++i)
                divides = (m_bases[i] + m_splits[i].factor * rest) % m_splits[i].condition->index.divisor == 0;
            if (divides) sum += double(countBetween(low, high, rest, m_period));
        }
        return sum;
    }

    const Extents& m_space;
    std::vector<int> m_axes;
    int m_solved = -1;
    std::int64_t m_period = 1;
    std::vector<Split> m_splits;
    std::vector<std::int64_t> m_point, m_bases;
};

} // namespace

std::optional<double> countPoints(const Extents& space, const std::vector<Condition>& conditions) {
    std::vector<int> group(space.size());
    std::iota(group.begin(), group.end(), 0);
    const auto rootOf = [&](int a) {
        while (group[std::size_t(a)] != a)
            a = group[std::size_t(a)];
        return a;
    };
    std::vector<const Condition*> active;
    for (const Condition& c : conditions) {
        const Range range = rangeOf(c.index, space);
        if (c.index.divisor == 1 && range.low >= c.low && range.high <= c.high) continue;
        if (c.index.terms.empty()) {
            if (c.index.offset % c.index.divisor != 0 || c.index.offset / c.index.divisor < c.low ||
                c.index.offset / c.index.divisor > c.high)
                return 0;
            continue;
        }
        active.push_back(&c);
        for (const Term& t : c.index.terms)
            group[std::size_t(rootOf(t.axis))] = rootOf(c.index.terms[0].axis);
    }
    double points = 1;
    for (int root = 0; root < int(space.size()); ++root) {
        if (rootOf(root) != root) continue;
        std::vector<int> axes;
        std::vector<const Condition*> own;
        for (int a = 0; a < int(space.size()); ++a)
            if (rootOf(a) == root) axes.push_back(a);
        for (const Condition* c : active)
            if (rootOf(c->index.terms[0].axis) == root) own.push_back(c);
        if (own.empty()) {
            for (int a : axes)
                points *= double(space[std::size_t(a)]);
            continue;
        }
        const std::optional<double> n = Component(space, axes, own).count();
        if (!n) return std::nullopt;
        points *= *n;
    }
    return points;
}

std::vector<Condition> conditionsOf(const Graph& graph, const Tensor& tensor) {
    const Definition& d = *tensor.definition();
    std::vector<Condition> conditions;
    for (const Constraint& c : d.domain)
        conditions.push_back({c, 0, unbounded});
    const bool product = d.combine == Combine::sum && asProduct(d.body);
    const bool extremum = (d.combine == Combine::maximum || d.combine == Combine::minimum) && d.body.isRead();
    if (!product && !extremum) return conditions;
    for (const Read& r : d.reads) {
        if (r.outside != neutral(d.combine)) continue;
        const Extents& source = graph.at(r.source).extents;
        for (std::size_t a = 0; a < source.size(); ++a)
            conditions.push_back({r.map[a], 0, source[a] - 1});
        for (const Constraint& c : r.constraints)
            conditions.push_back({c, 0, unbounded});
    }
    return conditions;
}

} // namespace kernelarium::algebra
