// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// torch::autograd::Function: apply() is forward(). Nothing here asks for a gradient, so backward() is never called.
#pragma once
#include "kernelarium/aten_context.h"
#include "kernelarium/std_map.h"

namespace c10 {
/// A value that a context keeps.
class IValue {
public:
    IValue() = default;
    IValue(const at::Tensor& t)
        : m_value(kl::Arg(t)) {}
    IValue(const std::string& text)
        : m_value(kl::Arg(*kl::make<std::string>(text))) {}
    IValue(const char* text)
        : m_value(kl::Arg(text)) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    IValue(T v)
        : m_value(Scalar(v).klValue()) {}
    bool isNone() const { return m_value.kind == KL_NONE; }
    bool isTensor() const { return m_value.kind == KL_TENSOR; }
    at::Tensor toTensor() const { return at::Tensor(isTensor() ? m_value.i : 0, 0); }
    int64_t toInt() const { return Scalar(m_value).toLong(); }
    double toDouble() const { return Scalar(m_value).toDouble(); }
    bool toBool() const { return Scalar(m_value).toBool(); }
    Scalar toScalar() const { return Scalar(m_value); }
    std::string toStringRef() const { return std::string(static_cast<const char*>(m_value.p), m_value.count); }

private:
    kl_value m_value{KL_NONE, 0, {0}};
};
class InferenceMode {
public:
    explicit InferenceMode(bool = true) {}
};
} // namespace c10
namespace at {
class AutoDispatchBelowAutograd {
public:
    AutoDispatchBelowAutograd() {}
};
using AutoDispatchBelowADInplaceOrView = AutoDispatchBelowAutograd;
using AutoNonVariableTypeMode = c10::InferenceMode;
using AutoGradMode = c10::InferenceMode;
} // namespace at

namespace torch {
using at::AutoGradMode;
using c10::InferenceMode;
using c10::IValue;
struct GradMode {
    static bool is_enabled() { return false; }
    static void set_enabled(bool) {}
};
} // namespace torch
namespace torch::autograd {
using Variable = at::Tensor;
using variable_list = std::vector<at::Tensor>;
using tensor_list = variable_list;
class AutogradContext {
public:
    void save_for_backward(const variable_list& list) { m_saved = list; }
    variable_list get_saved_variables() const { return m_saved; }
    void mark_dirty(const variable_list&) {}
    void mark_non_differentiable(const variable_list&) {}
    void set_materialize_grads(bool) {}
    bool needs_input_grad(size_t) const { return false; }
    std::unordered_map<std::string, c10::IValue> saved_data;

private:
    variable_list m_saved;
};
template <class T> class Function {
public:
    template <class... A> static auto apply(A&&... arguments) {
        return T::forward(kl::make<AutogradContext>(), std::forward<A>(arguments)...);
    }
};
} // namespace torch::autograd
#endif
