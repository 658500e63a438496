// SPDX-License-Identifier: GPL-3.0-or-later
//
// torch::nn::LSTM and GRU: modules that host code makes, fills with parameters by name, and calls.
#pragma once
#include "kernelarium/nn_functional.h"
#include "kernelarium/std_optional.h"
#include "kernelarium/std_string.h"
#include "kernelarium/std_tuple.h"
#include "kernelarium/std_vector.h"

namespace kl {
/// Options of a recurrent module.
template <class Self> struct RecurrentOptions {
    RecurrentOptions(int64_t input, int64_t hidden) : m_input_size(input), m_hidden_size(hidden) {}
#define KL_RECURRENT_OPTION(T, name, value)                                                                            \
    Self& name(const T& v) {                                                                                           \
        m_##name = v;                                                                                                  \
        return static_cast<Self&>(*this);                                                                              \
    }                                                                                                                  \
    const T& name() const { return m_##name; }                                                                         \
    T m_##name = value;
    KL_RECURRENT_OPTION(int64_t, input_size, 0)
    KL_RECURRENT_OPTION(int64_t, hidden_size, 0)
    KL_RECURRENT_OPTION(int64_t, num_layers, 1)
    KL_RECURRENT_OPTION(bool, bias, true)
    KL_RECURRENT_OPTION(bool, batch_first, false)
    KL_RECURRENT_OPTION(double, dropout, 0.0)
    KL_RECURRENT_OPTION(bool, bidirectional, false)
#undef KL_RECURRENT_OPTION
};

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

/// What LSTM and GRU share. Parameters start as PyTorch draws them: uniform in +-1 / sqrt(hidden size).
template <class Options> struct RecurrentModule {
    Options options;
    NamedTensors parameters_;
    bool training = true;

    RecurrentModule(const Options& o, int64_t gates) : options(o) {
        const int64_t hidden = o.hidden_size(), directions = o.bidirectional() ? 2 : 1;
        for (int64_t layer = 0; layer < o.num_layers(); ++layer)
            for (int64_t d = 0; d < directions; ++d) {
                const std::string end = "_l" + std::to_string(layer) + (d ? "_reverse" : "");
                add("weight_ih" + end, {gates * hidden, layer ? directions * hidden : o.input_size()});
                add("weight_hh" + end, {gates * hidden, hidden});
                if (!o.bias()) continue;
                add("bias_ih" + end, {gates * hidden});
                add("bias_hh" + end, {gates * hidden});
            }
    }
    void add(const std::string& name, std::initializer_list<int64_t> shape) {
        const double bound = 1.0 / std::sqrt(double(options.hidden_size()));
        parameters_.names.push_back(name);
        parameters_.tensors.push_back(at::rand(shape) * (2 * bound) - bound);
    }
    NamedTensors& named_parameters(bool = true) { return parameters_; }
    std::vector<at::Tensor>& parameters(bool = true) { return parameters_.tensors; }
    std::vector<at::Tensor>& all_weights() { return parameters_.tensors; }
    template <class Where> void to(const Where& where, bool = false) {
        for (at::Tensor& t : parameters_.tensors) t = t.to(where);
    }
    void train(bool on = true) { training = on; }
    void eval() { training = false; }
    bool is_training() const { return training; }
    void zero_grad() {}
    void flatten_parameters() {}
    at::Tensor zeroState(const at::Tensor& x) const {
        const int64_t layers = options.num_layers() * (options.bidirectional() ? 2 : 1);
        return at::zeros({layers, x.size(options.batch_first() ? 0 : 1), options.hidden_size()}, x.options());
    }
};
} // namespace kl

namespace torch::nn {
struct LSTMOptions : kl::RecurrentOptions<LSTMOptions> {
    using RecurrentOptions::RecurrentOptions;
};
struct GRUOptions : kl::RecurrentOptions<GRUOptions> {
    using RecurrentOptions::RecurrentOptions;
};

struct LSTMImpl : kl::RecurrentModule<LSTMOptions> {
    explicit LSTMImpl(const LSTMOptions& o) : RecurrentModule(o, 4) {}
    using State = std::tuple<Tensor, Tensor>;
    std::tuple<Tensor, State> forward(const Tensor& x, const std::optional<State>& state = std::nullopt) {
        std::vector<Tensor> start;
        start.push_back(state ? std::get<0>(*state) : zeroState(x));
        start.push_back(state ? std::get<1>(*state) : zeroState(x));
        const auto made = at::lstm(x, start, parameters_.tensors, options.bias(), options.num_layers(), options.dropout(),
                                   training, options.bidirectional(), options.batch_first());
        return std::make_tuple(std::get<0>(made), std::make_tuple(std::get<1>(made), std::get<2>(made)));
    }
};
struct GRUImpl : kl::RecurrentModule<GRUOptions> {
    explicit GRUImpl(const GRUOptions& o) : RecurrentModule(o, 3) {}
    std::tuple<Tensor, Tensor> forward(const Tensor& x, const Tensor& state = {}) {
        return at::gru(x, state.defined() ? state : zeroState(x), parameters_.tensors, options.bias(),
                       options.num_layers(), options.dropout(), training, options.bidirectional(), options.batch_first());
    }
};

/// PyTorch's module holders: the module behind a pointer.
#define KL_MODULE_HOLDER(name)                                                                                         \
    class name {                                                                                                       \
    public:                                                                                                            \
        name() = default;                                                                                              \
        explicit name(const name##Options& o) : m_module(kl::allocate<name##Impl>(1)) { new (m_module) name##Impl(o); } \
        name(int64_t input, int64_t hidden) : name(name##Options(input, hidden)) {}                                    \
        name##Impl* operator->() const { return m_module; }                                                            \
        name##Impl& operator*() const { return *m_module; }                                                            \
        name##Impl* get() const { return m_module; }                                                                   \
        explicit operator bool() const { return m_module != nullptr; }                                                 \
        template <class... A> auto operator()(A&&... a) const { return m_module->forward(a...); }                      \
                                                                                                                       \
    private:                                                                                                           \
        name##Impl* m_module = nullptr;                                                                                \
    };
KL_MODULE_HOLDER(LSTM)
KL_MODULE_HOLDER(GRU)
#undef KL_MODULE_HOLDER
} // namespace torch::nn
