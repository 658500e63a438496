// SPDX-License-Identifier: GPL-3.0-or-later
// Tiled matrix products through shared memory, from whatever a source gives as elements of the two factors.
namespace kernelarium::operators {

/// BM x BN results of a block, BK of the inner dimension at a time, TM x TN results of a thread.
template <class T, int BM, int BN, int BK, int TM, int TN> struct Tile {
    static constexpr int threads = (BM / TM) * (BN / TN);
    static constexpr int columns = BN / TN; ///< threads side by side
    static constexpr int partA = BM * BK / threads, partB = BN * BK / threads;
    /// Inner products of so many tiles are summed before they are added to the rest: two short sums round
    /// less than one long one.
    static constexpr int panel = 8;
    static constexpr int pad = 4;

    struct Shared {
        T a[BK][BM + pad];
        T b[BK][BN + pad];
    };

    /// Row i of a thread's TM: groups of four, as many groups apart as there are threads.
    static __device__ int rowOf(int i) {
        return (i / 4) * (BM / (TM / 4)) + int(threadIdx.x) / columns * 4 + i % 4;
    }
    static __device__ int columnOf(int j) {
        return (j / 4) * (BN / (TN / 4)) + int(threadIdx.x) % columns * 4 + j % 4;
    }

    struct Place {
        int outer, inner;
    };
    static __device__ Place placeA(int e, bool alongInner) {
        const int i = int(threadIdx.x) + e * threads;
        return alongInner ? Place{i / BK, i % BK} : Place{i % BM, i / BM};
    }
    static __device__ Place placeB(int e, bool alongInner) {
        const int i = int(threadIdx.x) + e * threads;
        return alongInner ? Place{i / BK, i % BK} : Place{i % BN, i / BN};
    }

    template <class Source>
    static __device__ void fetch(const Source& s, typename Source::Index m0, typename Source::Index n0,
                                 typename Source::Index k0, T (&a)[partA], T (&b)[partB]) {
#pragma unroll
        for (int e = 0; e < partA; ++e) {
            const Place p = placeA(e, s.aAlongInner());
            a[e] = s.a(m0 + p.outer, k0 + p.inner);
        }
#pragma unroll
        for (int e = 0; e < partB; ++e) {
            const Place p = placeB(e, s.bAlongInner());
            b[e] = s.b(n0 + p.outer, k0 + p.inner);
        }
    }
    template <class Source>
    static __device__ void put(const Source& s, Shared& shared, const T (&a)[partA], const T (&b)[partB]) {
#pragma unroll
        for (int e = 0; e < partA; ++e) {
            const Place p = placeA(e, s.aAlongInner());
            shared.a[p.inner][p.outer] = a[e];
        }
#pragma unroll
        for (int e = 0; e < partB; ++e) {
            const Place p = placeB(e, s.bAlongInner());
            shared.b[p.inner][p.outer] = b[e];
        }
    }
    static __device__ void multiply(const Shared& shared, T (&sums)[TM][TN]) {
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            T a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                a[i] = shared.a[k][rowOf(i)];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                b[j] = shared.b[k][columnOf(j)];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    sums[i][j] += a[i] * b[j];
        }
    }

    /// The block's tile of the product of [m, inner] and [inner, n]; places are counted in Source::Index.
    template <class Source> static __device__ void run(Source& s, typename Source::Index inner) {
        using Index = typename Source::Index;
        __shared__ __align__(16) Shared shared;
        const Index m0 = Index(blockIdx.y) * BM, n0 = Index(blockIdx.x) * BN;
        s.begin(n0 + placeB(0, false).outer);
        T total[TM][TN] = {}, sums[TM][TN] = {}, a[partA], b[partB];
        fetch(s, m0, n0, 0, a, b);
        int inPanel = 0;
        for (Index k = 0; k < inner; k += BK) {
            put(s, shared, a, b);
            __syncthreads();
            if (k + BK < inner) fetch(s, m0, n0, k + BK, a, b);
            multiply(shared, sums);
            __syncthreads();
            if (++inPanel == panel || k + BK >= inner) {
                inPanel = 0;
#pragma unroll
                for (int i = 0; i < TM; ++i)
#pragma unroll
                    for (int j = 0; j < TN; ++j)
                        total[i][j] += sums[i][j], sums[i][j] = T(0);
            }
        }
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const auto column = s.column(n0 + columnOf(j));
#pragma unroll
            for (int i = 0; i < TM; ++i)
                s.store(column, m0 + rowOf(i), total[i][j]);
        }
    }
};

