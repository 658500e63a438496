// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs bit for bit as core/verify draws them: Philox4x32-10 and only operations that IEEE 754 defines.
// Compiled without contraction.
namespace kernelarium::operators {

struct Words {
    unsigned of[4];
};
__device__ inline Words philox(unsigned long long seed, Words counter) {
    unsigned keyA = unsigned(seed), keyB = unsigned(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xD2511F53ull * counter.of[0], b = 0xCD9E8D57ull * counter.of[2];
        counter = {{unsigned(b >> 32) ^ counter.of[1] ^ keyA, unsigned(b),
                    unsigned(a >> 32) ^ counter.of[3] ^ keyB, unsigned(a)}};
        keyA += 0x9E3779B9u;
        keyB += 0xBB67AE85u;
    }
    return counter;
}
__device__ inline double unitInterval(unsigned high, unsigned low) {
    const unsigned long long bits = ((unsigned long long)(high) << 20) | (low >> 12);
    return double(bits) * (1.0 / 4503599627370496.0);
}

__device__ inline double naturalLog(double value) {
    const unsigned long long bits = (unsigned long long)(__double_as_longlong(value));
    int exponent = int(bits >> 52) - 1023;
    double mantissa = __longlong_as_double((long long)((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull));
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s;
    double sum = 0;
    for (int term = 21; term >= 1; term -= 2)
        sum = sum * square + 1.0 / term;
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}
struct Pair {
    double of[2];
};
/// Cosine and sine of 2 pi `turn`.
__device__ inline Pair ofTurn(double turn) {
    const double quarters = turn * 4.0;
    const int quarter = int(quarters + 0.5);
    const double x = (quarters - quarter) * 1.5707963267948966, square = x * x;
    double sine = 1.0, cosine = 1.0;
    for (int n = 8; n >= 1; --n) {
        sine = 1.0 - square / ((2.0 * n) * (2.0 * n + 1.0)) * sine;
        cosine = 1.0 - square / ((2.0 * n - 1.0) * (2.0 * n)) * cosine;
    }
    sine *= x;
    switch (quarter & 3) {
    case 0:
        return {{cosine, sine}};
    case 1:
        return {{-sine, cosine}};
    case 2:
        return {{-cosine, -sine}};
    default:
        return {{sine, -cosine}};
    }
}
__device__ inline Pair normalPair(const Words& w) {
    const double radius = sqrt(-2.0 * naturalLog(1.0 - unitInterval(w.of[0], w.of[1])));
    const Pair angle = ofTurn(unitInterval(w.of[2], w.of[3]));
    return {{radius * angle.of[0], radius * angle.of[1]}};
}
__device__ inline Pair scaled(const Pair& n, double mean, double deviation) {
    return {{mean + deviation * n.of[0], mean + deviation * n.of[1]}};
}

enum DrawKind { // as verify::Distribution::Kind
    drawNormal,
    drawUniform,
    drawInteger,
    drawConstant,
    drawBoolean,
    drawSign,
    drawProbabilities,
    drawUpper,
    drawLower,
    drawSymmetric,
    drawCausal,
    drawVaried,
    drawVariedProbabilities,
    drawValues
};
__device__ inline Pair pairOf(const DrawArguments& d, Long pair) {
    const Words w =
        philox(d.seed, {{unsigned(pair), unsigned((unsigned long long)(pair) >> 32), d.index, d.stream}});
    const double a = d.a, b = d.b, u = unitInterval(w.of[0], w.of[1]), v = unitInterval(w.of[2], w.of[3]);
    switch (d.kind) {
    case drawUniform:
        return {{a + (b - a) * u, a + (b - a) * v}};
    case drawInteger:
        return {{floor(a + (b - a + 1) * u), floor(a + (b - a + 1) * v)}};
    case drawBoolean:
        return {{u < a ? 1.0 : 0.0, v < a ? 1.0 : 0.0}};
    case drawSign:
        return {{u < 0.5 ? -1.0 : 1.0, v < 0.5 ? -1.0 : 1.0}};
    case drawConstant:
        if (d.stream == 0) return {{a, a}};
        if (a != 0) return {{a * (1 + u / 4), a * (1 + v / 4)}};
        return scaled(normalPair(w), 0, 0.1);
    case drawProbabilities:
    case drawVariedProbabilities:
        return normalPair(w);
    case drawSymmetric:
        return scaled(normalPair(w), a, b * 1.4142135623730951);
    case drawCausal:
        return {{1, 1}};
    case drawValues:
        return {{at<const double>(d.values)[2 * pair % d.valueCount],
                 at<const double>(d.values)[(2 * pair + 1) % d.valueCount]}};
    default:
        return scaled(normalPair(w), a, b);
    }
}
template <class T> __device__ inline void drawPairs(const DrawArguments& d) {
    for (Long pair = firstIndex(); 2 * pair < d.count; pair += allThreads()) {
        const Pair p = pairOf(d, pair);
        for (int k = 0; k < 2 && 2 * pair + k < d.count; ++k)
            at<T>(d.out)[2 * pair + k] = toStored<T>(p.of[k]);
    }
}
/// Stretches and moves every slice of the first dimension by numbers of its own.
template <class T> __device__ inline void varySlices(const DrawArguments& d) {
    const Long length = d.count / d.slices;
    const double spread = d.kind == drawVariedProbabilities ? 1.0 : d.b;
    for (Long i = firstIndex(); i < d.count; i += allThreads()) {
        const Long s = i / length;
        const Words w =
            philox(d.seed,
                   {{unsigned(s), 0x80000000u + unsigned((unsigned long long)(s) >> 32), d.index, d.stream}});
        const double factor = 0.5 + 1.5 * unitInterval(w.of[0], w.of[1]);
        const double offset = spread * (2 * unitInterval(w.of[2], w.of[3]) - 1);
        T& element = at<T>(d.out)[i];
        element = toStored<T>(factor * fromStored<double>(element) + offset);
    }
}
/// As verify::Signs, by number: drawn, positive, negative, stretches.
__device__ inline double withSign(double value, int signs, Long place) {
    if (signs == 3) signs = place / 251 % 4 == 0 ? 1 : place / 251 % 4 == 1 ? 2 : 0;
    return signs == 1 ? fabs(value) : signs == 2 ? -fabs(value) : value;
}
template <class T> __device__ inline void rampElements(const DrawArguments& d) {
    for (Long i = firstIndex(); i < d.count; i += allThreads()) {
        double sum = 0;
        Long rest = i;
        for (int k = 0; k < d.rank; ++k) {
            const double u = double(rest % d.sizes[k] + 1) / double(d.sizes[k]), square = u * u;
            sum += square * square;
            rest /= d.sizes[k];
        }
        const double along = d.rank ? sum / double(d.rank) : 1.0;
        T& element = at<T>(d.out)[i];
        const double value = (d.from + (d.to - d.from) * along) * (fromStored<double>(element) + d.shift);
        element = toStored<T>(withSign(value, d.signs, i));
    }
}
/// Zeroes one side of the diagonal of every matrix.
template <class T> __device__ inline void zeroTriangle(const DrawArguments& d) {
    for (Long i = firstIndex(); i < d.count; i += allThreads()) {
        const Long row = i / d.columns % d.rows, column = i % d.columns;
        if (d.lower ? column > row : column < row) at<T>(d.out)[i] = toStored<T>(0.0);
    }
}
/// Both of two mirrored elements become their mean.
template <class T> __device__ inline void mirror(const DrawArguments& d) {
    for (Long i = firstIndex(); i < d.count; i += allThreads()) {
        const Long row = i / d.columns % d.rows, column = i % d.columns;
        if (column <= row) continue;
        T* matrix = at<T>(d.out) + (i - row * d.columns - column);
        T &here = matrix[row * d.columns + column], &there = matrix[column * d.columns + row];
        const T mean = toStored<T>((fromStored<double>(here) + fromStored<double>(there)) / 2);
        here = mean;
        there = mean;
    }
}
__device__ inline double exponential(double x) {
    const double halvings = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - halvings * 0.693147180369123816490) - halvings * 1.90821492927058770002e-10;
    double sum = 1;
    for (int n = 18; n >= 1; --n)
        sum = 1 + sum * r / n;
    return ldexp(sum, int(halvings));
}
/// Softmax of every row, summed in the order of the elements: one thread each.
template <class T> __device__ inline void normalizeRows(const DrawArguments& d) {
    for (Long row = firstIndex(); row < d.count / d.columns; row += allThreads()) {
        T* elements = at<T>(d.out) + row * d.columns;
        double sum = 0;
        for (Long i = 0; i < d.columns; ++i)
            sum += exponential(fromStored<double>(elements[i]));
        for (Long i = 0; i < d.columns; ++i)
            elements[i] = toStored<T>(exponential(fromStored<double>(elements[i])) / sum);
    }
}

} // namespace kernelarium::operators
