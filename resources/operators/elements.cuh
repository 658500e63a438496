// SPDX-License-Identifier: GPL-3.0-or-later
// What moves or makes elements by their place: scans, triangles, ranges, gathers, recurrent cells, dropout.
namespace kernelarium::operators {

struct RunningSum {
    template <class A> static __device__ A start() { return A(0); }
    template <class A> static __device__ A next(A s, A v) { return s + v; }
};
struct RunningProduct {
    template <class A> static __device__ A start() { return A(1); }
    template <class A> static __device__ A next(A s, A v) { return s * v; }
};
template <class R, class A, class T> __device__ inline void scan(const ScanArguments& a) {
    for (Long t = firstIndex(); t < a.outer * a.inner; t += allThreads()) {
        const Long first = t / a.inner * a.length * a.inner + t % a.inner;
        A s = R::template start<A>();
        for (Long i = 0; i < a.length; ++i) {
            s = R::next(s, fromStored<A>(at<const T>(a.in)[first + i * a.inner]));
            at<T>(a.out)[first + i * a.inner] = toStored<T>(s);
        }
    }
}

/// A block of 256 threads for each row whose elements lie side by side.
template <class R, class A, class T> __device__ inline void scanRows(const ScanArguments& a) {
    constexpr unsigned warps = 8, everyLane = 0xffffffffu;
    __shared__ A ofWarps[warps];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (Long row = blockIdx.x; row < a.outer; row += gridDim.x) {
        A before = R::template start<A>();
        for (Long first = 0; first < a.length; first += blockDim.x) {
            const Long i = first + threadIdx.x, at0 = row * a.length + i;
            A s = i < a.length ? fromStored<A>(at<const T>(a.in)[at0]) : R::template start<A>();
            for (unsigned step = 1; step < 32; step *= 2) {
                const A left = __shfl_up_sync(everyLane, s, step);
                if (lane >= step) s = R::next(left, s);
            }
            if (lane == 31) ofWarps[warp] = s;
            __syncthreads();
            A own = before;
            for (unsigned w = 0; w < warps; ++w) {
                if (w == warp) own = before;
                before = R::next(before, ofWarps[w]);
            }
            if (i < a.length) at<T>(a.out)[at0] = toStored<T>(R::next(own, s));
            __syncthreads();
        }
    }
}

template <class T> __device__ inline void triangle(const TriangleArguments& a) {
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const Long d = i % a.columns - i / a.columns % a.rows;
        const bool keep = a.upper ? d >= a.diagonal : d <= a.diagonal;
        at<T>(a.out)[i] = keep ? at<const T>(a.in)[i] : T{};
    }
}

template <class T> __device__ inline void range(const RangeArguments& a) {
    for (Long i = firstIndex(); i < a.count; i += allThreads())
        at<T>(a.out)[i] = toStored<T>(a.start + double(i) * a.step);
}

/// Index within [0, size), negative ones from the end; notes one that is not.
__device__ inline Long checked(Long index, Long size, Address status) {
    if (index >= -size && index < size) return index < 0 ? index + size : index;
    atomicOr(at<unsigned>(status), 1u);
    return 0;
}
template <class T> __device__ inline void gather(const GatherArguments& a) {
    for (Long i = firstIndex(); i < a.outer * a.chosen * a.inner; i += allThreads()) {
        const Long k = i / a.inner % a.chosen, o = i / a.inner / a.chosen;
        const Long from = checked(at<const Long>(a.index)[k], a.size, a.status);
        at<T>(a.out)[i] = at<const T>(a.in)[(o * a.size + from) * a.inner + i % a.inner];
    }
}
template <class T> __device__ inline void pick(const PickArguments& a) {
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        Long target = at<const Long>(a.target)[i];
        const bool ignored = target == a.ignored;
        if (!ignored && (target < 0 || target >= a.classes)) atomicOr(at<unsigned>(a.status), 1u);
        if (ignored || target < 0 || target >= a.classes) target = 0;
        const T l = at<const T>(a.logs)[i / a.inner * a.classes * a.inner + target * a.inner + i % a.inner];
        at<double>(a.losses)[i] = ignored ? 0.0 : -double(l);
        at<double>(a.weights)[i] = ignored ? 0.0 : 1.0;
    }
}

template <class T> __device__ inline T logistic(T x) {
    return T(1) / (T(1) + exp(-x));
}
template <class T> __device__ inline void cell(const CellArguments& a) {
    const Long h = a.hidden, width = h * (a.kind == 0 ? 4 : a.kind == 1 ? 3 : 1);
    for (Long t = firstIndex(); t < a.batch * h; t += allThreads()) {
        const Long b = t / h, i = t % h;
        const T* x = at<const T>(a.gates) + b * a.gateRow + i;
        const T* s = at<const T>(a.fromState) + b * width + i;
        T state = at<const T>(a.state)[t];
        if (a.kind == 0) {
            const T kept = logistic(x[h] + s[h]) * at<const T>(a.memory)[t];
            const T memory = kept + logistic(x[0] + s[0]) * tanh(x[2 * h] + s[2 * h]);
            at<T>(a.memory)[t] = memory;
            state = logistic(x[3 * h] + s[3 * h]) * tanh(memory);
        } else if (a.kind == 1) {
            const T reset = logistic(x[0] + s[0]), update = logistic(x[h] + s[h]);
            state = (T(1) - update) * tanh(x[2 * h] + reset * s[2 * h]) + update * state;
        } else {
            const T sum = x[0] + s[0];
            state = a.kind == 2 ? T(tanh(sum)) : sum > T(0) ? sum : T(0);
        }
        at<T>(a.state)[t] = state;
        at<T>(a.out)[b * a.outRow + i] = state;
    }
}

/// SplitMix64's output function (Steele, Lea, Flood 2014) of a counter, as a number in [0, 1).
__device__ inline double drawn(unsigned long long seed, unsigned long long index) {
    unsigned long long z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return double((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}
template <class T> __device__ inline void drop(const DropArguments& a) {
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const T factor = drawn(a.seed, (unsigned long long)i) < a.p ? T(0) : T(1.0 / (1.0 - a.p));
        at<T>(a.out)[i] = at<const T>(a.in)[i] * factor;
    }
}

} // namespace kernelarium::operators
