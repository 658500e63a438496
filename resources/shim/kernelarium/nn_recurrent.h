// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// torch::nn::LSTM and GRU: modules that host code makes, fills with parameters by name, and calls.
#pragma once
#include "kernelarium/nn_module.h"
#include "kernelarium/std_optional.h"

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

/// What LSTM and GRU share. Parameters start as PyTorch draws them: uniform in +-1 / sqrt(hidden size).
template <class Options> struct RecurrentModule : Module {
    Options options;

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
        addUniform(name, shape, 1.0 / std::sqrt(double(options.hidden_size())));
    }
    std::vector<at::Tensor>& all_weights() { return parameters_.tensors; }
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

KL_MODULE_HOLDER(LSTM)
KL_MODULE_HOLDER(GRU)
} // namespace torch::nn
#endif
