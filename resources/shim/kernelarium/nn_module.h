// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// What PyTorch's modules share: parameters by name, and holders that stand for a module behind a pointer.
#pragma once
#include "kernelarium/nn_functional.h"
#include "kernelarium/std_string.h"
#include "kernelarium/std_tuple.h"
#include "kernelarium/std_vector.h"

namespace kl {
/// Parameters of a module by name, in the order in which PyTorch registers them.
struct NamedTensors {
    std::vector<std::string> names;
    std::vector<at::Tensor> tensors;

    at::Tensor& operator[](const std::string& name) {
        for (size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return tensors[i];
        TORCH_CHECK(false, "No such key: `", name, "`");
        return tensors[0];
    }
    bool contains(const std::string& name) const {
        for (size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return true;
        return false;
    }
    size_t size() const { return names.size(); }
};

struct Module {
    NamedTensors parameters_;
    bool training = true;

    void addTensor(const std::string& name, const at::Tensor& t) {
        parameters_.names.push_back(name);
        parameters_.tensors.push_back(t);
    }
    /// Drawn from +-bound, as PyTorch's initialisers do.
    void addUniform(const std::string& name, at::IntArrayRef shape, double bound) {
        addTensor(name, at::rand(shape) * (2 * bound) - bound);
    }
    NamedTensors& named_parameters(bool = true) { return parameters_; }
    std::vector<at::Tensor>& parameters(bool = true) { return parameters_.tensors; }
    template <class Where> void to(const Where& where, bool = false) {
        for (at::Tensor& t : parameters_.tensors)
            t = t.to(where);
    }
    void train(bool on = true) { training = on; }
    void eval() { training = false; }
    bool is_training() const { return training; }
    void zero_grad() {}
};
} // namespace kl

/// PyTorch's module holders: the module behind a pointer.
#define KL_MODULE_HOLDER(name)                                                                                         \
    class name {                                                                                                       \
    public:                                                                                                            \
        name() = default;                                                                                              \
        name(std::nullptr_t) {}                                                                                        \
        explicit name(const name##Options& o)                                                                          \
            : m_module(kl::allocate<name##Impl>(1)) {                                                                  \
            new (m_module) name##Impl(o);                                                                              \
        }                                                                                                              \
        name(int64_t input, int64_t hidden)                                                                            \
            : name(name##Options(input, hidden)) {}                                                                    \
        name##Impl* operator->() const { return m_module; }                                                            \
        name##Impl& operator*() const { return *m_module; }                                                            \
        name##Impl* get() const { return m_module; }                                                                   \
        explicit operator bool() const { return m_module != nullptr; }                                                 \
        template <class... A> auto operator()(A&&... a) const { return m_module->forward(a...); }                      \
                                                                                                                       \
    private:                                                                                                           \
        name##Impl* m_module = nullptr;                                                                                \
    };
#endif
