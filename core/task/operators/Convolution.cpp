// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution as a matrix product: patches of the input become columns, a block of positions at a time.
#include "core/task/operators/Convolution.h"

#include "core/task/operators/Blas.h"
#include "core/task/operators/Types.h"

#include <algorithm>

namespace kernelarium::task::operators {

namespace {

constexpr std::int64_t columnBytes = 16 << 20; ///< scratch for one block of columns

/// Walks the grid positions [begin, end) in runs along the last dimension: f(position, d, h, firstW, length).
template <class F> void forRuns(const Three& grid, std::int64_t begin, std::int64_t end, F f) {
    for (std::int64_t p = begin; p < end;) {
        const std::int64_t w = p % grid[2], h = p / grid[2] % grid[1], d = p / grid[2] / grid[1];
        const std::int64_t n = std::min(grid[2] - w, end - p);
        f(p, d, h, w, n);
        p += n;
    }
}

/// How a window tap meets a run of grid positions: large = grid * stride - padding + tap * dilation.
struct Tap {
    std::int64_t offset;      ///< of the tap at grid position 0 of the run, in the last dimension
    std::int64_t first, last; ///< positions of the run whose tap lies inside
};
Tap tapOf(std::int64_t w, std::int64_t n, std::int64_t kw, const ConvolutionPlan& p, std::int64_t size) {
    const std::int64_t s = p.stride[2];
    const std::int64_t offset = w * s - p.padding[2] + kw * p.dilation[2];
    const std::int64_t first = offset >= 0 ? 0 : (-offset + s - 1) / s;
    const std::int64_t last = offset >= size ? 0 : std::min(n, (size - 1 - offset) / s + 1);
    return {offset, std::min(first, n), std::max(std::min(first, n), last)};
}

/// Visits every (row of the column matrix, run of grid positions): f(row, column, largeRow or -1, tap, n).
template <class F>
void forTaps(const ConvolutionPlan& p, const Three& grid, const Three& large, std::int64_t channel,
             std::int64_t begin, std::int64_t end, F f) {
    for (std::int64_t kd = 0; kd < p.kernel[0]; ++kd)
        for (std::int64_t kh = 0; kh < p.kernel[1]; ++kh)
            for (std::int64_t kw = 0; kw < p.kernel[2]; ++kw) {
                const std::int64_t row = ((channel * p.kernel[0] + kd) * p.kernel[1] + kh) * p.kernel[2] + kw;
                forRuns(grid, begin, end,
                        [&](std::int64_t at, std::int64_t d, std::int64_t h, std::int64_t w, std::int64_t n) {
                            const std::int64_t ld = d * p.stride[0] - p.padding[0] + kd * p.dilation[0];
                            const std::int64_t lh = h * p.stride[1] - p.padding[1] + kh * p.dilation[1];
                            const bool within = ld >= 0 && ld < large[0] && lh >= 0 && lh < large[1];
                            f(row, at - begin, within ? (ld * large[1] + lh) * large[2] : -1,
                              tapOf(w, n, kw, p, large[2]), n);
                        });
            }
}

template <class T>
void fillBias(const std::optional<Tensor>& bias, Tensor& out, std::int64_t batch, std::int64_t channels,
              std::int64_t run) {
    if (!bias) return;
    const Tensor b = bias->to(out.dtype());
    for (std::int64_t i = 0; i < batch * channels; ++i)
        std::fill_n(out.data<T>() + i * run, run, b.data<T>()[i % channels]);
}

bool isPointwise(const ConvolutionPlan& p) {
    return volume(p.kernel) == 1 && volume(p.stride) == 1 && p.padding == Three{0, 0, 0};
}

template <class T> std::int64_t blockOf(std::int64_t rows, std::int64_t positions) {
    return std::clamp<std::int64_t>(columnBytes / std::int64_t(sizeof(T)) / std::max<std::int64_t>(rows, 1),
                                    64, std::max<std::int64_t>(positions, 64));
}

template <class T>
void convolveTyped(const Call& call, const ConvolutionPlan& p, const T* x, const T* weight, T* out) {
    const std::int64_t rows = p.inPerGroup() * volume(p.kernel), positions = volume(p.out),
                       inRun = volume(p.in);
    const std::int64_t block = isPointwise(p) ? positions : std::min(positions, blockOf<T>(rows, positions));
    std::vector<T> columns;
    if (!isPointwise(p)) {
        call.reserve(std::uint64_t(rows * block) * sizeof(T));
        columns.resize(std::size_t(rows * block));
    }
    for (std::int64_t ng = 0; ng < p.batch * p.groups; ++ng) {
        const T* source = x + ng * p.inPerGroup() * inRun;
        const std::int64_t g = ng % p.groups;
        for (std::int64_t begin = 0; begin < positions; begin += block) {
            const std::int64_t n = std::min(block, positions - begin);
            if (!isPointwise(p))
                parallelFor(call, p.inPerGroup(),
                            std::max<std::int64_t>(1, elementPiece / (volume(p.kernel) * n)),
                            [&](std::int64_t first, std::int64_t last) {
                                for (std::int64_t c = first; c < last; ++c)
                                    forTaps(p, p.out, p.in, c, begin, begin + n,
                                            [&](std::int64_t row, std::int64_t column, std::int64_t from,
                                                const Tap& tap, std::int64_t run) {
                                                T* to = columns.data() + row * n + column;
                                                if (from < 0) {
                                                    std::fill_n(to, run, T(0));
                                                    return;
                                                }
                                                const T* line = source + c * inRun + from + tap.offset;
                                                std::fill_n(to, tap.first, T(0));
                                                for (std::int64_t i = tap.first; i < tap.last; ++i)
                                                    to[i] = line[i * p.stride[2]];
                                                std::fill_n(to + tap.last, run - tap.last, T(0));
                                            });
                            });
            multiply(call, p.outPerGroup(), n, rows, 1.0,
                     Matrix<T>{weight + g * p.outPerGroup() * rows, rows},
                     isPointwise(p) ? Matrix<T>{source, positions} : Matrix<T>{columns.data(), n}, 1.0,
                     out + ng * p.outPerGroup() * positions + begin, positions);
        }
    }
}

template <class T>
void transposeTyped(const Call& call, const ConvolutionPlan& p, const T* x, const T* weight, T* out) {
    const std::int64_t rows = p.outPerGroup() * volume(p.kernel), positions = volume(p.in),
                       outRun = volume(p.out);
    const std::int64_t block = std::min(positions, blockOf<T>(rows, positions));
    call.reserve(std::uint64_t(rows * block) * sizeof(T));
    std::vector<T> columns(std::size_t(rows * block));
    for (std::int64_t ng = 0; ng < p.batch * p.groups; ++ng) {
        const T* source = x + ng * p.inPerGroup() * positions;
        T* target = out + ng * p.outPerGroup() * outRun;
        const T* w = weight + ng % p.groups * p.inPerGroup() * rows;
        for (std::int64_t begin = 0; begin < positions; begin += block) {
            const std::int64_t n = std::min(block, positions - begin);
            multiply(call, rows, n, p.inPerGroup(), 1.0, Matrix<T>{w, rows, true},
                     Matrix<T>{source + begin, positions}, 0.0, columns.data(), n);
            parallelFor(call, p.outPerGroup(),
                        std::max<std::int64_t>(1, elementPiece / (volume(p.kernel) * n)),
                        [&](std::int64_t first, std::int64_t last) {
                            for (std::int64_t c = first; c < last; ++c)
                                forTaps(p, p.in, p.out, c, begin, begin + n,
                                        [&](std::int64_t row, std::int64_t column, std::int64_t to,
                                            const Tap& tap, std::int64_t) {
                                            if (to < 0) return;
                                            const T* from = columns.data() + row * n + column;
                                            T* line = target + c * outRun + to + tap.offset;
                                            for (std::int64_t i = tap.first; i < tap.last; ++i)
                                                line[i * p.stride[2]] += from[i];
                                        });
                        });
        }
    }
}

} // namespace

void convolve(const Call& call, const ConvolutionPlan& plan, const Tensor& x, const Tensor& weight,
              const std::optional<Tensor>& bias, Tensor& out) {
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        fillBias<T>(bias, out, plan.batch, plan.outChannels, volume(plan.out));
        convolveTyped<T>(call, plan, x.data<T>(), weight.data<T>(), out.data<T>());
    });
}
void convolveTransposed(const Call& call, const ConvolutionPlan& plan, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias, Tensor& out) {
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        fillBias<T>(bias, out, plan.batch, plan.outChannels, volume(plan.out));
        transposeTyped<T>(call, plan, x.data<T>(), weight.data<T>(), out.data<T>());
    });
}

} // namespace kernelarium::task::operators
