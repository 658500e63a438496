// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for CUTLASS's <cutlass/util/packed_stride.hpp>: strides of matrices without gaps, by their shape (rows,
// columns, batch). A batch of one has stride 0. Those of convolutions are not here.
#pragma once
#include <cute/layout.hpp>

namespace cutlass {
template <class T>
inline cute::Stride<T, cute::Int<1>> make_cute_packed_stride(cute::Stride<T, cute::Int<1>> stride,
                                                             cute::Shape<int, int, int> shape) {
    cute::get<0>(stride) = T(cute::get<1>(shape));
    return stride;
}
template <class T>
inline cute::Stride<cute::Int<1>, T> make_cute_packed_stride(cute::Stride<cute::Int<1>, T> stride,
                                                             cute::Shape<int, int, int> shape) {
    cute::get<1>(stride) = T(cute::get<0>(shape));
    return stride;
}
template <class T>
inline cute::Stride<T, cute::Int<1>, int64_t> make_cute_packed_stride(cute::Stride<T, cute::Int<1>, int64_t> stride,
                                                                      cute::Shape<int, int, int> shape) {
    const auto [rows, columns, batch] = shape;
    cute::get<0>(stride) = T(columns);
    cute::get<2>(stride) = batch > 1 ? int64_t(rows) * columns : 0;
    return stride;
}
template <class T>
inline cute::Stride<cute::Int<1>, T, int64_t> make_cute_packed_stride(cute::Stride<cute::Int<1>, T, int64_t> stride,
                                                                      cute::Shape<int, int, int> shape) {
    const auto [rows, columns, batch] = shape;
    cute::get<1>(stride) = T(rows);
    cute::get<2>(stride) = batch > 1 ? int64_t(rows) * columns : 0;
    return stride;
}
} // namespace cutlass
