// SPDX-License-Identifier: GPL-3.0-or-later
// Windows slid over the last axes, and averages over parts of them.
#include "core/algebra/lowering/Families.h"

#include <limits>

namespace kernelarium::algebra::lowering {

namespace {

struct Windows {
    std::vector<std::int64_t> size, stride, padding, dilation;
};

/// out[b..., o...] = combine over k... of factor * x[b..., s o + d k - p]
Operand windowed(Builder& b, const OperatorCall& c, const Operand& x, const Windows& w, Combine combine,
                 Expression body) {
    const Extents shape = c.shape();
    const int n = int(w.size.size()), lead = x.rank() - n;
    Definition d;
    d.combine = combine;
    d.reduction = w.size;
    d.body = std::move(body);
    Extents space = shape;
    space.insert(space.end(), w.size.begin(), w.size.end());
    std::vector<Index> at = identity(lead);
    for (int i = 0; i < n; ++i) {
        const auto k = std::size_t(i);
        at.push_back(Index::axis(lead + i, w.stride[k], -w.padding[k]) + Index::axis(x.rank() + i, w.dilation[k]));
    }
    d.reads = {b.at(x, std::move(at), space, neutral(combine))};
    return b.add(c.node(), shape, c.dtype(), std::move(d));
}

template <int n> Value maxPool(Builder& b, const OperatorCall& c) {
    Windows w{c.integers(1, "kernel_size", n, 1), {}, c.integers(3, "padding", n, 0), c.integers(4, "dilation", n, 1)};
    w.stride = c.integers(2, "stride").empty() ? w.size : c.integers(2, "stride", n, 1);
    return result(windowed(b, c, c.operand(0, "self"), w, Combine::maximum, operandAt(0)));
}

template <int n> Value averagePool(Builder& b, const OperatorCall& c) {
    Windows w{c.integers(1, "kernel_size", n, 1), {}, c.integers(3, "padding", n, 0), std::vector<std::int64_t>(n, 1)};
    w.stride = c.integers(2, "stride").empty() ? w.size : c.integers(2, "stride", n, 1);
    const Operand x = c.operand(0, "self");
    const Extents shape = c.shape();
    double window = 1;
    bool padded = false, ragged = false; // a window over the padding, and one over what lies beyond it
    for (int i = 0; i < n; ++i) {
        const auto k = std::size_t(i);
        window *= double(w.size[k]);
        padded = padded || w.padding[k] > 0;
        const std::int64_t last = (shape[shape.size() - n + k] - 1) * w.stride[k] - w.padding[k] + w.size[k];
        ragged = ragged || last > x.shape[x.shape.size() - n + k] + w.padding[k];
    }
    if (ragged || (padded && !c.flag(5, "count_include_pad", true)))
        c.refuse("windows of different counts of elements");
    if (const double divisor = n == 1 ? 0 : c.number(6, "divisor_override", 0); divisor != 0) window = divisor;
    return result(windowed(b, c, x, w, Combine::sum, literal(1.0 / window) * operandAt(0)));
}

/// Parts of the same length each: those that divide the extent. An extent of 1 is every part.
template <int n> Value adaptiveAverage(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const Extents shape = c.shape();
    Windows w{{}, {}, std::vector<std::int64_t>(n, 0), std::vector<std::int64_t>(n, 1)};
    double window = 1;
    for (int i = 0; i < n; ++i) {
        const std::size_t axis = shape.size() - n + std::size_t(i);
        const std::int64_t from = x.shape[axis], to = shape[axis];
        if (from % to != 0 && from != 1) c.refuse("parts of different lengths");
        w.size.push_back(from == 1 ? 1 : from / to);
        w.stride.push_back(from == 1 ? 0 : from / to);
        window *= double(w.size.back());
    }
    return result(windowed(b, c, x, w, Combine::sum, literal(1.0 / window) * operandAt(0)));
}

constexpr Entry poolingEntries[] = {
    {"max_pool1d", maxPool<1>},
    {"max_pool2d", maxPool<2>},
    {"max_pool3d", maxPool<3>},
    {"avg_pool1d", averagePool<1>},
    {"avg_pool2d", averagePool<2>},
    {"avg_pool3d", averagePool<3>},
    {"adaptive_avg_pool1d", adaptiveAverage<1>},
    {"adaptive_avg_pool2d", adaptiveAverage<2>},
    {"adaptive_avg_pool3d", adaptiveAverage<3>},
};

} // namespace

Family poolingFamily() {
    return poolingEntries;
}

} // namespace kernelarium::algebra::lowering
