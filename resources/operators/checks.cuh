// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at memory: comparisons as core/verify makes them, patterns. Compiled without contraction.
namespace kernelarium::operators {

__device__ inline bool finite(double v) {
    return v - v == 0.0;
}

__device__ inline void noteFirst(Long& first, Long i) {
    if (first < 0 || i < first) first = i;
}
__device__ inline void beyondBoth(ComparePart& p, Long i) {
    ++p.beyondStrict;
    ++p.beyondLegacy;
    noteFirst(p.firstStrict, i);
    noteFirst(p.firstLegacy, i);
}
__device__ inline void judge(const CompareArguments& a, ComparePart& p, Long i, double got, double expected) {
    if (got == expected) return;
    if (got != got) {
        if (expected != expected) return;
        ++p.unexpectedNan;
        return beyondBoth(p, i);
    }
    const double size = fabs(expected);
    if (!finite(got) && size > a.largest && (got < 0.0) == (expected < 0.0)) return;
    if (!finite(got) || !finite(expected)) return beyondBoth(p, i);
    const double error = fabs(got - expected);
    p.squaredError += error * error;
    if (error > p.largestAbsolute) p.largestAbsolute = error;
    const double relative = error / (size > a.scale ? size : a.scale);
    if (relative > p.largestRelative) p.largestRelative = relative;
    if (a.exact) return beyondBoth(p, i);
    const double allowance = a.scale + size;
    if (error > a.strict * allowance) {
        ++p.beyondStrict;
        noteFirst(p.firstStrict, i);
    }
    if (error > a.legacy * allowance) {
        ++p.beyondLegacy;
        noteFirst(p.firstLegacy, i);
    }
}
__device__ inline void mergeParts(ComparePart& p, const ComparePart& o) {
    p.beyondStrict += o.beyondStrict;
    p.beyondLegacy += o.beyondLegacy;
    p.unexpectedNan += o.unexpectedNan;
    if (o.firstStrict >= 0) noteFirst(p.firstStrict, o.firstStrict);
    if (o.firstLegacy >= 0) noteFirst(p.firstLegacy, o.firstLegacy);
    if (o.largestAbsolute > p.largestAbsolute) p.largestAbsolute = o.largestAbsolute;
    if (o.largestRelative > p.largestRelative) p.largestRelative = o.largestRelative;
    p.squaredError += o.squaredError;
}
__device__ inline void mergeParts(SquaresPart& p, const SquaresPart& o) {
    p.sum += o.sum;
    p.finite += o.finite;
}
/// The parts of a block's 256 threads become one, which its first thread writes.
template <class Part> __device__ inline void writePart(const Part& own, Address parts) {
    __shared__ Part all[256];
    all[threadIdx.x] = own;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) mergeParts(all[threadIdx.x], all[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) at<Part>(parts)[blockIdx.x] = all[0];
}

/// Element k of the tile counts as number first + k of the tensor.
template <class G, class E> __device__ inline void compareTile(const CompareArguments& a) {
    ComparePart p{0, 0, 0, -1, -1, 0.0, 0.0, 0.0};
    for (Long i = firstIndex(); i < a.count; i += allThreads())
        judge(a, p, a.first + i, fromStored<double>(at<const G>(a.got)[i]),
              fromStored<double>(at<const E>(a.expected)[i]));
    writePart(p, a.parts);
}
template <class E> __device__ inline void squaresOf(const CompareArguments& a) {
    SquaresPart p{0.0, 0};
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const double v = fromStored<double>(at<const E>(a.expected)[i]);
        if (!finite(v)) continue;
        p.sum += v * v;
        ++p.finite;
    }
    writePart(p, a.parts);
}

__device__ inline void mergeParts(MovementPart& p, const MovementPart& o) {
    p.reference += o.reference;
    p.output += o.output;
    p.difference += o.difference;
    p.scale += o.scale;
}
__device__ inline void mergeParts(SumPart& p, const SumPart& o) {
    p.sum += o.sum;
    p.notFinite += o.notFinite;
}
template <class G, class E> __device__ inline void movementOf(const MovementArguments& a) {
    MovementPart p{0.0, 0.0, 0.0, 0.0};
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const double before = fromStored<double>(at<const E>(a.reference0)[i]);
        const double r = fromStored<double>(at<const E>(a.reference1)[i]) - before;
        const double g = fromStored<double>(at<const G>(a.out1)[i]) - fromStored<double>(at<const G>(a.out0)[i]);
        if (!finite(r) || !finite(g)) continue;
        p.reference += r * r;
        p.output += g * g;
        p.difference += (g - r) * (g - r);
        p.scale += before * before;
    }
    writePart(p, a.parts);
}
template <class E> __device__ inline void sumOf(const SumArguments& a) {
    SumPart p{0.0, 0};
    for (Long i = firstIndex(); i < a.count; i += allThreads()) {
        const double v = fromStored<double>(at<const E>(a.in)[i]);
        p.sum += v;
        if (!finite(v)) ++p.notFinite;
    }
    writePart(p, a.parts);
}