/// Two strided matrices; Index is int where every place in them is below 2^31, and so is every sum of one and
/// a tile.
template <class T, class I> struct MatrixSource {
    using Index = I;
    const ProductArguments& p;
    const T *left, *right;
    T* out;

    __device__ bool aAlongInner() const { return p.aColumn == 1; }
    __device__ bool bAlongInner() const { return p.bRow == 1 && p.bColumn != 1; }
    __device__ void begin(I) {}
    __device__ T a(I m, I k) const {
        return m < I(p.m) && k < I(p.k) ? left[m * I(p.aRow) + k * I(p.aColumn)] : T(0);
    }
    __device__ T b(I n, I k) const {
        return n < I(p.n) && k < I(p.k) ? right[k * I(p.bRow) + n * I(p.bColumn)] : T(0);
    }
    struct Column {
        T* out; ///< null beyond the edge
        T bias;
    };
    __device__ Column column(I n) const {
        if (n >= I(p.n)) return {nullptr, T(0)};
        return {out + n, p.bias ? at<const T>(p.bias)[n * p.biasStep] : T(0)};
    }
    __device__ void store(const Column& c, I m, T v) const {
        if (c.out && m < I(p.m)) c.out[m * I(p.n)] = v + c.bias;
    }
};
template <class T, class Shape, class Index> __device__ inline void product(const ProductArguments& p) {
    for (Long batch = blockIdx.z; batch < p.batches; batch += gridDim.z) {
        const Offsets<2> o = locate<2>(p.batch, batch);
        MatrixSource<T, Index> source{p, at<const T>(p.a) + o.of[0], at<const T>(p.b) + o.of[1],
                                      at<T>(p.out) + batch * p.m * p.n};
        Shape::run(source, Index(p.k));
    }
}

/// Products of at most eight rows: the right factor is read once, sums are in double.
inline constexpr int thinRows = 8;

template <class T> struct ThinRows {
    double sums[thinRows] = {};

    __device__ void add(const ProductArguments& p, const T* left, Long k, T b) {
#pragma unroll
        for (int m = 0; m < thinRows; ++m)
            if (m < p.m) sums[m] += double(left[m * p.aRow + k * p.aColumn]) * double(b);
    }
    __device__ void store(const ProductArguments& p, Long batch, Long n) const {
#pragma unroll
        for (int m = 0; m < thinRows; ++m)
            if (m < p.m) {
                const double bias = p.bias ? double(at<const T>(p.bias)[n * p.biasStep]) : 0.0;
                at<T>(p.out)[(batch * p.m + m) * p.n + n] = T(sums[m] + bias);
            }
    }
};
/// A thread for each column: for right factors whose rows are runs of memory.
template <class T> __device__ inline void thinColumns(const ProductArguments& p) {
    for (Long t = firstIndex(); t < p.batches * p.n; t += allThreads()) {
        const Long batch = t / p.n, n = t % p.n;
        const Offsets<2> o = locate<2>(p.batch, batch);
        const T* right = at<const T>(p.b) + o.of[1] + n * p.bColumn;
        ThinRows<T> rows;
        for (Long k = 0; k < p.k; ++k)
            rows.add(p, at<const T>(p.a) + o.of[0], k, right[k * p.bRow]);
        rows.store(p, batch, n);
    }
}
/// A warp for each column: for right factors whose columns are runs of memory.
template <class T> __device__ inline void thinWarps(const ProductArguments& p) {
    const unsigned lane = threadIdx.x % 32;
    for (Long t = firstIndex() / 32; t < p.batches * p.n; t += allThreads() / 32) {
        const Long batch = t / p.n, n = t % p.n;
        const Offsets<2> o = locate<2>(p.batch, batch);
        const T* right = at<const T>(p.b) + o.of[1] + n * p.bColumn;
        ThinRows<T> rows;
        for (Long k = lane; k < p.k; k += 32)
            rows.add(p, at<const T>(p.a) + o.of[0], k, right[k * p.bRow]);
#pragma unroll
        for (int m = 0; m < thinRows; ++m)
            if (m < p.m)
                for (int step = 16; step > 0; step /= 2)
                    rows.sums[m] += __shfl_down_sync(0xffffffffu, rows.sums[m], step);
        if (lane == 0) rows.store(p, batch, n);
    }
}

template <class T> using LargeTile = Tile<T, 128, 128, 16, 8, 8>;
template <class T> using MediumTile = Tile<T, 64, 64, 16, 4, 4>;
template <class T> using SmallTile = Tile<T, 32, 32, 16, 4, 4>;

} // namespace kernelarium::operators
