// SPDX-License-Identifier: GPL-3.0-or-later
//
// For clang-tidy, after CUDA's vector_types.h: the indices of a thread, vectors from their parts, and the standard names
// that NVRTC brings before the shim does.
#pragma once

extern const __attribute__((device)) uint3 threadIdx;
extern const __attribute__((device)) uint3 blockIdx;
extern const __attribute__((device)) dim3 blockDim;
extern const __attribute__((device)) dim3 gridDim;
extern const __attribute__((device)) int warpSize;

#define KL_VECTORS(name, type)                                                                                         \
    name##1 make_##name##1(type);                                                                                      \
    name##2 make_##name##2(type, type);                                                                                \
    name##3 make_##name##3(type, type, type);                                                                          \
    name##4 make_##name##4(type, type, type, type);
KL_VECTORS(char, signed char) KL_VECTORS(uchar, unsigned char) KL_VECTORS(short, short) KL_VECTORS(ushort, unsigned short)
KL_VECTORS(int, int) KL_VECTORS(uint, unsigned) KL_VECTORS(long, long) KL_VECTORS(longlong, long long) KL_VECTORS(float, float)
KL_VECTORS(double, double)
#undef KL_VECTORS

namespace std {
template <class T> struct kl_plain {
    using type = T;
};
template <class T> struct kl_plain<T&> {
    using type = T;
};
template <class T> struct kl_plain<T&&> {
    using type = T;
};
template <class T> constexpr typename kl_plain<T>::type&& move(T&& value) noexcept {
    return static_cast<typename kl_plain<T>::type&&>(value);
}
template <class T> constexpr T&& forward(typename kl_plain<T>::type& value) noexcept { return static_cast<T&&>(value); }
template <class T> constexpr T&& forward(typename kl_plain<T>::type&& value) noexcept { return static_cast<T&&>(value); }
/// The compiler fills it by its two members.
template <class E> class initializer_list {
    const E* m_first = nullptr;
    size_t m_count = 0;

public:
    using value_type = E;
    using size_type = size_t;
    using iterator = const E*;
    using const_iterator = const E*;
    constexpr initializer_list() noexcept = default;
    constexpr size_t size() const noexcept { return m_count; }
    constexpr const E* begin() const noexcept { return m_first; }
    constexpr const E* end() const noexcept { return m_first + m_count; }
};
using ::sqrt;
using ::exp;
using ::log;
using ::pow;
using ::fabs;
} // namespace std

// A launch needs these by name.
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, void* = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = nullptr);
