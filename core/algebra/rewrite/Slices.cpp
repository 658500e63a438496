// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about what nobody reads.
#include "core/algebra/rewrite/Contraction.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

bool isOutput(const Graph& graph, TensorId id) {
    return std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
}

/// Constraints over a source's own axes, of those that hold wherever this reader reads it: where the reader's map takes
/// an axis of its own for each of the source's.
std::optional<std::vector<Constraint>> readWithin(const Tensor& reader, const Read& r, const Extents& source) {
    std::vector<int> place(reader.extents.size() + reader.definition()->reduction.size(), -1);
    for (std::size_t a = 0; a < source.size(); ++a) {
        if (source[a] == 1) continue;
        if (!r.map[a].isAxis()) return std::nullopt;
        place[std::size_t(r.map[a].terms[0].axis)] = int(a);
    }
    std::vector<Constraint> out;
    for (const auto* list : {&reader.definition()->domain, &r.constraints})
        for (const Constraint& c : *list)
            if (std::all_of(c.terms.begin(), c.terms.end(),
                            [&](const Term& t) { return place[std::size_t(t.axis)] >= 0; }))
                out.push_back(renumbered(c, place));
    return out;
}

std::vector<Edit> deadElements(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d || isOutput(graph, id)) return {};
    std::optional<std::vector<Constraint>> common;
    for (TensorId reader = id + 1; reader < graph.tensors.size(); ++reader) {
        const Tensor& other = graph.tensors[reader];
        if (readCount(other, id) == 0) continue;
        if (!other.definition()) return {};
        for (const Read& r : other.definition()->reads) {
            if (r.source != id) continue;
            const auto within = readWithin(other, r, t.extents);
            if (!within) return {};
            if (!common)
                common = *within;
            else
                std::erase_if(*common, [&](const Constraint& c) {
                    return std::find(within->begin(), within->end(), c) == within->end();
                });
        }
    }
    if (!common || common->empty()) return {};
    Definition out = *d;
    for (const Constraint& c : *common)
        addConstraint(out.domain, c, t.extents);
    if (out.domain == d->domain) return {};
    if (d->combine == Combine::none && !d->domain.empty() && d->outside != 0) return {};
    Edit e;
    e.tensor = id;
    e.replacement = t;
    e.replacement.origin = std::move(out);
    e.detail = t.name;
    return {std::move(e)};
}

/// Elements of a tensor that are read lie between low and high of each axis: the tensor becomes that box.
std::vector<Edit> deadSlices(const Graph& graph, TensorId id) {
    const Tensor& s = graph.at(id);
    if (!s.definition() || isOutput(graph, id) || s.extents.empty()) return {};
    std::vector<Range> ranges(s.extents.size(), {INT64_MAX, INT64_MIN});
    std::vector<TensorId> readers;
    for (TensorId reader = id + 1; reader < graph.tensors.size(); ++reader) {
        const Tensor& t = graph.tensors[reader];
        if (readCount(t, id) == 0) continue;
        if (!t.definition()) return {};
        readers.push_back(reader);
        const Extents space = spaceOf(t);
        for (const Read& r : t.definition()->reads) {
            if (r.source != id) continue;
            for (std::size_t a = 0; a < s.extents.size(); ++a) {
                if (r.map[a].divisor != 1) return {};
                const Range range = rangeOf(r.map[a], space);
                ranges[a].low = std::min(ranges[a].low, std::clamp<std::int64_t>(range.low, 0, s.extents[a] - 1));
                ranges[a].high = std::max(ranges[a].high, std::clamp<std::int64_t>(range.high, 0, s.extents[a] - 1));
            }
        }
    }
    Edit e;
    e.tensor = id;
    e.replacement = s;
    e.detail = s.name;
    Extents& extents = e.replacement.extents;
    std::vector<Index> shifted;
    for (std::size_t a = 0; a < s.extents.size(); ++a) {
        if (ranges[a].high < ranges[a].low) return {};
        extents[a] = ranges[a].high - ranges[a].low + 1;
        shifted.push_back(Index::axis(int(a), 1, ranges[a].low));
    }
    if (extents == s.extents) return {};
    Definition& part = *e.replacement.definition();
    for (std::size_t a = 0; a < part.reduction.size(); ++a)
        shifted.push_back(Index::axis(int(s.extents.size() + a)));
    const Extents space = spaceOf(e.replacement);
    bool moves = true;
    const auto move = [&](std::vector<Index>& indices) {
        for (Index& i : indices) {
            const std::optional<Index> m = substituted(i, shifted, space);
            moves = moves && m;
            if (m) i = *m;
        }
    };
    move(part.domain);
    std::erase_if(part.domain, [&](const Constraint& c) { return holdsAlways(c, space); });
    for (Read& r : part.reads)
        move(r.map), move(r.constraints);
    part.body = replaced(part.body, Expression::read, [&](int a) {
        moves = moves && a >= int(extents.size());
        return Expression::ofAxis(a);
    });
    if (!moves) return {};
    for (TensorId reader : readers) {
        Tensor t = graph.at(reader);
        for (Read& r : t.definition()->reads)
            for (std::size_t a = 0; r.source == id && a < r.map.size(); ++a)
                r.map[a].offset -= ranges[a].low;
        e.also.emplace_back(reader, std::move(t));
    }
    return {std::move(e)};
}

} // namespace

Rule deadElementsRule() {
    return {"skip_unread_elements",
            "Elements that nobody reads are not computed",
            "Where every reader masks a tensor's elements away, these are not computed in the first place.",
            "All readers have the condition in their own formulas.",
            Exactness::floats,
            deadElements};
}
Rule deadSlicesRule() {
    return {"skip_unread_slices",
            "Slices that nobody reads are not computed",
            "Of a tensor that is read in part, only that part is computed.",
            "The reader's indices stay between two numbers on an axis.",
            Exactness::floats,
            deadSlices};
}

} // namespace kernelarium::algebra
