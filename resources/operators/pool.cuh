// SPDX-License-Identifier: GPL-3.0-or-later
// Largest element or mean of a region, one thread for each result; the mean's rows are added up in double.
namespace kernelarium::operators {

struct Region {
    int begin[3], end[3], step[3];
    Long padded; ///< elements of the window within the padded input
};
__device__ inline Region regionOf(const PoolArguments& a, const int (&o)[3]) {
    Region r;
    r.padded = 1;
    for (int d = 0; d < 3; ++d) {
        if (a.adaptive) {
            r.begin[d] = int(Long(o[d]) * a.size[d] / a.outSize[d]);
            r.end[d] = int((Long(o[d] + 1) * a.size[d] + a.outSize[d] - 1) / a.outSize[d]);
            r.step[d] = 1;
            continue;
        }
        int first = o[d] * a.stride[d] - a.padding[d];
        const int last = first + (a.kernel[d] - 1) * a.dilation[d] + 1;
        const int edge = a.size[d] + a.padding[d];
        r.padded *= (first + a.kernel[d] < edge ? first + a.kernel[d] : edge) - first;
        if (first < 0) first += (-first + a.dilation[d] - 1) / a.dilation[d] * a.dilation[d];
        r.begin[d] = first;
        r.end[d] = last < a.size[d] ? last : a.size[d];
        r.step[d] = a.dilation[d];
    }
    return r;
}

template <class T> struct LargestOf {
    T best = -infinity<T>();
    Long place = -1;
    __device__ void take(T v, Long index) {
        if (v > best || v != v || place < 0) best = v, place = index;
    }
};

enum class Pooling { mean, largest, largestAndPlace };

template <class T, Pooling wanted> __device__ inline void poolOne(const PoolArguments& a, Long i) {
    const Long each = Long(a.outSize[0]) * a.outSize[1] * a.outSize[2], planeAt = quotient(i, each);
    const int within = int(i - planeAt * each);
    const int o[3] = {within / a.outSize[2] / a.outSize[1], within / a.outSize[2] % a.outSize[1],
                      within % a.outSize[2]};
    const Region r = regionOf(a, o);
    const T* plane = at<const T>(a.in) + planeAt * (Long(a.size[0]) * a.size[1] * a.size[2]);
    LargestOf<T> largest;
    double sum = 0;
    Long elements = 0;
    for (int d = r.begin[0]; d < r.end[0]; d += r.step[0])
        for (int h = r.begin[1]; h < r.end[1]; h += r.step[1]) {
            const Long row = (Long(d) * a.size[1] + h) * a.size[2];
            T ofRow = T(0);
            for (int w = r.begin[2]; w < r.end[2]; w += r.step[2]) {
                const T v = plane[row + w];
                if constexpr (wanted == Pooling::largestAndPlace) {
                    largest.take(v, row + w);
                } else if constexpr (wanted == Pooling::largest) {
                    if (v > largest.best || v != v) largest.best = v;
                } else {
                    ofRow += v;
                    ++elements;
                }
            }
            sum += double(ofRow);
        }
    if constexpr (wanted != Pooling::mean) {
        at<T>(a.out)[i] = largest.best;
        if constexpr (wanted == Pooling::largestAndPlace) at<Long>(a.indices)[i] = largest.place;
        return;
    }
    const Long divisor = a.divisor ? Long(a.divisor) : a.adaptive || !a.includePadding ? elements : r.padded;
    at<T>(a.out)[i] = T(sum / double(divisor));
}
template <class T, Pooling wanted> __device__ inline void pool(const PoolArguments& a) {
    const Long count = a.planes * a.outSize[0] * a.outSize[1] * a.outSize[2];
    for (Long i = firstIndex(); i < count; i += allThreads())
        poolOne<T, wanted>(a, i);
}

} // namespace kernelarium::operators
