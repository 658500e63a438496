// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensor accessors, on the host and as kernel parameters.
#pragma once
#include "kernelarium/std_types.h"

namespace at {
template <class T> struct DefaultPtrTraits { using PtrType = T*; };
template <class T> struct RestrictPtrTraits { using PtrType = T* __restrict__; };

template <class T, size_t n, template <class> class P = DefaultPtrTraits, class I = int64_t> class TensorAccessor {
public:
    using PtrType = typename P<T>::PtrType;
    constexpr TensorAccessor(PtrType data, const I* sizes, const I* strides) : m_data(data), m_sizes(sizes), m_strides(strides) {}
    I size(I i) const { return m_sizes[i]; }
    I stride(I i) const { return m_strides[i]; }
    PtrType data() const { return m_data; }
    decltype(auto) operator[](I i) const {
        if constexpr (n == 1) return (m_data[i * m_strides[0]]);
        else return TensorAccessor<T, n - 1, P, I>(m_data + i * m_strides[0], m_sizes + 1, m_strides + 1);
    }

private:
    PtrType m_data;
    const I* m_sizes;
    const I* m_strides;
};

template <class T, size_t n, template <class> class P = DefaultPtrTraits, class I = int64_t> class GenericPackedTensorAccessor {
public:
    using PtrType = typename P<T>::PtrType;
    GenericPackedTensorAccessor(PtrType data, const int64_t* sizes, const int64_t* strides) : m_data(data) {
        for (size_t i = 0; i < n; ++i) {
            m_sizes[i] = I(sizes[i]);
            m_strides[i] = I(strides[i]);
        }
    }
    I size(I i) const { return m_sizes[i]; }
    I stride(I i) const { return m_strides[i]; }
    PtrType data() const { return m_data; }
    decltype(auto) operator[](I i) const {
        if constexpr (n == 1) return (m_data[i * m_strides[0]]);
        else return TensorAccessor<T, n - 1, P, I>(m_data + i * m_strides[0], m_sizes + 1, m_strides + 1);
    }

private:
    PtrType m_data;
    I m_sizes[n];
    I m_strides[n];
};
template <class T, size_t n, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, n, P, int32_t>;
template <class T, size_t n, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, n, P, int64_t>;
} // namespace at
