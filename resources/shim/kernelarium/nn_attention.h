// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// torch::nn::MultiheadAttention over sequences (length, batch, embedding), and torch::nn::Linear. Keys and values are
// as wide as the queries: kdim, vdim, add_bias_kv and add_zero_attn are not among the options.
#pragma once
#include "kernelarium/nn_module.h"

namespace torch::nn {
struct LinearOptions {
    LinearOptions(int64_t from, int64_t to)
        : m_in_features(from)
        , m_out_features(to) {}
    KL_OPTION(int64_t, in_features, 0)
    KL_OPTION(int64_t, out_features, 0)
    KL_OPTION(bool, bias, true)
};
struct LinearImpl : kl::Module {
    LinearOptions options;
    Tensor weight, bias;
    explicit LinearImpl(const LinearOptions& o)
        : options(o) {
        const double bound = 1.0 / std::sqrt(double(o.in_features()));
        addUniform("weight", {o.out_features(), o.in_features()}, bound);
        if (o.bias()) addUniform("bias", {o.out_features()}, bound);
        share();
    }
    template <class Where> void to(const Where& where, bool = false) {
        Module::to(where);
        share();
    }
    Tensor forward(const Tensor& x) const { return at::linear(x, weight, bias); }

private:
    void share() {
        weight = parameters_.tensors[0];
        if (options.bias()) bias = parameters_.tensors[1];
    }
};
KL_MODULE_HOLDER(Linear)

struct MultiheadAttentionOptions {
    MultiheadAttentionOptions(int64_t width, int64_t heads)
        : m_embed_dim(width)
        , m_num_heads(heads) {}
    KL_OPTION(int64_t, embed_dim, 0)
    KL_OPTION(int64_t, num_heads, 1)
    KL_OPTION(double, dropout, 0.0)
    KL_OPTION(bool, bias, true)
};
struct MultiheadAttentionImpl : kl::Module {
    MultiheadAttentionOptions options;
    Tensor in_proj_weight, in_proj_bias, bias_k, bias_v, q_proj_weight, k_proj_weight, v_proj_weight;
    Linear out_proj;
    explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& o)
        : options(o) {
        const int64_t e = o.embed_dim();
        TORCH_CHECK(o.num_heads() > 0 && e % o.num_heads() == 0, "embed_dim must be divisible by num_heads");
        addUniform("in_proj_weight", {3 * e, e}, std::sqrt(6.0 / double(4 * e)));
        if (o.bias()) addTensor("in_proj_bias", at::zeros({3 * e}));
        addUniform("out_proj.weight", {e, e}, 1.0 / std::sqrt(double(e)));
        if (o.bias()) addTensor("out_proj.bias", at::zeros({e}));
        out_proj = Linear(LinearOptions(e, e).bias(o.bias()));
        share();
    }
    template <class Where> void to(const Where& where, bool = false) {
        Module::to(where);
        share();
    }

    /// Gives the output and, where wanted, the attention weights: (batch, length, source) averaged over the heads, or
    /// (batch, heads, length, source). Masks: bool (true is left out) or numbers to add.
    std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const Tensor& padding = {}, bool needWeights = true, const Tensor& mask = {},
                                       bool average = true) {
        const int64_t length = query.size(0), batch = query.size(1), source = key.size(0), heads = options.num_heads();
        const Tensor q = split(query, 0) * (1.0 / std::sqrt(double(options.embed_dim() / heads)));
        Tensor scores = at::bmm(q, split(key, 1).transpose(1, 2));
        if (mask.defined()) scores = masked(scores, mask.dim() == 2 ? mask.unsqueeze(0) : mask);
        if (padding.defined()) {
            const Tensor wide = masked(scores.view({batch, heads, length, source}), padding.unsqueeze(1).unsqueeze(2));
            scores = wide.reshape({batch * heads, length, source});
        }
        const Tensor weights = at::dropout(at::softmax(scores, -1), options.dropout(), training);
        const Tensor joined =
            at::bmm(weights, split(value, 2)).transpose(0, 1).reshape({length, batch, options.embed_dim()});
        const Tensor out =
            at::linear(joined, current("out_proj.weight", out_proj->weight), biasOf("out_proj.bias", out_proj->bias));
        if (!needWeights) return {out, Tensor()};
        const Tensor byHead = weights.view({batch, heads, length, source});
        return {out, average ? byHead.mean({1}) : byHead};
    }

private:
    /// The members are the parameters.
    void share() {
        in_proj_weight = parameters_["in_proj_weight"];
        out_proj->weight = parameters_["out_proj.weight"];
        if (options.bias()) {
            in_proj_bias = parameters_["in_proj_bias"];
            out_proj->bias = parameters_["out_proj.bias"];
        }
        m_shared = parameters_.tensors;
    }
    /// A parameter as it is now: set by its name, or else by the member.
    Tensor current(const char* name, const Tensor& member) {
        for (size_t i = 0; i < m_shared.size(); ++i)
            if (parameters_.names[i] == name && !parameters_.tensors[i].is_same(m_shared[i]))
                return parameters_.tensors[i];
        return member;
    }
    Tensor biasOf(const char* name, const Tensor& member) { return options.bias() ? current(name, member) : Tensor(); }
    static Tensor masked(const Tensor& scores, const Tensor& mask) {
        if (mask.scalar_type() != kBool) return scores + mask;
        return scores.masked_fill(mask, -std::numeric_limits<double>::infinity());
    }
    /// The projection number `part` of x, one row of (batch * heads) for each head.
    Tensor split(const Tensor& x, int64_t part) {
        const int64_t e = options.embed_dim(), heads = options.num_heads();
        const Tensor bias = biasOf("in_proj_bias", in_proj_bias);
        const Tensor y = at::linear(x, current("in_proj_weight", in_proj_weight).narrow(0, part * e, e),
                                    bias.defined() ? bias.narrow(0, part * e, e) : Tensor());
        return y.reshape({x.size(0), x.size(1) * heads, e / heads}).transpose(0, 1);
    }
    std::vector<Tensor> m_shared;
};
KL_MODULE_HOLDER(MultiheadAttention)
} // namespace torch::nn
#endif
