// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions and their transposes as products of [channels, taps] and [taps, positions] that are never
// stored.
namespace kernelarium::operators {

/// A grid position: its origin in the input, and whether it exists.
struct Position {
    Long batch;
    int q[3];
};
__device__ inline Position positionOf(const ConvolutionArguments& c, unsigned n) {
    Position p;
    p.q[2] = int(n % c.grid[2]);
    n /= c.grid[2];
    p.q[1] = int(n % c.grid[1]);
    n /= c.grid[1];
    p.q[0] = int(n % c.grid[0]);
    p.batch = n / c.grid[0];
    return p;
}
/// Fewer than 2^31.
__device__ inline Long positionsOf(const ConvolutionArguments& c) {
    return c.batch * c.grid[0] * c.grid[1] * c.grid[2];
}
/// Elements of one channel's results, and the index of a position's result in the first channel of a group.
__device__ inline Long planeOf(const ConvolutionArguments& c) {
    return Long(c.outSize[0]) * c.outSize[1] * c.outSize[2];
}
__device__ inline Long resultAt(const ConvolutionArguments& c, const Position& p, Long group) {
    Long at = (p.batch * c.groups + group) * c.channelsOut;
    for (int d = 0; d < 3; ++d)
        at = at * c.outSize[d] + p.q[d] * c.spread[d] + c.phase[d];
    return at;
}

/// What lies under the taps at one position, in one group.
template <class T> struct Window {
    const T* origin = nullptr;
    int at[3] = {0, 0, 0};
    bool exists = false;

    __device__ void place(const ConvolutionArguments& c, const Position& p, Long group) {
        Long first = p.batch * c.channelsIn + group * c.channelsInGroup;
        for (int d = 0; d < 3; ++d) {
            at[d] = p.q[d] * c.step[d];
            first = first * c.size[d] + at[d];
        }
        origin = ::kernelarium::operators::at<const T>(c.in) + first;
        exists = true;
    }
    __device__ T under(const ConvolutionArguments& c, const Tap& t) const {
        const bool inside = unsigned(at[0] + t.depth) < unsigned(c.size[0]) &&
                            unsigned(at[1] + t.height) < unsigned(c.size[1]) &&
                            unsigned(at[2] + t.width) < unsigned(c.size[2]);
        return inside ? origin[t.offset] : T(0);
    }
};

template <class T> struct ConvolutionSource {
    using Index = int;
    const ConvolutionArguments& c;
    Long group;
    int positions;
    const T* weight;
    Window<T> window;

    __device__ bool aAlongInner() const { return true; }
    __device__ bool bAlongInner() const { return false; }
    __device__ void begin(int n) {
        if (n < positions) window.place(c, positionOf(c, unsigned(n)), group);
    }
    __device__ T a(int m, int k) const {
        return m < int(c.channelsOut) && k < int(c.tapCount)
                   ? weight[at<const Tap>(c.taps)[k].weight + m * c.weightRow]
                   : T(0);
    }
    __device__ T b(int, int k) const {
        return window.exists && k < int(c.tapCount) ? window.under(c, at<const Tap>(c.taps)[k]) : T(0);
    }
    using Column = Long; ///< where its first channel's result goes; -1 beyond the edge
    __device__ Column column(int n) const {
        return n < positions ? resultAt(c, positionOf(c, unsigned(n)), group) : -1;
    }
    __device__ void store(Column first, int m, T v) const {
        if (m >= c.channelsOut || first < 0) return;
        if (c.bias) v += at<const T>(c.bias)[group * c.channelsOut + m];
        at<T>(c.out)[first + m * planeOf(c)] = v;
    }
};
template <class T, class Shape> __device__ inline void convolve(const ConvolutionArguments& c) {
    for (Long group = blockIdx.z; group < c.groups; group += gridDim.z) {
        ConvolutionSource<T> source{
            c, group, int(positionsOf(c)), at<const T>(c.weight) + group * c.weightGroup, {}};
        Shape::run(source, int(c.tapCount));
    }
}

/// A thread for each result of a convolution whose groups have one input channel, with a kernel of this size.
template <class T, int depth, int height, int width> __device__ inline void convolveDepthwise(const ConvolutionArguments& c) {
    const Long positions = positionsOf(c), each = positions * c.channelsOut;
    for (Long i = firstIndex(); i < each * c.groups; i += allThreads()) {
        const Long group = quotient(i, each), within = i - group * each, m = quotient(within, positions);
        const Position p = positionOf(c, unsigned(within - m * positions));
        const T* weight = at<const T>(c.weight) + group * c.weightGroup + m * c.weightRow;
        const T* plane = at<const T>(c.in) + (p.batch * c.channelsIn + group) * (Long(c.size[0]) * c.size[1] * c.size[2]);
        const int z0 = p.q[0] * c.step[0] - c.padding[0], y0 = p.q[1] * c.step[1] - c.padding[1], x0 = p.q[2] * c.step[2] - c.padding[2];
        T sum = c.bias ? at<const T>(c.bias)[group * c.channelsOut + m] : T(0);
#pragma unroll
        for (int k = 0; k < depth * height * width; ++k) {
            const int z = z0 + k / width / height * c.dilation[0], y = y0 + k / width % height * c.dilation[1],
                      x = x0 + k % width * c.dilation[2];
            const bool inside = unsigned(z) < unsigned(c.size[0]) && unsigned(y) < unsigned(c.size[1]) && unsigned(x) < unsigned(c.size[2]);
            if (inside) sum += plane[(z * c.size[1] + y) * c.size[2] + x] * weight[k];
        }
        at<T>(c.out)[resultAt(c, p, group) + m * planeOf(c)] = sum;
    }
}

/// A thread for each result: for groups of a few channels. Sums of `run` products are added up in double.
template <class T> __device__ inline void convolveDirect(const ConvolutionArguments& c) {
    const Long positions = positionsOf(c), each = positions * c.channelsOut;
    for (Long i = firstIndex(); i < each * c.groups; i += allThreads()) {
        constexpr Long run = 32;
        const Long group = quotient(i, each), within = i - group * each, m = quotient(within, positions);
        const Position p = positionOf(c, unsigned(within - m * positions));
        Window<T> window;
        window.place(c, p, group);
        const T* weight = at<const T>(c.weight) + group * c.weightGroup + m * c.weightRow;
        double sum = c.bias ? double(at<const T>(c.bias)[group * c.channelsOut + m]) : 0.0;
        for (Long first = 0; first < c.tapCount; first += run) {
            const Long end = first + run < c.tapCount ? first + run : c.tapCount;
            T part = T(0);
            for (Long k = first; k < end; ++k) {
                const Tap t = at<const Tap>(c.taps)[k];
                part += window.under(c, t) * weight[t.weight];
            }
            sum += double(part);
        }
        at<T>(c.out)[resultAt(c, p, group) + m * planeOf(c)] = T(sum);
    }
}

} // namespace kernelarium::operators
