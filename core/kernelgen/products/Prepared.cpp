// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Rule.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/products/Units.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

/// A read of `inner`'s operand in the place of a read of `inner` itself.
std::optional<Read> readThrough(const Graph& graph, const Tensor& outer, const Read& read, const Read& inner) {
    if (!read.constraints.empty() || !inner.constraints.empty()) return std::nullopt;
    const algebra::Extents space = algebra::spaceOf(outer);
    const algebra::Extents& extents = graph.tensors[read.source].extents;
    for (std::size_t k = 0; k < read.map.size(); ++k)
        if (read.map[k].divisor != 1 || !algebra::rangeOf(read.map[k], space).within(extents[k])) return std::nullopt;
    Read out;
    out.source = inner.source;
    for (const Index& i : inner.map) {
        auto index = algebra::substituted(i, read.map, space);
        if (!index) return std::nullopt;
        out.map.push_back(*std::move(index));
    }
    return out;
}

/// sum of (a * s) * b with an s that the sum's axes do not touch: the sum of a * b, times s.
std::optional<algebra::Edit> factorMoved(const Graph& graph, TensorId id) {
    const Tensor& t = graph.tensors[id];
    const Definition* d = t.definition();
    if (!d || d->combine != Combine::sum || !d->domain.empty()) return std::nullopt;
    const auto product = algebra::asProduct(d->body);
    if (!product || product->operands.size() != 2 || product->operands[0] == product->operands[1]) return std::nullopt;
    const int rank = int(t.extents.size());
    for (const std::size_t operand : product->operands) {
        const Tensor& map = graph.tensors[d->reads[operand].source];
        const Definition* inner = map.definition();
        if (!inner || inner->combine != Combine::none || !inner->domain.empty()) continue;
        const auto factors = algebra::asProduct(inner->body);
        if (!factors || factors->operands.size() != 2 || factors->factor != 1 ||
            factors->operands[0] == factors->operands[1])
            continue;
        for (int k = 0; k < 2; ++k) {
            const auto scale =
                readThrough(graph, t, d->reads[operand], inner->reads[factors->operands[std::size_t(k)]]);
            const auto rest =
                readThrough(graph, t, d->reads[operand], inner->reads[factors->operands[std::size_t(1 - k)]]);
            if (!scale || !rest) continue;
            bool isOfOutput = true;
            for (const Index& i : scale->map)
                for (const algebra::Term& term : i.terms)
                    isOfOutput = isOfOutput && term.axis < rank;
            if (!isOfOutput) continue;
            algebra::Edit edit;
            edit.tensor = id;
            Tensor plain = t;
            plain.name = t.name + ".plain";
            plain.dtype = DType::Float32;
            plain.definition()->reads[operand] = *rest;
            edit.added.push_back(std::move(plain));
            edit.replacement = t;
            Definition own;
            Read sum;
            sum.source = graph.tensors.size();
            for (int a = 0; a < rank; ++a)
                sum.map.push_back(t.extents[std::size_t(a)] == 1 ? Index::constant(0) : Index::axis(a));
            own.reads = {std::move(sum), *scale};
            own.body = Expression::of(Function::mul, {Expression::read(0), Expression::read(1)});
            edit.replacement.origin = std::move(own);
            edit.detail = fmt::format("{}'s factor is taken out of {}: it is the same for every term of the sum",
                                      map.name, t.name);
            return edit;
        }
    }
    return std::nullopt;
}

bool isShort(DType t) {
    return t == DType::Float16 || t == DType::BFloat16;
}

} // namespace

Graph prepared(Graph graph, std::vector<std::string>* moved) {
    graph = tidied(std::move(graph));
    constexpr int mostEdits = 16;
    int edits = 0;
    for (TensorId id = 0; id < graph.tensors.size() && edits < mostEdits; ++id)
        if (auto edit = factorMoved(graph, id)) {
            if (moved) moved->push_back(edit->detail);
            graph = algebra::edited(graph, *std::move(edit));
            ++edits;
            id = TensorId(-1); // ids have changed
        }
    std::vector<bool> isFactor(graph.tensors.size(), false);
    for (const Tensor& t : graph.tensors)
        if (const Definition* d = t.definition(); d && d->combine == Combine::sum)
            if (const auto product = algebra::asProduct(d->body);
                product && product->operands.size() == 2 && product->operands[0] != product->operands[1])
                for (const std::size_t k : product->operands)
                    isFactor[d->reads[k].source] = true;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        Tensor& t = graph.tensors[id];
        const bool isReturned = std::count(graph.outputs.begin(), graph.outputs.end(), id) > 0;
        if (t.definition() && isShort(t.dtype) && !isFactor[id] && !isReturned) t.dtype = DType::Float32;
    }
    return graph;
}

} // namespace kernelarium::kernelgen::products
