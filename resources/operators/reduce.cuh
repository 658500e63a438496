// SPDX-License-Identifier: GPL-3.0-or-later
// Folds. An operator R has a State, start(p), step(state, value, index, shift), merge(into, from), and
// first(state, length, p), second(...): its results. A is the accumulator: double, or long long for whole
// numbers.
namespace kernelarium::operators {

template <class A> struct Sum {
    struct State {
        A sum;
    };
    static __device__ State start(const double*) { return {A(0)}; }
    static __device__ void step(State& s, A v, Long, A, const double*) { s.sum += v; }
    static __device__ void merge(State& s, const State& o) { s.sum += o.sum; }
    static __device__ A first(const State& s, Long, A, const double*) { return s.sum; }
    static __device__ A second(const State& s, Long, A, const double*) { return s.sum; }
};
template <class A> struct Mean : Sum<A> {
    using State = typename Sum<A>::State;
    static __device__ A first(const State& s, Long n, A, const double*) { return s.sum / A(n); }
};
template <class A> struct Product : Sum<A> {
    using State = typename Sum<A>::State;
    static __device__ State start(const double*) { return {A(1)}; }
    static __device__ void step(State& s, A v, Long, A, const double*) { s.sum *= v; }
    static __device__ void merge(State& s, const State& o) { s.sum *= o.sum; }
};
template <class A> struct AnyTrue : Sum<A> {
    using State = typename Sum<A>::State;
    static __device__ void step(State& s, A v, Long, A, const double*) { s.sum = s.sum != A(0) || v != A(0); }
    static __device__ void merge(State& s, const State& o) { s.sum = s.sum != A(0) || o.sum != A(0); }
};
template <class A> struct AllTrue : Sum<A> {
    using State = typename Sum<A>::State;
    static __device__ State start(const double*) { return {A(1)}; }
    static __device__ void step(State& s, A v, Long, A, const double*) { s.sum = s.sum != A(0) && v != A(0); }
    static __device__ void merge(State& s, const State& o) { s.sum = s.sum != A(0) && o.sum != A(0); }
};

/// (sum |x|^p)^(1/p) for p = p[0] other than 0 and the infinities.
template <class A> struct Norm : Sum<A> {
    using State = typename Sum<A>::State;
    static __device__ void step(State& s, A v, Long, A, const double* p) {
        const A x = v < A(0) ? -v : v;
        s.sum += p[0] == 2.0 ? v * v : p[0] == 1.0 ? x : pow(x, A(p[0]));
    }
    static __device__ A first(const State& s, Long, A, const double* p) {
        return p[0] == 2.0 ? sqrt(s.sum) : p[0] == 1.0 ? s.sum : pow(s.sum, A(1.0 / p[0]));
    }
};

/// Mean, and with p[0] = 0 the variance with p[1] degrees of freedom taken off (its root where p[2] is 1);
/// with p[0] = 1 the factor 1 / sqrt(variance + p[1]); with p[0] = 2 that of the mean square, mean 0. Sums
/// are taken of x - shift, the shift an element of the row, so that nothing cancels.
template <class A> struct Moments {
    struct State {
        A sum, squares;
    };
    static __device__ State start(const double*) { return {A(0), A(0)}; }
    static __device__ void step(State& s, A v, Long, A shift, const double* p) {
        const A d = p[0] == 2.0 ? v : v - shift;
        s.sum += d;
        s.squares += d * d;
    }
    static __device__ void merge(State& s, const State& o) {
        s.sum += o.sum;
        s.squares += o.squares;
    }
    static __device__ A first(const State& s, Long n, A shift, const double* p) {
        return p[0] == 2.0 ? A(0) : shift + s.sum / A(n);
    }
    static __device__ A second(const State& s, Long n, A, const double* p) {
        if (p[0] == 2.0) return A(1) / sqrt(s.squares / A(n) + A(p[1]));
        const A centred = s.squares - s.sum * (s.sum / A(n));
        const A squares = centred < A(0) ? A(0) : centred;
        if (p[0] == 1.0) return A(1) / sqrt(squares / A(n) + A(p[1]));
        const A freedom = A(n) - A(p[1]);
        const A variance = squares / (freedom > A(0) ? freedom : A(0));
        return p[2] == 1.0 ? sqrt(variance) : variance;
    }
};

/// The largest (p[0] = 1) or smallest (-1) element and where it first stands; NaN counts as the extreme.
template <class A> struct Extreme {
    struct State {
        A value;
        Long index; ///< -1: none yet
    };
    static __device__ State start(const double*) { return {A(0), -1}; }
    static __device__ bool beats(A v, A best) { return best == best && (v != v || v > best); }
    static __device__ void step(State& s, A v, Long i, A, const double* p) {
        const A signedValue = p[0] < 0.0 ? -v : v;
        if (s.index < 0 || beats(signedValue, s.value)) s = {signedValue, i};
    }
    static __device__ void merge(State& s, const State& o) {
        if (o.index < 0) return;
        const bool both = s.value == o.value || (s.value != s.value && o.value != o.value);
        if (s.index < 0 || beats(o.value, s.value) || (both && o.index < s.index)) s = o;
    }
    static __device__ A first(const State& s, Long, A, const double* p) {
        return p[0] < 0.0 ? -s.value : s.value;
    }
    static __device__ Long second(const State& s, Long, A, const double*) { return s.index; }
};

/// first: the largest element (with p[0] = 1 the logarithm of the sum of exponentials); second: the sum of
/// exp(x - largest).
template <class A> struct ShiftedSum {
    struct State {
        A largest, sum;
    };
    static __device__ State start(const double*) { return {-infinity<A>(), A(0)}; }
    static __device__ void step(State& s, A v, Long, A, const double*) {
        if (v == -infinity<A>()) return;
        merge(s, {v, v == infinity<A>() ? v - v : A(1)});
    }
    static __device__ void merge(State& s, const State& o) {
        if (o.largest == -infinity<A>()) return;
        if (s.largest == -infinity<A>()) {
            s = o;
        } else if (o.largest > s.largest || o.largest != o.largest) {
            s.sum = s.sum * exp(s.largest - o.largest) + o.sum;
            s.largest = o.largest;
        } else {
            s.sum += o.sum * exp(o.largest - s.largest);
        }
    }
    static __device__ A first(const State& s, Long, A, const double* p) {
        const bool endless = s.largest == infinity<A>() || s.largest == -infinity<A>();
        return p[0] == 1.0 && !endless ? s.largest + log(s.sum) : s.largest;
    }
    static __device__ A second(const State& s, Long, A, const double*) { return s.sum; }
};

template <class R, class A, class In, class First, class Second>
__device__ inline void finishOutput(const ReduceArguments& a, Long o, const typename R::State& s, A shift) {
    at<First>(a.out)[o] = toStored<First>(R::first(s, a.length, shift, a.p));
    if (a.secondOut) at<Second>(a.secondOut)[o] = toStored<Second>(R::second(s, a.length, shift, a.p));
}
template <class A, class In> __device__ inline A shiftOf(const ReduceArguments& a, const In* row) {
    return a.length > 0 ? fromStored<A>(*row) : A(0);
}
template <class R, class A, class In>
__device__ inline void foldRange(const ReduceArguments& a, const In* row, A shift, Long from, Long end,
                                 Long step, typename R::State& s) {
    constexpr int atOnce = 4; // loads under way: one does not keep a device's memory busy
    Long i = from;
    for (; i + (atOnce - 1) * step < end; i += atOnce * step) {
        In v[atOnce];
        for (int j = 0; j < atOnce; ++j) v[j] = row[locate<1>(a.inner, i + j * step).of[0]];
        for (int j = 0; j < atOnce; ++j) R::step(s, fromStored<A>(v[j]), i + j * step, shift, a.p);
    }
    for (; i < end; i += step)
        R::step(s, fromStored<A>(row[locate<1>(a.inner, i).of[0]]), i, shift, a.p);
}

/// The state of the lane that is so many further on.
template <class State> __device__ inline State fromLane(const State& s, unsigned further) {
    static_assert(sizeof(State) % sizeof(unsigned) == 0);
    constexpr unsigned everyLane = 0xffffffffu, words = sizeof(State) / sizeof(unsigned);
    union Words {
        State state;
        unsigned of[words];
        __device__ Words() {}
    } w;
    w.state = s;
    for (unsigned i = 0; i < words; ++i) w.of[i] = __shfl_down_sync(everyLane, w.of[i], further);
    return w.state;
}
/// A warp for each output, one chunk each: for rows that would leave most of a block idle.
template <class R, class A, class In, class First, class Second>
__device__ inline void reduceWarps(const ReduceArguments& a) {
    const Long lane = threadIdx.x % 32;
    for (Long o = firstIndex() / 32; o < a.outputs; o += allThreads() / 32) {
        const In* row = at<const In>(a.in) + locate<1>(a.outer, o).of[0];
        const A shift = shiftOf<A>(a, row);
        typename R::State s = R::start(a.p);
        foldRange<R>(a, row, shift, lane, a.length, 32, s);
        for (unsigned half = 16; half > 0; half /= 2) R::merge(s, fromLane(s, half));
        if (lane == 0) finishOutput<R, A, In, First, Second>(a, o, s, shift);
    }
}

/// A thread for each output and chunk; neighbours take neighbouring outputs.
template <class R, class A, class In, class First, class Second>
__device__ inline void reduceThreads(const ReduceArguments& a) {
    for (Long t = firstIndex(); t < a.outputs * a.chunks; t += allThreads()) {
        const Long o = t % a.outputs, c = t / a.outputs;
        const In* row = at<const In>(a.in) + locate<1>(a.outer, o).of[0];
        const A shift = shiftOf<A>(a, row);
        typename R::State s = R::start(a.p);
        const Long end = (c + 1) * a.chunk < a.length ? (c + 1) * a.chunk : a.length;
        foldRange<R>(a, row, shift, c * a.chunk, end, 1, s);
        if (a.chunks == 1)
            finishOutput<R, A, In, First, Second>(a, o, s, shift);
        else
            at<typename R::State>(a.partial)[t] = s;
    }
}
/// A block of 256 threads for each output and chunk; neighbours take neighbouring elements.
template <class R, class A, class In, class First, class Second>
__device__ inline void reduceBlocks(const ReduceArguments& a) {
    using State = typename R::State;
    __shared__ State states[256];
    for (Long t = blockIdx.x; t < a.outputs * a.chunks; t += gridDim.x) {
        const Long o = t % a.outputs, c = t / a.outputs;
        const In* row = at<const In>(a.in) + locate<1>(a.outer, o).of[0];
        const A shift = shiftOf<A>(a, row);
        State s = R::start(a.p);
        const Long end = (c + 1) * a.chunk < a.length ? (c + 1) * a.chunk : a.length;
        foldRange<R>(a, row, shift, c * a.chunk + threadIdx.x, end, blockDim.x, s);
        states[threadIdx.x] = s;
        for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half) R::merge(states[threadIdx.x], states[threadIdx.x + half]);
        }
        if (threadIdx.x == 0) {
            if (a.chunks == 1)
                finishOutput<R, A, In, First, Second>(a, o, states[0], shift);
            else
                at<State>(a.partial)[t] = states[0];
        }
        __syncthreads();
    }
}
/// Merges the chunks of each output, in order.
template <class R, class A, class In, class First, class Second>
__device__ inline void reduceChunks(const ReduceArguments& a) {
    for (Long o = firstIndex(); o < a.outputs; o += allThreads()) {
        const In* row = at<const In>(a.in) + locate<1>(a.outer, o).of[0];
        typename R::State s = at<const typename R::State>(a.partial)[o];
        for (Long c = 1; c < a.chunks; ++c)
            R::merge(s, at<const typename R::State>(a.partial)[c * a.outputs + o]);
        finishOutput<R, A, In, First, Second>(a, o, s, shiftOf<A>(a, row));
    }
}

} // namespace kernelarium::operators
