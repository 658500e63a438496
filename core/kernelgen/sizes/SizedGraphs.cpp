// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/sizes/SizedGraphs.h"

#include "core/algebra/lowering/Lowering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Definition;
using algebra::Expression;
using algebra::Graph;
using algebra::Index;
using algebra::Tensor;

namespace {

void addIndex(std::string& out, const Index& index) {
    for (const algebra::Term& t : index.terms)
        out += fmt::format("{}{}{} ", t.axis, t.divisor > 1 ? "/" : "", t.modulus > 0 ? "%" : "");
    out += index.divisor > 1 ? "/;" : ";";
}

void addExpression(std::string& out, const Expression& e) {
    out += fmt::format("{}.{}.{}(", int(e.kind), e.operand, e.axis);
    if (e.kind == Expression::Kind::apply) out += algebra::name(e.function);
    for (const Expression& a : e.arguments)
        addExpression(out, a);
    out += ')';
}

/// Enough that numbers which agree at all of them agree everywhere, few enough that large networks take seconds.
constexpr std::size_t mostSizes = 26, fewestSizes = 3;
/// Of the squares of the lengths of the graphs' structures, in characters: what rewriting takes grows like these, about
/// a second on one core of 2024. Not the clock's seconds: what is emitted must not depend on how busy a machine is.
constexpr double mostWork = 1.2e10;

/// Of the graphs' sizes, the one whose symbols are by the smallest factors from those asked for.
std::size_t nearest(const SizedGraphs& graphs, const task::Symbols& asked) {
    std::size_t best = graphs.full;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < graphs.sizes.size(); ++i) {
        double apart = 0;
        for (std::size_t k = 0; k < asked.size(); ++k)
            apart += std::abs(std::log(double(graphs.sizes[i][k].second + 1) / double(asked[k].second + 1)));
        if (apart < least) least = apart, best = i;
    }
    return best;
}

std::string namesOf(const task::Symbols& symbols) {
    std::string text;
    for (const auto& [name, value] : symbols)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

} // namespace

Each<Graph> SizedGraphs::each() const {
    Each<Graph> out;
    for (const Graph& g : graphs)
        out.at.push_back(&g);
    return out;
}

std::string structureOf(const Graph& graph) {
    std::string out;
    for (const Tensor& t : graph.tensors) {
        out += fmt::format("{}:{}:{}:{}|", t.name, t.extents.size(), int(t.dtype), t.origin.index());
        if (const Definition* d = t.definition()) {
            out += fmt::format("{},{}|", d->reduction.size(), int(d->combine));
            for (const algebra::Read& r : d->reads) {
                out += fmt::format("<{}:", r.source);
                for (const Index& i : r.map)
                    addIndex(out, i);
                for (const Index& i : r.constraints)
                    out += '?', addIndex(out, i);
            }
            for (const Index& i : d->domain)
                out += '&', addIndex(out, i);
            addExpression(out, d->body);
        }
        if (const algebra::Recurrence* r = t.recurrence()) {
            for (const auto* ids : {&r->initial, &r->sequences, &r->constants}) {
                for (const auto id : *ids)
                    out += fmt::format("{} ", id);
                out += ';';
            }
            out += r->backwards ? "<{" : "{";
            out += structureOf(*r->body) + "}";
        }
        out += '\n';
    }
    for (const auto id : graph.outputs)
        out += fmt::format("{} ", id);
    return out;
}

Result<SizedGraphs> graphsOf(const task::Card& card, const Rewriting& rewriting, const std::string& size) {
    const Result<task::Symbols> asked = card.size(size);
    if (!asked && size != "full") return asked.error();
    std::vector<task::Symbols> own, tried;
    for (const char* name : {"odd", "small", "full"})
        if (const auto s = card.size(name)) own.push_back(*s);
    if (own.empty())
        for (const auto& [name, symbols] : card.sizes)
            own.push_back(symbols);
    if (asked && std::find(own.begin(), own.end(), *asked) == own.end()) own.push_back(*asked);
    if (own.empty()) return Error{"bad_card", "The card has no size."};
    const auto changed = [](task::Symbols symbols, std::size_t k, std::int64_t factor, std::int64_t more) {
        symbols[k].second = symbols[k].second * factor + more;
        return symbols;
    };
    tried = own;
    for (const auto& [factor, more] : {std::pair(1, 1), std::pair(2, 0), std::pair(1, 2), std::pair(3, 0)})
        for (std::size_t s = 0; s < own.size(); ++s)
            for (std::size_t k = 0; k < own[s].size(); ++k)
                tried.push_back(changed(own[s], k, factor, more));

    std::map<std::string, std::vector<std::size_t>> byStructure;
    std::vector<task::Symbols> sizes;
    std::vector<Graph> graphs;
    double work = 0;
    for (std::size_t i = 0; i < tried.size() && graphs.size() < mostSizes; ++i) {
        if (i >= own.size() + 4 && work > mostWork) break;
        if (std::find(sizes.begin(), sizes.end(), tried[i]) != sizes.end()) continue;
        Result<Graph> graph = algebra::lower(card, tried[i]);
        if (!graph && i < own.size()) return graph.error();
        if (!graph) continue; // the card's operators forbid that size
        if (rewriting) graph = rewriting(*std::move(graph));
        if (!graph) return graph.error();
        std::string structure = structureOf(*graph);
        work += double(structure.size()) * double(structure.size());
        byStructure[std::move(structure)].push_back(graphs.size());
        sizes.push_back(tried[i]);
        graphs.push_back(*std::move(graph));
    }
    const auto best = std::max_element(byStructure.begin(), byStructure.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (best->second.size() < std::min(fewestSizes, graphs.size()))
        return Error{"unsupported", "The task's formulas have another form at every size."};
    // What does not vary among the graphs that are left would be taken for a constant of the card.
    for (std::size_t k = 0; k < own[0].size(); ++k) {
        const auto varies = [k](const std::vector<task::Symbols>& all, auto&& at) {
            for (std::size_t i : at)
                if (all[i][k].second != all[*at.begin()][k].second) return true;
            return false;
        };
        std::vector<std::size_t> ownPlaces(own.size());
        std::iota(ownPlaces.begin(), ownPlaces.end(), 0);
        if (varies(own, ownPlaces) && !varies(sizes, best->second))
            return Error{"unsupported",
                         fmt::format("The task's formulas have another form at every {}.", own[0][k].first)};
    }
    SizedGraphs out;
    std::int64_t largest = -1;
    std::optional<std::size_t> shown;
    for (std::size_t i : best->second) {
        if (asked && sizes[i] == *asked) shown = out.graphs.size();
        std::int64_t points = 0;
        for (const Tensor& t : graphs[i].tensors)
            points += algebra::pointCount(t.extents);
        const bool isFull = card.size("full") && sizes[i] == *card.size("full");
        if (isFull) points = std::numeric_limits<std::int64_t>::max();
        if (points > largest) largest = points, out.full = out.graphs.size();
        out.sizes.push_back(sizes[i]);
        out.graphs.push_back(std::move(graphs[i]));
    }
    out.shown = shown.value_or(asked ? nearest(out, *asked) : out.full);
    out.shownName = shown ? size : namesOf(out.sizes[out.shown]);
    return out;
}

} // namespace kernelarium::kernelgen
