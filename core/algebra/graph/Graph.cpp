// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Graph.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra {

double neutral(Combine combine) {
    switch (combine) {
    case Combine::product: return 1;
    case Combine::maximum: return -std::numeric_limits<double>::infinity();
    case Combine::minimum: return std::numeric_limits<double>::infinity();
    default: return 0;
    }
}

std::string_view name(Combine combine) {
    switch (combine) {
    case Combine::none: return "none";
    case Combine::sum: return "sum";
    case Combine::product: return "product";
    case Combine::maximum: return "max";
    case Combine::minimum: return "min";
    case Combine::argMax: return "argmax";
    case Combine::argMin: return "argmin";
    }
    return {};
}

std::string_view name(Form form) {
    switch (form) {
    case Form::input: return "input";
    case Form::contraction: return "contraction";
    case Form::pointwise: return "pointwise";
    case Form::reduction: return "reduction";
    case Form::statistics: return "statistics";
    case Form::recurrence: return "recurrence";
    }
    return {};
}

Extents spaceOf(const Tensor& tensor) {
    Extents space = tensor.extents;
    if (const Definition* d = tensor.definition()) space.insert(space.end(), d->reduction.begin(), d->reduction.end());
    return space;
}

namespace {

/// sourcesOf() without a list: a search asks this of every pair of tensors.
template <typename Visit> void forEachSource(const Tensor& tensor, const Visit& visit) {
    if (const Definition* d = tensor.definition())
        for (const Read& r : d->reads)
            visit(r.source);
    if (const Recurrence* r = tensor.recurrence())
        for (const auto* list : {&r->initial, &r->sequences, &r->constants})
            for (TensorId s : *list)
                visit(s);
}

} // namespace

std::vector<TensorId> sourcesOf(const Tensor& tensor) {
    std::vector<TensorId> sources;
    forEachSource(tensor, [&](TensorId s) { sources.push_back(s); });
    return sources;
}

void moveSources(Tensor& tensor, std::span<const TensorId> place) {
    if (Definition* d = tensor.definition())
        for (Read& r : d->reads)
            r.source = place[r.source];
    if (auto* r = std::get_if<Recurrence>(&tensor.origin))
        for (auto* list : {&r->initial, &r->sequences, &r->constants})
            for (TensorId& s : *list)
                s = place[s];
}

std::size_t readCount(const Tensor& reader, TensorId source) {
    std::size_t count = 0;
    forEachSource(reader, [&](TensorId s) { count += s == source; });
    return count;
}

std::vector<bool> dependents(const Graph& graph, std::span<const TensorId> tensors) {
    std::vector<bool> depends(graph.tensors.size(), false);
    for (TensorId id : tensors)
        depends.at(id) = true;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) { // sources come first
        if (depends[id]) continue;
        forEachSource(graph.tensors[id], [&](TensorId s) { depends[id] = depends[id] || depends[s]; });
    }
    return depends;
}

std::vector<std::size_t> useCounts(const Graph& graph) {
    std::vector<std::size_t> uses(graph.tensors.size(), 0);
    for (const Tensor& t : graph.tensors)
        forEachSource(t, [&](TensorId s) { ++uses.at(s); });
    for (TensorId o : graph.outputs)
        ++uses.at(o);
    return uses;
}

std::vector<std::string> axisNames(const Tensor& tensor) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tensor.extents.size(); ++i)
        names.push_back(fmt::format("o{}", i));
    if (const Definition* d = tensor.definition())
        for (std::size_t i = 0; i < d->reduction.size(); ++i)
            names.push_back(fmt::format("r{}", i));
    return names;
}

