// SPDX-License-Identifier: GPL-3.0-or-later
// softmax, log_softmax and logsumexp, each shifted by the largest element.
#include "core/task/operators/Reduce.h"

#include <cmath>
#include <limits>

namespace kernelarium::task::operators {

namespace {

/// The largest element and the sum of exp(x - largest).
struct ShiftedSum {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0.0;
};

template <class T> ShiftedSum shiftedSum(const T* x, std::int64_t n, std::int64_t step) {
    ShiftedSum s;
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = x[i * step];
        if (v > s.largest || std::isnan(v)) s.largest = v;
        if (std::isnan(v)) break;
    }
    for (std::int64_t i = 0; i < n; ++i)
        s.sum += std::exp(double(x[i * step]) - s.largest);
    return s;
}

template <bool logarithm> Results softmax(const Call& call) {
    Tensor x = call.tensor(0, "self");
    // _softmax's third argument says whether to widen a narrow type, softmax.int's is the type itself.
    const bool typed = !call.name().starts_with("aten._");
    x = floating(x.to((typed ? call.dtype(2, "dtype") : std::nullopt).value_or(x.dtype())));
    const Folded f = fold(call, x, x.dim() ? Shape{wrapDim(call.integer(1, "dim"), x.dim())} : Shape{}, true);
    Tensor out = call.makeUnfilled(x.dtype(), x.shape());
    if (call.shapesOnly()) return {out};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const std::int64_t piece = std::max<std::int64_t>(1, elementPiece / std::max<std::int64_t>(1, f.length));
        parallelFor(call, f.outer * f.inner, piece, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                const std::int64_t base = r / f.inner * f.length * f.inner + r % f.inner;
                const T* from = x.data<T>() + base;
                T* to = out.data<T>() + base;
                const ShiftedSum s = shiftedSum(from, f.length, f.inner);
                const double shift = logarithm ? s.largest + std::log(s.sum) : s.largest;
                for (std::int64_t i = 0; i < f.length; ++i) {
                    const double v = double(from[i * f.inner]) - shift;
                    to[i * f.inner] = T(logarithm ? v : std::exp(v) / s.sum);
                }
            }
        });
    });
    return {out};
}

Results logsumexp(const Call& call) {
    const Tensor x = floating(call.tensor(0, "self"));
    const Folded f = fold(call, x, wrapDims(call.optionalIntegers(1, "dim"), x.dim()), call.flag(2, "keepdim", false));
    Tensor out = call.makeUnfilled(x.dtype(), f.result);
    if (call.shapesOnly()) return {out};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        parallelFor(call, f.outer * f.inner, 64, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                const T* from = f.x.template data<T>() + r / f.inner * f.length * f.inner + r % f.inner;
                const ShiftedSum s = shiftedSum(from, f.length, f.inner);
                out.data<T>()[r] = T(std::isinf(s.largest) ? s.largest : s.largest + std::log(s.sum));
            }
        });
    });
    return {out};
}

constexpr Entry softmaxEntries[] = {
    {"aten.softmax.int", softmax<false>},
    {"aten._softmax.default", softmax<false>},
    {"aten.special_softmax.default", softmax<false>},
    {"aten.log_softmax.int", softmax<true>},
    {"aten._log_softmax.default", softmax<true>},
    {"aten.logsumexp.default", logsumexp},
};

} // namespace

Family softmaxFamily() {
    return softmaxEntries;
}

} // namespace kernelarium::task::operators
