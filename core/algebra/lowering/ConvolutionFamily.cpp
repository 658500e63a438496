// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Families.h"

namespace kernelarium::algebra::lowering {

namespace {

/// Strides, paddings and dilations of a convolution in n dimensions.
struct Steps {
    std::vector<std::int64_t> stride, padding, dilation;
};

Operand withBias(Builder& b, const OperatorCall& c, const Operand& products) {
    const std::optional<Operand> bias = c.optional(2, "bias");
    if (!bias) return products;
    Extents shape(products.shape.size() - 1, 1);
    shape[0] = products.shape[1];
    return b.pointwise(c.node(), products.shape, c.dtype(), operandAt(0) + operandAt(1),
                       {products, b.reshaped(*bias, std::move(shape))});
}
std::string productsName(const OperatorCall& c) {
    return c.has(2, "bias") ? c.node() + ".products" : c.node();
}

/// out[n, c, o...] = sum over r, k... of x[n, group(c) * C/G + r, s o + d k - p] * w[c, r, k...]
template <int n> Value convolution(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input"), w = c.operand(1, "weight");
    if (x.rank() != n + 2) c.refuse("an input without a batch");
    if (!c.text(4, "padding", "").empty()) c.refuse("padding by name");
    const Steps s{c.integers(3, "stride", n, 1), c.integers(4, "padding", n, 0), c.integers(5, "dilation", n, 1)};
    const std::int64_t groups = c.integer(6, "groups", 1), perGroup = w.shape[0] / groups;
    Definition d;
    d.combine = Combine::sum;
    d.reduction.assign(w.shape.begin() + 1, w.shape.end());
    const Extents shape = c.shape();
    Extents space = shape;
    space.insert(space.end(), d.reduction.begin(), d.reduction.end());
    const int first = n + 2; // of the reduction's axes
    Index channel = Index::axis(first);
    if (groups > 1) channel.terms.push_back({1, w.shape[1], perGroup, 0});
    std::vector<Index> at{Index::axis(0), channel}, taps{Index::axis(1), Index::axis(first)};
    for (int i = 0; i < n; ++i) {
        const auto k = std::size_t(i);
        at.push_back(Index::axis(2 + i, s.stride[k], -s.padding[k]) + Index::axis(first + 1 + i, s.dilation[k]));
        taps.push_back(Index::axis(first + 1 + i));
    }
    d.reads = {b.at(x, std::move(at), space), b.at(w, std::move(taps), space)};
    d.body = operandAt(0) * operandAt(1);
    return result(withBias(b, c, b.add(productsName(c), shape, c.dtype(), std::move(d))));
}

/// out[n, c, o...] = sum over r, k... of x[n, group(c) * C/G + r, (o + p - d k) / s] * w[group(c) * C/G + r, c mod O/G,
/// k...] where s divides.
template <int n> Value transposed(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input"), w = c.operand(1, "weight");
    if (x.rank() != n + 2) c.refuse("an input without a batch");
    const Steps s{c.integers(3, "stride", n, 1), c.integers(4, "padding", n, 0), c.integers(7, "dilation", n, 1)};
    const std::int64_t groups = c.integer(6, "groups", 1), perGroup = w.shape[1], from = w.shape[0] / groups;
    Definition d;
    d.combine = Combine::sum;
    d.reduction = {from};
    d.reduction.insert(d.reduction.end(), w.shape.begin() + 2, w.shape.end());
    const Extents shape = c.shape();
    Extents space = shape;
    space.insert(space.end(), d.reduction.begin(), d.reduction.end());
    const int first = n + 2;
    Index channel = Index::axis(first), out = Index::axis(1);
    if (groups > 1) channel.terms.push_back({1, from, perGroup, 0}), out.terms[0].modulus = perGroup;
    std::vector<Index> at{Index::axis(0), channel}, taps{channel, out};
    for (int i = 0; i < n; ++i) {
        const auto k = std::size_t(i);
        Index place = Index::axis(2 + i, 1, s.padding[k]) - Index::axis(first + 1 + i, s.dilation[k]);
        place.divisor = s.stride[k];
        at.push_back(std::move(place));
        taps.push_back(Index::axis(first + 1 + i));
    }
    d.reads = {b.at(x, std::move(at), space), b.at(w, std::move(taps), space)};
    d.body = operandAt(0) * operandAt(1);
    return result(withBias(b, c, b.add(productsName(c), shape, c.dtype(), std::move(d))));
}

constexpr Entry convolutionEntries[] = {{"conv1d", convolution<1>},          {"conv2d", convolution<2>},
                                        {"conv3d", convolution<3>},          {"conv_transpose1d", transposed<1>},
                                        {"conv_transpose2d", transposed<2>}, {"conv_transpose3d", transposed<3>}};

} // namespace

Family convolutionFamily() {
    return convolutionEntries;
}

} // namespace kernelarium::algebra::lowering