namespace {

bool multiply(Product& p, const Expression& e) {
    if (e.isLiteral()) {
        p.factor *= e.literal;
        return true;
    }
    if (e.isRead()) {
        p.operands.push_back(e.operand);
        return true;
    }
    if (e.is(Function::mul))
        return std::all_of(e.arguments.begin(), e.arguments.end(), [&](const Expression& a) { return multiply(p, a); });
    if (e.is(Function::square)) return multiply(p, e.arguments[0]) && multiply(p, e.arguments[0]);
    if (e.is(Function::neg)) {
        p.factor = -p.factor;
        return multiply(p, e.arguments[0]);
    }
    if (!e.is(Function::div) || !e.arguments[1].isLiteral()) return false;
    p.factor /= e.arguments[1].literal;
    return multiply(p, e.arguments[0]);
}

} // namespace

std::optional<Product> asProduct(const Expression& body) {
    Product p;
    return multiply(p, body) ? std::optional(std::move(p)) : std::nullopt;
}

Form formOf(const Tensor& tensor) {
    if (tensor.input()) return Form::input;
    if (tensor.recurrence()) return Form::recurrence;
    const Definition& d = *tensor.definition();
    if (d.combine == Combine::none) return Form::pointwise;
    if (d.combine != Combine::sum) return Form::reduction;
    if (asProduct(d.body)) return Form::contraction;
    if (d.body.is(Function::square) && d.body.arguments[0].is(Function::sub)) return Form::statistics;
    return Form::reduction;
}

int scanAxis(const Tensor& tensor) {
    const Definition* d = tensor.definition();
    const int rank = int(tensor.extents.size());
    if (!d || d->reduction.size() != 1 || d->domain.size() != 1) return -1;
    if (d->combine == Combine::argMax || d->combine == Combine::argMin) return -1;
    const Constraint& c = d->domain[0];
    if (c.offset != 0 || c.divisor != 1 || c.terms.size() != 2 || !c.isAffine()) return -1;
    const Term &a = c.terms[0], &r = c.terms[1];
    if (a.factor != 1 || r.factor != -1 || r.axis != rank || a.axis >= rank) return -1;
    if (tensor.extents[std::size_t(a.axis)] != d->reduction[0]) return -1;
    for (const Read& read : d->reads) {
        for (const Index& i : read.map)
            if (i.uses(a.axis)) return -1;
        for (const Constraint& i : read.constraints)
            if (i.uses(a.axis)) return -1;
    }
    bool usesAxes = false;
    (void)replaced(d->body, Expression::read, [&](int axis) {
        usesAxes = true;
        return Expression::ofAxis(axis);
    });
    return usesAxes ? -1 : a.axis;
}

namespace {

Error unsound(const Tensor& t, std::string_view what) {
    return Error{"bad_graph", fmt::format("Tensor {} of the algebra's graph {}.", t.name, what)};
}

bool isWithin(const Index& index, std::size_t axes) {
    return index.divisor >= 1 && std::all_of(index.terms.begin(), index.terms.end(), [axes](const Term& t) {
               return t.axis >= 0 && std::size_t(t.axis) < axes && t.divisor >= 1 && t.modulus >= 0;
           });
}

Result<void> checkDefinition(const Graph& graph, const Tensor& t, const Definition& d) {
    const std::size_t axes = t.extents.size() + d.reduction.size();
    for (const Read& read : d.reads) {
        if (read.map.size() != graph.at(read.source).extents.size())
            return unsound(t, "reads another with too few or too many indices");
        for (const auto* list : {&read.map, &read.constraints})
            for (const Index& i : *list)
                if (!isWithin(i, axes)) return unsound(t, "reads at an axis that it does not have");
    }
    for (const Constraint& c : d.domain)
        if (!isWithin(c, axes)) return unsound(t, "has a domain over an axis that it does not have");
    if ((d.combine == Combine::none) != d.reduction.empty())
        return unsound(t, "combines without a reduction, or reduces without combining");
    bool bodyFits = true;
    (void)replaced(
        d.body,
        [&](std::size_t i) {
            bodyFits = bodyFits && i < d.reads.size();
            return Expression::read(i);
        },
        [&](int axis) {
            bodyFits = bodyFits && axis >= 0 && std::size_t(axis) < axes;
            return Expression::ofAxis(axis);
        });
    return bodyFits ? Result<void>() : unsound(t, "has a body with an operand that it does not read");
}

} // namespace

