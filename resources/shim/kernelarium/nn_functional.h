// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// torch::nn::functional: its options are plain structures with chaining setters.
#pragma once
#include "kernelarium/aten_factories.h"

#define KL_OPTION(T, name, value)                                                                                      \
    auto& name(const T& v) {                                                                                           \
        m_##name = v;                                                                                                  \
        return *this;                                                                                                  \
    }                                                                                                                  \
    const T& name() const { return m_##name; }                                                                         \
    T m_##name = value;

namespace kl {
/// A list option of convolutions and pooling: one number or one for each dimension, kept on the heap.
struct Numbers {
    const int64_t* data = nullptr;
    size_t size = 0;
    constexpr Numbers() = default;
    Numbers(int64_t v) : Numbers(at::IntArrayRef(v)) {}
    Numbers(int v) : Numbers(int64_t(v)) {}
    Numbers(std::initializer_list<int64_t> list) : Numbers(at::IntArrayRef(list)) {}
    Numbers(const std::vector<int64_t>& list) : Numbers(at::IntArrayRef(list)) {}
    Numbers(at::IntArrayRef list) {
        int64_t* copy = allocate<int64_t>(list.size() + 1);
        for (size_t i = 0; i < list.size(); ++i) copy[i] = list[i];
        data = copy;
        size = list.size();
    }
    operator at::IntArrayRef() const { return at::IntArrayRef(data, size); }
};
} // namespace kl

namespace torch::nn::functional {
inline Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b = {}) { return at::linear(x, w, b); }
inline Tensor relu(const Tensor& x, bool = false) { return at::relu(x); }
inline Tensor sigmoid(const Tensor& x) { return at::sigmoid(x); }
inline Tensor tanh(const Tensor& x) { return at::tanh(x); }
inline Tensor silu(const Tensor& x) { return at::silu(x); }
inline Tensor mish(const Tensor& x) { return at::mish(x); }
inline Tensor hardswish(const Tensor& x, bool = false) { return at::hardswish(x); }
struct GELUFuncOptions { KL_OPTION(std::string, approximate, "none") };
inline Tensor gelu(const Tensor& x, const GELUFuncOptions& o = {}) { return at::gelu(x, o.approximate()); }
struct SoftmaxFuncOptions {
    SoftmaxFuncOptions(int64_t dim_) : m_dim(dim_) {}
    KL_OPTION(int64_t, dim, 0)
};
inline Tensor softmax(const Tensor& x, const SoftmaxFuncOptions& o) { return at::softmax(x, o.dim()); }
inline Tensor log_softmax(const Tensor& x, const SoftmaxFuncOptions& o) { return at::log_softmax(x, o.dim()); }
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;
struct DropoutFuncOptions {
    KL_OPTION(double, p, 0.5)
    KL_OPTION(bool, training, true)
    KL_OPTION(bool, inplace, false)
};
inline Tensor dropout(Tensor x, const DropoutFuncOptions& o = {}) {
    return o.inplace() ? at::dropout_(x, o.p(), o.training()) : at::dropout(x, o.p(), o.training());
}
struct NormalizeFuncOptions {
    KL_OPTION(double, p, 2.0)
    KL_OPTION(int64_t, dim, 1)
    KL_OPTION(double, eps, 1e-12)
};
inline Tensor normalize(const Tensor& x, const NormalizeFuncOptions& o = {}) { return at::normalize_(x, o.p(), o.dim(), o.eps()); }

#define KL_CONVOLUTION(n)                                                                                              \
    struct Conv##n##dFuncOptions {                                                                                     \
        KL_OPTION(Tensor, bias, Tensor())                                                                              \
        KL_OPTION(kl::Numbers, stride, 1)                                                                              \
        KL_OPTION(kl::Numbers, padding, 0)                                                                             \
        KL_OPTION(kl::Numbers, dilation, 1)                                                                            \
        KL_OPTION(int64_t, groups, 1)                                                                                  \
    };                                                                                                                 \
    inline Tensor conv##n##d(const Tensor& x, const Tensor& w, const Conv##n##dFuncOptions& o = {}) {                  \
        return at::conv##n##d(x, w, o.bias(), o.stride(), o.padding(), o.dilation(), o.groups());                      \
    }                                                                                                                  \
    struct ConvTranspose##n##dFuncOptions {                                                                            \
        KL_OPTION(Tensor, bias, Tensor())                                                                              \
        KL_OPTION(kl::Numbers, stride, 1)                                                                              \
        KL_OPTION(kl::Numbers, padding, 0)                                                                             \
        KL_OPTION(kl::Numbers, output_padding, 0)                                                                      \
        KL_OPTION(kl::Numbers, dilation, 1)                                                                            \
        KL_OPTION(int64_t, groups, 1)                                                                                  \
    };                                                                                                                 \
    inline Tensor conv_transpose##n##d(const Tensor& x, const Tensor& w, const ConvTranspose##n##dFuncOptions& o = {}) { \
        return at::conv_transpose##n##d(x, w, o.bias(), o.stride(), o.padding(), o.output_padding(), o.groups(), o.dilation()); \
    }                                                                                                                  \
    struct MaxPool##n##dFuncOptions {                                                                                  \
        MaxPool##n##dFuncOptions(kl::Numbers size) : m_kernel_size(size), m_stride(size) {}                            \
        KL_OPTION(kl::Numbers, kernel_size, 1)                                                                         \
        KL_OPTION(kl::Numbers, stride, 1)                                                                              \
        KL_OPTION(kl::Numbers, padding, 0)                                                                             \
        KL_OPTION(kl::Numbers, dilation, 1)                                                                            \
        KL_OPTION(bool, ceil_mode, false)                                                                              \
    };                                                                                                                 \
    inline Tensor max_pool##n##d(const Tensor& x, const MaxPool##n##dFuncOptions& o) {                                 \
        return at::max_pool##n##d(x, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());           \
    }
