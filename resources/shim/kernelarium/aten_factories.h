// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions that make tensors: (size, ..., dtype, layout, device, pin_memory[, memory_format]) in schema order.
#pragma once
#include "kernelarium/aten_functions.h"

namespace at {
inline Tensor empty(IntArrayRef size, TensorOptions o = {}, optional<MemoryFormat> f = nullopt) {
    const int format = f.has_value() ? int(*f) : o.klFormat();
    return kl::call("aten.empty.memory_format", {size, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned(),
                                                 format < 0 ? kl::Arg() : kl::Arg(format)});
}
#define KL_FACTORY(name)                                                                                               \
    inline Tensor name(IntArrayRef size, TensorOptions o = {}) {                                                       \
        return kl::call("aten." #name ".default", {size, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()}); \
    }
KL_FACTORY(zeros) KL_FACTORY(ones) KL_FACTORY(rand) KL_FACTORY(randn)
#undef KL_FACTORY
inline Tensor full(IntArrayRef size, const Scalar& v, TensorOptions o = {}) {
    return kl::call("aten.full.default", {size, v, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
#define KL_LIKE(name)                                                                                                  \
    inline Tensor name(const Tensor& x, TensorOptions o = {}, optional<MemoryFormat> f = nullopt) {                    \
        return kl::call("aten." #name ".default", {x, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned(),      \
                                                   f.has_value() ? kl::Arg(int(*f)) : kl::Arg()});                    \
    }
KL_LIKE(empty_like) KL_LIKE(zeros_like) KL_LIKE(ones_like) KL_LIKE(rand_like) KL_LIKE(randn_like)
#undef KL_LIKE
inline Tensor full_like(const Tensor& x, const Scalar& v, TensorOptions o = {}) {
    return kl::call("aten.full_like.default", {x, v, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor arange(const Scalar& end, TensorOptions o = {}) {
    return kl::call("aten.arange.default", {end, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor arange(const Scalar& start, const Scalar& end, TensorOptions o = {}) {
    return kl::call("aten.arange.start", {start, end, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions o = {}) {
    return kl::call("aten.arange.start_step", {start, end, step, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, TensorOptions o = {}) {
    return kl::call("aten.linspace.default", {start, end, steps, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor eye(int64_t n, TensorOptions o = {}) {
    return kl::call("aten.eye.m", {n, n, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
inline Tensor scalar_tensor(const Scalar& v, TensorOptions o = {}) {
    return kl::call("aten.scalar_tensor.default", {v, Tensor::type(o), kl::Arg(), Tensor::place(o), o.klPinned()});
}
/// Memory that stays the caller's: "torch.from_blob"(address, sizes, strides or None, dtype, device).
inline Tensor from_blob(void* data, IntArrayRef size, TensorOptions o = {}) {
    kl_value address{KL_POINTER, 0, {0}};
    address.p = data;
    return kl::call("torch.from_blob", {address, size, kl::Arg(), o.dtype().toScalarType(), o.device()});
}
inline Tensor from_blob(void* data, IntArrayRef size, IntArrayRef stride, TensorOptions o = {}) {
    kl_value address{KL_POINTER, 0, {0}};
    address.p = data;
    return kl::call("torch.from_blob", {address, size, stride, o.dtype().toScalarType(), o.device()});
}

inline int64_t numel(const Tensor& x) { return x.numel(); }
} // namespace at

namespace torch {
using namespace at;
/// "torch.tensor"(list or number, dtype or None, device or None).
template <class T> __noinline__ Tensor tensor(ArrayRef<T> values, TensorOptions o = {}) {
    ScalarType type = o.has_dtype() ? o.dtype().toScalarType()
                      : std::is_floating_point<T>::value ? kFloat : CppTypeToScalarType<T>::value;
    if constexpr (std::is_floating_point<T>::value) {
        std::vector<double> wide(values.begin(), values.end());
        return kl::call("torch.tensor", {ArrayRef<double>(wide), type, Tensor::place(o)});
    } else {
        std::vector<int64_t> wide(values.begin(), values.end());
        if (!o.has_dtype() && !std::is_same<T, bool>::value) type = kLong;
        return kl::call("torch.tensor", {IntArrayRef(wide), type, Tensor::place(o)});
    }
}
template <class T> Tensor tensor(std::initializer_list<T> values, TensorOptions o = {}) { return torch::tensor(ArrayRef<T>(values), o); }
template <class T> Tensor tensor(const std::vector<T>& values, TensorOptions o = {}) { return torch::tensor(ArrayRef<T>(values), o); }
/// A matrix by its rows.
template <class T> Tensor tensor(std::initializer_list<std::initializer_list<T>> rows, TensorOptions o = {}) {
    std::vector<T> values;
    for (const auto& row : rows) {
        TORCH_CHECK(row.size() == rows.begin()->size(), "Expected all sub-lists to have sizes: [", rows.begin()->size(), "] (e.g. the first one), but got sub-list with sizes: [", row.size(), "]");
        for (const T& v : row) values.push_back(v);
    }
    return torch::tensor(ArrayRef<T>(values), o).view({int64_t(rows.size()), -1});
}
template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>> Tensor tensor(T value, TensorOptions o = {}) {
    const ScalarType type = o.has_dtype() ? o.dtype().toScalarType()
                            : std::is_floating_point<T>::value ? kFloat : std::is_same<T, bool>::value ? kBool : kLong;
    return kl::call("torch.tensor", {Scalar(value).klValue(), type, Tensor::place(o)});
}
} // namespace torch
