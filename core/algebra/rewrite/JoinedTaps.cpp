// SPDX-License-Identifier: GPL-3.0-or-later
// Window and tap become one axis: pool(conv(x)) reads x[2 p + k + j] with a weight that depends on k + j alone.
#include "core/algebra/rewrite/Contraction.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace kernelarium::algebra {

namespace {

/// One index of the operand, with the axes that are joined in it.
struct Joined {
    std::size_t place = 0; ///< in the operand's map
    std::vector<Term> terms;
    std::int64_t least = 0, step = 1, count = 1; ///< values of (offset + terms) / divisor, where it divides
};

std::optional<Joined> joinedIn(const Index& index, std::size_t place, const Contraction& c) {
    Joined j;
    j.place = place;
    const Extents space = c.space();
    for (const Term& t : index.terms) {
        const bool reduced = t.axis >= int(c.out.size());
        if (reduced && t.isPlain())
            j.terms.push_back(t);
        else if (t.factor % index.divisor != 0)
            return std::nullopt; // parity of an output's place decides which taps there are
    }
    if (j.terms.size() < 2) return std::nullopt;
    std::set<std::int64_t> sums{index.offset};
    for (const Term& t : j.terms) {
        std::set<std::int64_t> next;
        for (std::int64_t s : sums)
            for (std::int64_t i = 0; i < space[std::size_t(t.axis)]; ++i)
                next.insert(s + t.factor * i);
        if (next.size() > 4096) return std::nullopt;
        sums = std::move(next);
    }
    std::set<std::int64_t> values;
    for (std::int64_t s : sums)
        if (s % index.divisor == 0) values.insert(s / index.divisor);
    if (values.empty()) return std::nullopt;
    j.least = *values.begin();
    j.step = 0;
    for (std::int64_t v : values)
        j.step = std::gcd(j.step, v - j.least);
    j.step = std::max<std::int64_t>(j.step, 1);
    j.count = (*values.rbegin() - j.least) / j.step + 1;
    return j;
}

bool usesAny(const std::vector<Index>& indices, const std::set<int>& axes) {
    return std::any_of(indices.begin(), indices.end(), [&](const Index& i) {
        return std::any_of(i.terms.begin(), i.terms.end(), [&](const Term& t) { return axes.contains(t.axis); });
    });
}

/// What is joined in one operand, or nothing where an axis reaches it in another way as well.
std::vector<Joined> joinedOf(const Contraction& c, const Read& x) {
    std::vector<Joined> all;
    for (std::size_t a = 0; a < x.map.size(); ++a)
        if (std::optional<Joined> j = joinedIn(x.map[a], a, c)) all.push_back(*std::move(j));
    std::erase_if(all, [&](const Joined& j) {
        std::set<int> axes;
        for (const Term& t : j.terms)
            axes.insert(t.axis);
        std::vector<Index> others = c.domain;
        for (std::size_t a = 0; a < x.map.size(); ++a)
            if (a != j.place) others.push_back(x.map[a]);
        return usesAny(others, axes);
    });
    return all;
}

} // namespace

std::optional<Steps> withJoinedTaps(const Contraction& c, const Graph& graph, TensorId firstId, const std::string& name,
                                    tensor::DType dtype) {
    const Extents space = c.space();
    for (std::size_t at = 0; at < c.reads.size(); ++at) {
        const std::vector<Joined> joined = joinedOf(c, c.reads[at]);
        if (joined.empty()) continue;
        std::set<int> gone;
        for (const Joined& j : joined)
            for (const Term& t : j.terms)
                gone.insert(t.axis);
        std::vector<std::size_t> weights, others;
        for (std::size_t i = 0; i < c.reads.size(); ++i)
            if (i != at) (usesAny(c.reads[i].map, gone) ? weights : others).push_back(i);
        // The weights' own axes, those that stay, then one for each joined sum.
        std::set<int> kept;
        for (std::size_t w : weights)
            for (const Index& i : c.reads[w].map)
                for (const Term& t : i.terms)
                    if (!gone.contains(t.axis)) kept.insert(t.axis);
        Contraction sum; // of the weights, for each value of the joined sums
        std::vector<int> place(space.size(), 0);
        for (int a : kept) {
            place[std::size_t(a)] = int(sum.out.size());
            sum.out.push_back(space[std::size_t(a)]);
        }
        for (const Joined& j : joined)
            sum.out.push_back(j.count);
        for (int a : gone) {
            place[std::size_t(a)] = int(sum.out.size() + sum.reduction.size());
            sum.reduction.push_back(space[std::size_t(a)]);
        }
        for (std::size_t w : weights) {
            Read r = c.reads[w];
            for (Index& i : r.map)
                i = renumbered(std::move(i), place);
            sum.reads.push_back(std::move(r));
        }
        const Extents sumSpace = sum.space();
        for (std::size_t k = 0; k < joined.size(); ++k) {
            const Joined& j = joined[k];
            const Index& index = c.reads[at].map[j.place];
            Index apart =
                Index::axis(int(kept.size() + k), -index.divisor * j.step, index.offset - index.divisor * j.least);
            for (Term t : j.terms) {
                t.axis = place[std::size_t(t.axis)];
                apart.terms.push_back(t);
            }
            addConstraint(sum.domain, apart, sumSpace);
            addConstraint(sum.domain, apart * -1, sumSpace);
        }
        // What is left: the axes that are not gone, and one for each joined sum.
        Steps steps;
        Contraction& last = steps.last;
        last.out = c.out;
        last.factor = c.factor;
        std::vector<int> moved(space.size(), 0);
        for (int a = 0; a < int(c.out.size()); ++a)
            moved[std::size_t(a)] = a;
        for (int a = int(c.out.size()); a < int(space.size()); ++a) {
            if (gone.contains(a)) continue;
            moved[std::size_t(a)] = int(last.out.size() + last.reduction.size());
            last.reduction.push_back(space[std::size_t(a)]);
        }
        const int first = int(last.out.size() + last.reduction.size());
        for (const Joined& j : joined)
            last.reduction.push_back(j.count);
        Read x = c.reads[at];
        for (std::size_t a = 0; a < x.map.size(); ++a) {
            const auto j = std::find_if(joined.begin(), joined.end(), [a](const Joined& k) { return k.place == a; });
            Index& i = x.map[a];
            if (j != joined.end()) {
                std::erase_if(i.terms, [&](const Term& t) { return gone.contains(t.axis); });
                for (Term& t : i.terms)
                    t.factor /= i.divisor;
                i.divisor = 1;
                i.offset = j->least;
                i = renumbered(std::move(i), moved);
                i.terms.push_back({first + int(j - joined.begin()), j->step, 1, 0});
            } else
                i = renumbered(std::move(i), moved);
        }
        last.reads.push_back(std::move(x));
        for (std::size_t o : others) {
            Read r = c.reads[o];
            for (Index& i : r.map)
                i = renumbered(std::move(i), moved);
            last.reads.push_back(std::move(r));
        }
        for (const Constraint& k : c.domain)
            last.domain.push_back(renumbered(k, moved));
        Read taps;
        taps.source = firstId;
        for (int a : kept)
            taps.map.push_back(Index::axis(moved[std::size_t(a)]));
        for (std::size_t k = 0; k < joined.size(); ++k)
            taps.map.push_back(Index::axis(first + int(k)));
        last.reads.push_back(std::move(taps));
        (void)graph;
        steps.added.push_back({name + ".taps", sum.out, dtype, definitionOf(withoutTiedAxes(std::move(sum)))});
        return steps;
    }
    return std::nullopt;
}

} // namespace kernelarium::algebra
