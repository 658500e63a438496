// SPDX-License-Identifier: GPL-3.0-or-later
// Element types as they are stored, conversions, and walks.
namespace kernelarium::operators {

struct Bool {
    unsigned char bits;
};
struct Half {
    unsigned short bits;
};
struct BFloat {
    unsigned short bits;
};

template <class A, class B> inline constexpr bool same = false;
template <class A> inline constexpr bool same<A, A> = true;
template <class T>
inline constexpr bool isWhole =
    same<T, Long> || same<T, int> || same<T, short> || same<T, signed char> || same<T, unsigned char>;
template <class T>
inline constexpr bool isFloating = same<T, float> || same<T, double> || same<T, Half> || same<T, BFloat>;

__device__ inline float widened(Half v) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(v.bits));
    return f;
}
__device__ inline float widened(BFloat v) {
    return __uint_as_float(unsigned(v.bits) << 16);
}
__device__ inline Half toHalf(float f) {
    Half v;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(v.bits) : "f"(f));
    return v;
}
__device__ inline BFloat toBFloat(float f) {
    const unsigned bits = __float_as_uint(f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {(unsigned short)((bits >> 16) | 0x40u)};
    return {(unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

/// A stored element as a number of type C.
template <class C, class S> __device__ inline C fromStored(S v) {
    if constexpr (same<S, Half> || same<S, BFloat>)
        return C(widened(v));
    else if constexpr (same<S, Bool>)
        return C(v.bits);
    else
        return C(v);
}
/// A number as it is stored: floats to integers by truncation, anything but zero is true.
template <class S, class C> __device__ inline S toStored(C v) {
    if constexpr (same<S, Half>)
        return toHalf(float(v));
    else if constexpr (same<S, BFloat>)
        return toBFloat(float(v));
    else if constexpr (same<S, Bool>)
        return {(unsigned char)(v != C(0))};
    else if constexpr (isWhole<S>)
        return S(Long(v));
    else
        return S(v);
}

template <class T> __device__ inline T* at(Address address) {
    return reinterpret_cast<T*>(address);
}

__device__ inline Long firstIndex() {
    return Long(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline Long allThreads() {
    return Long(gridDim.x) * blockDim.x;
}

/// a / b of numbers that are not negative, in 32 bits where these suffice.
__device__ inline Long quotient(Long a, Long b) {
    return (a | b) >> 32 ? a / b : Long(unsigned(a) / unsigned(b));
}

template <int N> struct Offsets { Long of[N]; };
/// Where the i-th element of a walk lies for the first N operands.
template <int N> __device__ inline Offsets<N> locate(const Walk& w, Long i) {
    Offsets<N> o;
    if (w.rank == 1) {
        for (int k = 0; k < N; ++k)
            o.of[k] = i * w.strides[k][0];
        return o;
    }
    for (int k = 0; k < N; ++k)
        o.of[k] = 0;
    for (int d = w.rank - 1; d > 0; --d) {
        const Long size = w.sizes[d];
        const Long rest = quotient(i, size);
        const Long own = i - rest * size;
        i = rest;
        for (int k = 0; k < N; ++k)
            o.of[k] += own * w.strides[k][d];
    }
    for (int k = 0; k < N; ++k)
        o.of[k] += i * w.strides[k][0];
    return o;
}

template <class T> __device__ inline T infinity();
template <> __device__ inline float infinity<float>() {
    return __int_as_float(0x7f800000);
}
template <> __device__ inline double infinity<double>() {
    return __longlong_as_double(0x7ff0000000000000ll);
}

} // namespace kernelarium::operators
