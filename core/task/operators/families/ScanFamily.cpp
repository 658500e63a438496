// SPDX-License-Identifier: GPL-3.0-or-later
// Running sums, products and extremes along one dimension.
#include "core/task/operators/Reduce.h"

namespace kernelarium::task::operators {

namespace {

/// Scans in the order of memory; `Acc` is the running value's type.
template <class T, class Acc, class F> void scanInto(const Call& call, const Folded& f, T* out, Acc start, F combine) {
    const T* x = f.x.data<T>();
    constexpr std::int64_t columns = 512;
    const std::int64_t blocks = (f.inner + columns - 1) / columns;
    parallelFor(call, f.outer * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Acc> running;
        for (std::int64_t b = begin; b < end; ++b) {
            const std::int64_t first = b % blocks * columns, n = std::min(columns, f.inner - first);
            running.assign(std::size_t(n), start);
            const std::int64_t base = b / blocks * f.length * f.inner + first;
            for (std::int64_t i = 0; i < f.length; ++i)
                for (std::int64_t c = 0; c < n; ++c) {
                    Acc& r = running[std::size_t(c)];
                    r = combine(r, Acc(x[base + i * f.inner + c]));
                    out[base + i * f.inner + c] = T(r);
                }
        }
    });
}

/// Floats accumulate in double, integers in int64.
template <class F> Results scan(const Call& call, double start, F combine) {
    Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), x.dim());
    const DType given = call.dtype(2, "dtype").value_or(isFloating(x.dtype()) ? x.dtype() : DType::Int64);
    x = x.to(computeType(given));
    Folded f = fold(call, x, x.dim() ? Shape{dim} : Shape{}, true);
    Tensor out = call.make(x.dtype(), x.shape());
    if (!call.shapesOnly())
        withComputed(call, x.dtype(), [&](auto tag) {
            using T = decltype(tag);
            using Acc = std::conditional_t<std::is_integral_v<T>, T, double>;
            scanInto<T, Acc>(call, f, out.data<T>(), Acc(start), combine);
        });
    return {out.to(given)};
}
Results cumsum(const Call& call) {
    return scan(call, 0.0, [](auto a, auto b) { return a + b; });
}
Results cumprod(const Call& call) {
    return scan(call, 1.0, [](auto a, auto b) { return a * b; });
}

constexpr Entry scanEntries[] = {
    {"aten.cumsum.default", cumsum},
    {"aten.cumprod.default", cumprod},
};

} // namespace

Family scanFamily() {
    return scanEntries;
}

} // namespace kernelarium::task::operators