Result<void> checkGraph(const Graph& graph) {
    std::set<std::string> names;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        const Tensor& t = graph.tensors[id];
        if (!names.insert(t.name).second) return unsound(t, "has the name of another");
        for (TensorId s : sourcesOf(t))
            if (s >= id) return unsound(t, "reads one that is not before it");
        if (const Definition* d = t.definition())
            if (Result<void> r = checkDefinition(graph, t, *d); !r) return r;
    }
    for (TensorId o : graph.outputs)
        if (o >= graph.tensors.size()) return Error{"bad_graph", "An output of the algebra's graph is not there."};
    return {};
}

Graph pruned(Graph graph, bool keepInputs) {
    std::vector<bool> needed(graph.tensors.size(), false);
    for (TensorId o : graph.outputs)
        needed.at(o) = true;
    for (TensorId id = graph.tensors.size(); id-- > 0;) {
        if (keepInputs && graph.tensors[id].input()) needed[id] = true;
        if (!needed[id]) continue;
        forEachSource(graph.tensors[id], [&](TensorId s) { needed[s] = true; });
    }
    if (std::find(needed.begin(), needed.end(), false) == needed.end()) return graph;
    std::vector<TensorId> place(graph.tensors.size(), 0);
    Graph out;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        if (!needed[id]) continue;
        place[id] = out.tensors.size();
        moveSources(graph.tensors[id], place);
        out.tensors.push_back(std::move(graph.tensors[id]));
    }
    for (TensorId o : graph.outputs)
        out.outputs.push_back(place[o]);
    return out;
}

namespace {

std::string listed(const std::vector<Index>& indices, std::span<const std::string> axes) {
    std::string text;
    for (const Index& i : indices)
        text += (text.empty() ? "" : ", ") + toString(i, axes);
    return text;
}

std::string conditions(const std::vector<Constraint>& constraints, std::span<const std::string> axes) {
    std::string text;
    for (const Constraint& c : constraints)
        text += (text.empty() ? "" : ", ") + toString(c, axes) + " >= 0";
    return text;
}

} // namespace

std::string toString(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const std::vector<std::string> axes = axisNames(t);
    std::string left = t.name + "[";
    for (std::size_t i = 0; i < t.extents.size(); ++i)
        left += (i ? ", " : "") + axes[i] + fmt::format(" < {}", t.extents[i]);
    left += "]";
    if (t.input()) return left + (t.input()->isParameter ? " is a parameter" : " is an input");
    if (const Recurrence* r = t.recurrence())
        return left + fmt::format(" is {} steps of {} formulas", r->steps, r->body->tensors.size());
    const Definition& d = *t.definition();
    std::vector<std::string> reads;
    for (const Read& r : d.reads) {
        std::string text = graph.at(r.source).name + "[" + listed(r.map, axes) + "]";
        if (!r.constraints.empty()) text += " where " + conditions(r.constraints, axes);
        reads.push_back(r.constraints.empty() ? text : "(" + text + ")");
    }
    std::string right = toString(d.body, reads, axes);
    if (d.combine != Combine::none) {
        std::string over;
        for (std::size_t i = 0; i < d.reduction.size(); ++i)
            over += (over.empty() ? "" : ", ") + fmt::format("{} < {}", axes[t.extents.size() + i], d.reduction[i]);
        right = fmt::format("{} over {} of {}", name(d.combine), over, right);
    }
    if (!d.domain.empty()) right += fmt::format(" where {}, else {:g}", conditions(d.domain, axes), d.outside);
    return left + " = " + right;
}

} // namespace kernelarium::algebra
