// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Builder.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra::lowering {

std::vector<Index> identity(int rank, int firstAxis) {
    std::vector<Index> out;
    for (int a = 0; a < rank; ++a)
        out.push_back(Index::axis(firstAxis + a));
    return out;
}

Extents broadcastShape(const std::vector<Operand>& operands) {
    std::size_t rank = 0;
    for (const Operand& o : operands)
        rank = std::max(rank, o.shape.size());
    Extents shape(rank, 1);
    for (const Operand& o : operands)
        for (std::size_t i = 0; i < o.shape.size(); ++i)
            if (std::int64_t& e = shape[rank - o.shape.size() + i]; o.shape[i] != 1) e = o.shape[i];
    return shape;
}

std::string Builder::unique(const std::string& name) {
    std::string tried = name;
    for (int n = 2; !m_names.insert(tried).second; ++n)
        tried = fmt::format("{}_{}", name, n);
    return tried;
}

Operand Builder::operandOf(TensorId id) const {
    const Tensor& t = m_graph.at(id);
    Operand o;
    o.read.source = id;
    o.read.map = identity(int(t.extents.size()));
    for (Index& i : o.read.map)
        normalise(i, t.extents);
    o.shape = t.extents;
    o.dtype = t.dtype;
    return o;
}

Operand Builder::input(std::string name, Extents extents, DType dtype, Input input) {
    m_graph.tensors.push_back({unique(name), std::move(extents), dtype, input});
    return operandOf(m_graph.tensors.size() - 1);
}
Operand Builder::add(std::string name, Extents extents, DType dtype, Definition definition) {
    m_graph.tensors.push_back({unique(name), std::move(extents), dtype, std::move(definition)});
    return operandOf(m_graph.tensors.size() - 1);
}
Operand Builder::add(std::string name, Extents extents, DType dtype, Recurrence recurrence) {
    m_graph.tensors.push_back({unique(name), std::move(extents), dtype, std::move(recurrence)});
    return operandOf(m_graph.tensors.size() - 1);
}

Operand Builder::copied(const Operand& operand, const std::string& name) {
    Definition d;
    d.reads.push_back(operand.read);
    return add(name, operand.shape, operand.dtype, std::move(d));
}

TensorId Builder::whole(const Operand& operand, const std::string& name) {
    const TensorId id = operand.read.source;
    const Operand plain = operandOf(id);
    if (operand.shape == plain.shape && operand.read == plain.read) return id;
    return copied(operand, name).read.source;
}

Operand Builder::constant(const std::string& name, Extents shape, DType dtype, double value) {
    Definition d;
    d.body = Expression::number(value);
    return add(name, std::move(shape), dtype, std::move(d));
}

Read Builder::at(const Operand& operand, std::vector<Index> indices, const Extents& space, double outside) {
    for (Index& i : indices)
        normalise(i, space);
    const Extents& source = m_graph.at(operand.read.source).extents;
    const auto attempt = [&]() -> std::optional<Read> {
        Read out;
        out.source = operand.read.source;
        out.outside = operand.read.outside;
        // Where the new indices can leave the operand's shape.
        std::vector<Constraint> constraints;
        bool leaves = false;
        for (std::size_t a = 0; a < indices.size(); ++a) {
            const Index& i = indices[a];
            Range range = rangeOf(i, space);
            const bool inside = i.divisor == 1 && range.within(operand.shape[a]);
            if (inside) continue;
            leaves = true;
            // The source's own limits are the operand's where the axis is read as it is.
            bool own = false;
            for (std::size_t d = 0; d < source.size(); ++d)
                own = own || (operand.read.map[d].isAxis() && operand.read.map[d].terms[0].axis == int(a) &&
                              source[d] == operand.shape[a]);
            if (own) continue;
            if (i.divisor != 1) return std::nullopt;
            constraints.push_back(i);
            constraints.push_back(Index::constant(operand.shape[a] - 1) - i);
        }
        const bool wasMasked = !operand.read.constraints.empty() || [&] {
            for (std::size_t d = 0; d < source.size(); ++d)
                if (operand.read.map[d].divisor != 1 || !rangeOf(operand.read.map[d], operand.shape).within(source[d]))
                    return true;
            return false;
        }();
        if (leaves && wasMasked && outside != operand.read.outside) return std::nullopt;
        if (!wasMasked) out.outside = leaves ? outside : 0;
        for (const Index& m : operand.read.map) {
            const std::optional<Index> i = substituted(m, indices, space);
            if (!i) return std::nullopt;
            out.map.push_back(*i);
        }
        for (const Constraint& c : operand.read.constraints) {
            const std::optional<Index> i = substituted(c, indices, space);
            if (!i) return std::nullopt;
            if (!holdsAlways(*i, space)) out.constraints.push_back(*i);
        }
        for (Constraint& c : constraints) {
            normalise(c, space);
            if (!holdsAlways(c, space)) out.constraints.push_back(std::move(c));
        }
        return out;
    };
    if (std::optional<Read> read = attempt()) return *std::move(read);
    const Operand copy = copied(operand, m_graph.at(operand.read.source).name + ".copy");
    Read read{copy.read.source, std::move(indices), {}, outside};
    return read;
}

