// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Gather.h"
#include "core/task/operators/Types.h"

namespace kernelarium::task::operators {

/// A tensor seen as [outer, length, inner] with `length` the elements that fold into one.
struct Folded {
    Tensor x; ///< permuted where the reduced dimensions are not neighbours
    std::int64_t outer = 1, length = 1, inner = 1;
    Shape result; ///< of the reduction, with or without the reduced dimensions as 1
};
[[nodiscard]] Folded fold(const Call& call, const Tensor& x, const Shape& dims, bool keepDims);

/// Folds `length` elements into one: State is copied from `start`, step(state, value, index) takes them in
/// order, finish(state) is what goes to `out` (outer * inner elements).
template <class T, class R, class State, class Step, class Finish>
void reduce(const Call& call, const Folded& f, R* out, const State& start, Step step, Finish finish) {
    const T* x = f.x.data<T>();
    if (f.inner == 1) {
        const std::int64_t piece = std::max<std::int64_t>(1, elementPiece / std::max<std::int64_t>(f.length, 1));
        parallelFor(call, f.outer, piece, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t o = begin; o < end; ++o) {
                State state = start;
                const T* row = x + o * f.length;
                for (std::int64_t i = 0; i < f.length; ++i)
                    step(state, row[i], i);
                out[o] = R(finish(state));
            }
        });
        return;
    }
    // Columns side by side, so that memory is read in order.
    constexpr std::int64_t columns = 512;
    const std::int64_t blocks = (f.inner + columns - 1) / columns;
    parallelFor(call, f.outer * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<State> states;
        for (std::int64_t b = begin; b < end; ++b) {
            const std::int64_t o = b / blocks, first = b % blocks * columns, n = std::min(columns, f.inner - first);
            states.assign(std::size_t(n), start);
            const T* block = x + o * f.length * f.inner + first;
            for (std::int64_t i = 0; i < f.length; ++i)
                for (std::int64_t c = 0; c < n; ++c)
                    step(states[std::size_t(c)], block[i * f.inner + c], i);
            for (std::int64_t c = 0; c < n; ++c)
                out[o * f.inner + first + c] = R(finish(states[std::size_t(c)]));
        }
    });
}

/// Mean and centred sum of squares by Welford's update (Technometrics 4, 1962), in double.
struct Moments {
    double count = 0, mean = 0, squares = 0;
    void add(double x) {
        count += 1;
        const double d = x - mean;
        mean += d / count;
        squares += d * (x - mean);
    }
};

} // namespace kernelarium::task::operators