KL_CONVOLUTION(1) KL_CONVOLUTION(2) KL_CONVOLUTION(3)
#undef KL_CONVOLUTION
struct AvgPool2dFuncOptions {
    AvgPool2dFuncOptions(kl::Numbers size) : m_kernel_size(size), m_stride(size) {}
    KL_OPTION(kl::Numbers, kernel_size, 1)
    KL_OPTION(kl::Numbers, stride, 1)
    KL_OPTION(kl::Numbers, padding, 0)
};
inline Tensor avg_pool2d(const Tensor& x, const AvgPool2dFuncOptions& o) { return at::avg_pool2d(x, o.kernel_size(), o.stride(), o.padding()); }
struct AdaptiveAvgPool2dFuncOptions {
    AdaptiveAvgPool2dFuncOptions(kl::Numbers size) : m_output_size(size) {}
    KL_OPTION(kl::Numbers, output_size, 1)
};
inline Tensor adaptive_avg_pool2d(const Tensor& x, const AdaptiveAvgPool2dFuncOptions& o) { return at::adaptive_avg_pool2d(x, o.output_size()); }
struct LayerNormFuncOptions {
    LayerNormFuncOptions(kl::Numbers shape) : m_normalized_shape(shape) {}
    KL_OPTION(kl::Numbers, normalized_shape, 1)
    KL_OPTION(Tensor, weight, Tensor())
    KL_OPTION(Tensor, bias, Tensor())
    KL_OPTION(double, eps, 1e-5)
};
inline Tensor layer_norm(const Tensor& x, const LayerNormFuncOptions& o) { return at::layer_norm(x, o.normalized_shape(), o.weight(), o.bias(), o.eps()); }
struct GroupNormFuncOptions {
    GroupNormFuncOptions(int64_t groups) : m_num_groups(groups) {}
    KL_OPTION(int64_t, num_groups, 1)
    KL_OPTION(Tensor, weight, Tensor())
    KL_OPTION(Tensor, bias, Tensor())
    KL_OPTION(double, eps, 1e-5)
};
inline Tensor group_norm(const Tensor& x, const GroupNormFuncOptions& o) { return at::group_norm(x, o.num_groups(), o.weight(), o.bias(), o.eps()); }
struct BatchNormFuncOptions {
    KL_OPTION(Tensor, weight, Tensor())
    KL_OPTION(Tensor, bias, Tensor())
    KL_OPTION(bool, training, false)
    KL_OPTION(double, momentum, 0.1)
    KL_OPTION(double, eps, 1e-5)
};
inline Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& var, const BatchNormFuncOptions& o = {}) {
    return at::batch_norm(x, o.weight(), o.bias(), mean, var, o.training(), o.momentum(), o.eps(), true);
}
struct PadFuncOptions {
    PadFuncOptions(kl::Numbers pad_) : m_pad(pad_) {}
    KL_OPTION(kl::Numbers, pad, 0)
    KL_OPTION(double, value, 0.0)
};
inline Tensor pad(const Tensor& x, const PadFuncOptions& o) { return at::constant_pad_nd(x, o.pad(), o.value()); }
} // namespace torch::nn::functional
#else
#include "kernelarium/std_limits.h"
static_assert(std::numeric_limits<double>::is_specialized); // its members are in the PTX as they are with modules
#endif