Operand Builder::view(const Operand& operand, std::vector<Index> indices, Extents space, double outside) {
    Operand out;
    out.read = at(operand, std::move(indices), space, outside);
    out.shape = std::move(space);
    out.dtype = operand.dtype;
    return out;
}

Operand Builder::reshaped(const Operand& operand, Extents shape) {
    Index place; // in row-major order, over the new axes
    std::int64_t stride = 1;
    for (std::size_t a = shape.size(); a-- > 0;) {
        place.terms.push_back({int(a), stride, 1, 0});
        stride *= shape[a];
    }
    normalise(place, shape);
    std::vector<Index> indices(operand.shape.size());
    stride = 1;
    const Extents line{pointCount(shape)};
    for (std::size_t a = operand.shape.size(); a-- > 0;) {
        Index wanted{0, {{0, 1, stride, operand.shape[a]}}, 1};
        normalise(wanted, line);
        const std::optional<Index> i = substituted(wanted, std::span(&place, 1), shape);
        if (!i)
            return reshaped(copied(reshaped(operand, {pointCount(shape)}), "flat"),
                            std::move(shape)); // by way of a line
        indices[a] = *i;
        stride *= operand.shape[a];
    }
    return view(operand, std::move(indices), std::move(shape));
}

Operand Builder::permuted(const Operand& operand, std::span<const int> order) {
    std::vector<Index> indices(order.size());
    Extents shape;
    for (std::size_t i = 0; i < order.size(); ++i) {
        indices[std::size_t(order[i])] = Index::axis(int(i));
        shape.push_back(operand.shape[std::size_t(order[i])]);
    }
    return view(operand, std::move(indices), std::move(shape));
}

Operand Builder::broadcast(const Operand& operand, const Extents& shape) {
    if (operand.shape == shape) return operand;
    std::vector<Index> indices;
    const std::size_t shift = shape.size() - operand.shape.size();
    for (std::size_t i = 0; i < operand.shape.size(); ++i)
        indices.push_back(operand.shape[i] == 1 ? Index::constant(0) : Index::axis(int(i + shift)));
    return view(operand, std::move(indices), shape);
}

Operand Builder::pointwise(const std::string& name, Extents shape, DType dtype, Expression body,
                           const std::vector<Operand>& operands) {
    Definition d;
    for (const Operand& o : operands)
        d.reads.push_back(broadcast(o, shape).read);
    d.body = simplified(body);
    return add(name, std::move(shape), dtype, std::move(d));
}

Operand Builder::reduce(const std::string& name, DType dtype, Combine combine, Expression body,
                        const std::vector<Operand>& operands, std::span<const int> axes, bool keep) {
    const Extents shape = broadcastShape(operands);
    Definition d;
    d.combine = combine;
    d.body = std::move(body);
    Extents result;
    std::vector<Index> indices(shape.size());
    const auto isReduced = [&](std::size_t a) { return std::find(axes.begin(), axes.end(), int(a)) != axes.end(); };
    for (std::size_t a = 0; a < shape.size(); ++a) {
        if (isReduced(a)) {
            if (keep) result.push_back(1);
            continue;
        }
        indices[a] = Index::axis(int(result.size()));
        result.push_back(shape[a]);
    }
    Extents space = result;
    for (std::size_t a = 0; a < shape.size(); ++a)
        if (isReduced(a)) {
            indices[a] = Index::axis(int(space.size()));
            space.push_back(shape[a]);
            d.reduction.push_back(shape[a]);
        }
    for (const Operand& o : operands)
        d.reads.push_back(at(broadcast(o, shape), indices, space));
    if (d.reduction.empty()) d.combine = Combine::none; // of one number: itself
    return add(name, std::move(result), dtype, std::move(d));
}

} // namespace kernelarium::algebra::lowering
