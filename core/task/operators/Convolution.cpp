// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution as a matrix product: patches of the input become columns, a block of positions at a time.
#include "core/task/operators/Convolution.h"

#include "core/task/operators/Blas.h"
#include "core/task/operators/Types.h"

#include <algorithm>
#include <vector>

namespace kernelarium::task::operators {

namespace {

constexpr std::int64_t columnBytes = 1 << 20; ///< scratch for one block of columns: what a core's caches hold

/// Walks the grid positions [begin, end) in runs along the last dimension: f(position, d, h, firstW, length).
template <class F> void forRuns(const Three& grid, std::int64_t begin, std::int64_t end, F f) {
    std::int64_t w = begin % grid[2], h = begin / grid[2] % grid[1], d = begin / grid[2] / grid[1];
    for (std::int64_t p = begin; p < end; w = 0) {
        const std::int64_t n = std::min(grid[2] - w, end - p);
        f(p, d, h, w, n);
        p += n;
        if (++h < grid[1]) continue;
        h = 0;
        ++d;
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
void forTaps(const ConvolutionPlan& p, const Three& grid, const Three& large, std::int64_t channel, std::int64_t begin,
             std::int64_t end, F f) {
    for (std::int64_t kd = 0; kd < p.kernel[0]; ++kd)
        for (std::int64_t kh = 0; kh < p.kernel[1]; ++kh)
            for (std::int64_t kw = 0; kw < p.kernel[2]; ++kw) {
                const std::int64_t row = ((channel * p.kernel[0] + kd) * p.kernel[1] + kh) * p.kernel[2] + kw;
                const Tap whole = tapOf(0, grid[2], kw, p, large[2]); // nearly every run is a whole line
                forRuns(grid, begin, end,
                        [&](std::int64_t at, std::int64_t d, std::int64_t h, std::int64_t w, std::int64_t n) {
                            const std::int64_t ld = d * p.stride[0] - p.padding[0] + kd * p.dilation[0];
                            const std::int64_t lh = h * p.stride[1] - p.padding[1] + kh * p.dilation[1];
                            const bool within = ld >= 0 && ld < large[0] && lh >= 0 && lh < large[1];
                            f(row, at - begin, within ? (ld * large[1] + lh) * large[2] : -1,
                              n == grid[2] ? whole : tapOf(w, n, kw, p, large[2]), n);
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
    return std::clamp<std::int64_t>(columnBytes / std::int64_t(sizeof(T)) / std::max<std::int64_t>(rows, 1), 64,
                                    std::max<std::int64_t>(positions, 64));
}

template <class T> void copyEvery(std::int64_t stride, const T* from, std::int64_t n, T* to) {
    if (stride == 1) {
        std::copy_n(from, n, to);
        return;
    }
    for (std::int64_t i = 0; i < n; ++i)
        to[i] = from[i * stride];
}
template <class T> void addToEvery(std::int64_t stride, const T* from, std::int64_t n, T* to) {
    if (stride == 1) {
        for (std::int64_t i = 0; i < n; ++i)
            to[i] += from[i];
        return;
    }
    for (std::int64_t i = 0; i < n; ++i)
        to[i * stride] += from[i];
}

/// Fills channel `c`'s rows of the column matrix for the output positions [begin, begin + n).
template <class T>
void fillColumns(const ConvolutionPlan& p, const T* channel, std::int64_t c, std::int64_t begin, std::int64_t n,
                 T* columns) {
    forTaps(p, p.out, p.in, c, begin, begin + n,
            [&](std::int64_t row, std::int64_t column, std::int64_t from, const Tap& tap, std::int64_t run) {
                T* to = columns + row * n + column;
                if (from < 0) {
                    std::fill_n(to, run, T(0));
                    return;
                }
                const T* line = channel + from + tap.offset;
                std::fill_n(to, tap.first, T(0));
                copyEvery(p.stride[2], line + tap.first * p.stride[2], tap.last - tap.first, to + tap.first);
                std::fill_n(to + tap.last, run - tap.last, T(0));
            });
}
/// Adds channel `c`'s rows of the column matrix, for the input positions [begin, begin + n), to the output.
template <class T>
void spreadColumns(const ConvolutionPlan& p, const T* columns, std::int64_t c, std::int64_t begin, std::int64_t n,
                   T* channel) {
    forTaps(p, p.in, p.out, c, begin, begin + n,
            [&](std::int64_t row, std::int64_t column, std::int64_t to, const Tap& tap, std::int64_t) {
                if (to < 0) return;
                const T* from = columns + row * n + column;
                T* line = channel + to + tap.offset;
                addToEvery(p.stride[2], from + tap.first, tap.last - tap.first, line + tap.first * p.stride[2]);
            });
}

/// How the work is cut: images times groups ("planes"), each in blocks of positions. Where there are enough planes,
/// each is one thread's, with its own columns; else the threads share a block's columns and its product.
struct Cut {
    std::int64_t planes, positions, rows, block;
    bool threadPerPlane;
    unsigned blasThreads; ///< 0 is the context's
};
template <class T>
Cut cutOf(const Call& call, const ConvolutionPlan& p, std::int64_t rows, std::int64_t positions, bool columns) {
    Cut cut{p.batch * p.groups, positions, rows, positions, false, 0};
    if (columns) cut.block = std::min(positions, blockOf<T>(rows, positions));
    cut.threadPerPlane = call.context().threads > 1 && cut.planes >= 2 * std::int64_t(call.context().threads);
    cut.blasThreads = cut.threadPerPlane ? 1 : 0;
    const unsigned holders = cut.threadPerPlane ? call.context().threads : 1;
    if (columns) call.reserve(std::uint64_t(rows * cut.block) * sizeof(T) * holders);
    return cut;
}
/// Calls f(plane, columns) for every plane, `columns` being scratch of rows x block elements, empty where not needed.
template <class T, class F> void forPlanes(const Call& call, const Cut& cut, bool columns, F f) {
    const auto some = [&](std::int64_t first, std::int64_t last) {
        std::vector<T> scratch(columns ? std::size_t(cut.rows * cut.block) : 0);
        for (std::int64_t plane = first; plane < last; ++plane)
            f(plane, scratch.data());
    };
    if (!cut.threadPerPlane) return some(0, cut.planes);
    const std::int64_t each = std::max<std::int64_t>(1, cut.planes / (8 * std::int64_t(call.context().threads)));
    parallelFor(call, cut.planes, each, some);
}
/// Calls f(channel) for the channels of a plane, in several threads where the plane is not one thread's.
template <class F>
void forChannels(const Call& call, const Cut& cut, std::int64_t channels, std::int64_t workEach, F f) {
    const auto some = [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t c = first; c < last; ++c)
            f(c);
    };
    if (cut.threadPerPlane) return some(0, channels);
    parallelFor(call, channels, std::max<std::int64_t>(1, elementPiece / std::max<std::int64_t>(workEach, 1)), some);
}

template <class T> void convolveTyped(const Call& call, const ConvolutionPlan& p, const T* x, const T* weight, T* out) {
    const std::int64_t rows = p.inPerGroup() * volume(p.kernel), inRun = volume(p.in);
    const bool pointwise = isPointwise(p);
    const Cut cut = cutOf<T>(call, p, rows, volume(p.out), !pointwise);
    forPlanes<T>(call, cut, !pointwise, [&](std::int64_t plane, T* columns) {
        const T* source = x + plane * p.inPerGroup() * inRun;
        const Matrix<T> w{weight + plane % p.groups * p.outPerGroup() * rows, rows};
        T* target = out + plane * p.outPerGroup() * cut.positions;
        for (std::int64_t begin = 0; begin < cut.positions; begin += cut.block) {
            const std::int64_t n = std::min(cut.block, cut.positions - begin);
            if (!pointwise)
                forChannels(call, cut, p.inPerGroup(), volume(p.kernel) * n,
                            [&](std::int64_t c) { fillColumns(p, source + c * inRun, c, begin, n, columns); });
            const Matrix<T> patches = pointwise ? Matrix<T>{source, cut.positions} : Matrix<T>{columns, n};
            multiply(call, p.outPerGroup(), n, rows, 1.0, w, patches, 1.0, target + begin, cut.positions,
                     cut.blasThreads);
        }
    });
}

template <class T>
void transposeTyped(const Call& call, const ConvolutionPlan& p, const T* x, const T* weight, T* out) {
    const std::int64_t rows = p.outPerGroup() * volume(p.kernel), outRun = volume(p.out);
    const Cut cut = cutOf<T>(call, p, rows, volume(p.in), true);
    forPlanes<T>(call, cut, true, [&](std::int64_t plane, T* columns) {
        const T* source = x + plane * p.inPerGroup() * cut.positions;
        T* target = out + plane * p.outPerGroup() * outRun;
        const Matrix<T> w{weight + plane % p.groups * p.inPerGroup() * rows, rows, true};
        for (std::int64_t begin = 0; begin < cut.positions; begin += cut.block) {
            const std::int64_t n = std::min(cut.block, cut.positions - begin);
            multiply(call, rows, n, p.inPerGroup(), 1.0, w, Matrix<T>{source + begin, cut.positions}, 0.0, columns, n,
                     cut.blasThreads);
            forChannels(call, cut, p.outPerGroup(), volume(p.kernel) * n,
                        [&](std::int64_t c) { spreadColumns(p, columns, c, begin, n, target + c * outRun); });
        }
    });
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