/// By how much an element is beyond the tolerance; NaN where it is one and should not be.
__device__ inline float excess(const ErrorMapArguments& a, double got, double expected) {
    if (got == expected) return 0.0f;
    if (got != got) return expected != expected ? 0.0f : __int_as_float(0x7fc00000);
    const double size = fabs(expected);
    if (!finite(got) && size > a.largest && (got < 0.0) == (expected < 0.0)) return 0.0f;
    if (a.exact || !finite(got) || !finite(expected)) return __int_as_float(0x7f800000);
    return float(fabs(got - expected) / (a.legacy * (a.scale + size)));
}
/// NaN is worse than anything, and stays.
__device__ inline float worse(float a, float b) {
    if (a != a) return a;
    return b != b || b > a ? b : a;
}
template <class G, class E> __device__ inline void mapErrors(const ErrorMapArguments& a) {
    __shared__ float all[256];
    const Long top = blockIdx.x / a.mapColumns * a.cellRows, left = blockIdx.x % a.mapColumns * a.cellColumns;
    const Long height = a.rows - top < a.cellRows ? a.rows - top : a.cellRows;
    const Long width = a.columns - left < a.cellColumns ? a.columns - left : a.cellColumns;
    float own = 0.0f;
    for (Long k = threadIdx.x; k < height * width; k += blockDim.x) {
        const Long i = (top + k / width) * a.columns + left + k % width;
        own = worse(own, excess(a, fromStored<double>(at<const G>(a.got)[i]), fromStored<double>(at<const E>(a.expected)[i])));
    }
    all[threadIdx.x] = own;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) all[threadIdx.x] = worse(all[threadIdx.x], all[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) at<float>(a.worst)[blockIdx.x] = all[0];
}

/// The first of a block's threads' finds, which its first thread writes.
__device__ inline void writeFirst(Long own, Address firsts) {
    __shared__ Long all[256];
    all[threadIdx.x] = own;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half && all[threadIdx.x + half] >= 0) noteFirst(all[threadIdx.x], all[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) at<Long>(firsts)[blockIdx.x] = all[0];
}
/// Words of four bytes where both ranges allow it, bytes where not.
__device__ inline void compareBytes(const DifferenceArguments& a) {
    const Long words = ((a.a | a.b) & 3) == 0 ? a.bytes / 4 : 0;
    Long first = -1;
    for (Long i = firstIndex(); i < words && first < 0; i += allThreads()) {
        const unsigned different = at<const unsigned>(a.a)[i] ^ at<const unsigned>(a.b)[i];
        if (different) first = i * 4 + (__ffs(int(different)) - 1) / 8;
    }
    for (Long i = words * 4 + firstIndex(); i < a.bytes && first < 0; i += allThreads())
        if (at<const unsigned char>(a.a)[i] != at<const unsigned char>(a.b)[i]) first = i;
    writeFirst(first, a.firsts);
}

__device__ inline unsigned char patternByte(unsigned pattern, Long i) {
    return (unsigned char)(pattern >> (i % 4 * 8));
}
__device__ inline void writePattern(const PatternArguments& a) {
    const Long words = a.bytes / 4;
    for (Long i = firstIndex(); i < words; i += allThreads())
        at<unsigned>(a.start)[i] = a.pattern;
    if (firstIndex() == 0)
        for (Long i = words * 4; i < a.bytes; ++i)
            at<unsigned char>(a.start)[i] = patternByte(a.pattern, i);
}
__device__ inline void findDifference(const PatternArguments& a) {
    const Long words = a.bytes / 4;
    Long first = -1;
    for (Long i = firstIndex(); i < words && first < 0; i += allThreads()) {
        const unsigned different = at<const unsigned>(a.start)[i] ^ a.pattern;
        if (different) first = i * 4 + (__ffs(int(different)) - 1) / 8;
    }
    if (firstIndex() == 0)
        for (Long i = words * 4; i < a.bytes && first < 0; ++i)
            if (at<const unsigned char>(a.start)[i] != patternByte(a.pattern, i)) first = i;
    writeFirst(first, a.firsts);
}

} // namespace kernelarium::operators
