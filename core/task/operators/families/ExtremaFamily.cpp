// SPDX-License-Identifier: GPL-3.0-or-later
// Largest and smallest elements and where they are. NaN counts as the extreme; of equal elements the first is
// taken.
#include "core/task/operators/Reduce.h"

#include <cmath>

namespace kernelarium::task::operators {

namespace {

template <class T> bool isNan(T x) {
    return x != x;
}
/// Whether `v` takes the place of `best`.
template <bool largest, class T> bool beats(T v, T best) {
    return !isNan(best) && (isNan(v) || (largest ? v > best : v < best));
}

struct Extreme {
    Tensor values, indices;
};
template <bool largest> Extreme extreme(const Call& call, const Tensor& input, const Shape& dims, bool keep) {
    const DType type = computeType(input.dtype());
    const Folded f = fold(call, input.to(type), dims, keep);
    Tensor values = call.make(type, f.result), indices = call.make(DType::Int64, f.result);
    if (f.length == 0 && values.count() > 0)
        badArgument(std::string(call.name()) + ": Expected reduction dim to have non-zero size.");
    if (!call.shapesOnly())
        withComputed(call, type, [&](auto tag) {
            using T = decltype(tag);
            struct State {
                T value{};
                std::int64_t index = -1;
            };
            std::int64_t* at = indices.data<std::int64_t>();
            T* to = values.data<T>();
            const auto step = [](State& s, T v, std::int64_t i) {
                if (s.index < 0 || beats<largest>(v, s.value)) s = {v, i};
            };
            reduce<T>(call, f, to, State{}, step, [](const State& s) { return s.value; });
            reduce<T>(call, f, at, State{}, step, [](const State& s) { return s.index; });
        });
    return {values.to(input.dtype()), indices};
}

template <bool largest> Results alongDim(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Extreme e =
        extreme<largest>(call, x, {wrapDim(call.integer(1, "dim"), x.dim())}, call.flag(2, "keepdim", false));
    return {e.values, e.indices};
}
template <bool largest> Results ofAll(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {extreme<largest>(call, x, wrapDims(std::nullopt, x.dim()), false).values};
}
template <bool largest> Results alongDims(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {
        extreme<largest>(call, x, wrapDims(call.optionalIntegers(1, "dim"), x.dim()), call.flag(2, "keepdim", false))
            .values};
}
template <bool largest> Results where(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (!call.find(1, "dim")) {
        Extreme e = extreme<largest>(call, x.reshaped({x.count()}), {0}, false);
        return {call.flag(2, "keepdim", false) ? e.indices.reshaped(Shape(x.shape().size(), 1)) : e.indices};
    }
    return {
        extreme<largest>(call, x, {wrapDim(call.integer(1, "dim"), x.dim())}, call.flag(2, "keepdim", false)).indices};
}

constexpr Entry extremaEntries[] = {
    {"aten.max.dim", alongDim<true>},       {"aten.min.dim", alongDim<false>},
    {"aten.max.default", ofAll<true>},      {"aten.min.default", ofAll<false>},
    {"aten.amax.default", alongDims<true>}, {"aten.amin.default", alongDims<false>},
    {"aten.argmax.default", where<true>},   {"aten.argmin.default", where<false>},
};

} // namespace

Family extremaFamily() {
    return extremaEntries;
}

} // namespace kernelarium::task::operators
