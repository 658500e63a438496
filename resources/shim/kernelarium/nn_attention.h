// SPDX-License-Identifier: GPL-3.0-or-later
//
// torch::nn::MultiheadAttention over sequences (length, batch, embedding), and torch::nn::Linear. Keys and values are as
// wide as the queries: kdim, vdim, add_bias_kv and add_zero_attn are not among the options.
#pragma once
#include "kernelarium/nn_module.h"

namespace torch::nn {
struct LinearOptions {
    LinearOptions(int64_t from, int64_t to) : m_in_features(from), m_out_features(to) {}
    KL_OPTION(int64_t, in_features, 0)
    KL_OPTION(int64_t, out_features, 0)
    KL_OPTION(bool, bias, true)
};
struct LinearImpl : kl::Module {
    LinearOptions options;
    Tensor weight, bias;
    explicit LinearImpl(const LinearOptions& o) : options(o) {
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

struct MultiheadAttentionOptions {
    MultiheadAttentionOptions(int64_t width, int64_t heads) : m_embed_dim(width), m_num_heads(heads) {}
    KL_OPTION(int64_t, embed_dim, 0)
    KL_OPTION(int64_t, num_heads, 1)
    KL_OPTION(double, dropout, 0.0)
    KL_OPTION(bool, bias, true)
};
struct MultiheadAttentionImpl : kl::Module {
    MultiheadAttentionOptions options;
    explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& o) : options(o) {
        const int64_t e = o.embed_dim();
        TORCH_CHECK(o.num_heads() > 0 && e % o.num_heads() == 0, "embed_dim must be divisible by num_heads");
        addUniform("in_proj_weight", {3 * e, e}, std::sqrt(6.0 / double(4 * e)));
        if (o.bias()) addTensor("in_proj_bias", at::zeros({3 * e}));
        addUniform("out_proj.weight", {e, e}, 1.0 / std::sqrt(double(e)));
        if (o.bias()) addTensor("out_proj.bias", at::zeros({e}));
    }

    /// Gives the output and, where wanted, the attention weights: (batch, length, source) averaged over the heads, or
    /// (batch, heads, length, source). Masks: bool (true is left out) or numbers to add.
    std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& padding = {},
                                       bool needWeights = true, const Tensor& mask = {}, bool average = true) {
        const int64_t length = query.size(0), batch = query.size(1), source = key.size(0), heads = options.num_heads();
        const Tensor q = split(query, 0) * (1.0 / std::sqrt(double(options.embed_dim() / heads)));
        Tensor scores = at::bmm(q, split(key, 1).transpose(1, 2));
        if (mask.defined()) scores = masked(scores, mask.dim() == 2 ? mask.unsqueeze(0) : mask);
        if (padding.defined()) {
            const Tensor wide = masked(scores.view({batch, heads, length, source}), padding.unsqueeze(1).unsqueeze(2));
            scores = wide.reshape({batch * heads, length, source});
        }
        const Tensor weights = at::dropout(at::softmax(scores, -1), options.dropout(), training);
        const Tensor joined = at::bmm(weights, split(value, 2)).transpose(0, 1).reshape({length, batch, options.embed_dim()});
        const Tensor out = at::linear(joined, parameters_["out_proj.weight"], biasOf("out_proj.bias"));
        if (!needWeights) return {out, Tensor()};
        const Tensor byHead = weights.view({batch, heads, length, source});
        return {out, average ? byHead.mean({1}) : byHead};
    }

private:
    Tensor biasOf(const char* name) { return options.bias() ? parameters_[name] : Tensor(); }
    static Tensor masked(const Tensor& scores, const Tensor& mask) {
        if (mask.scalar_type() != kBool) return scores + mask;
        return scores.masked_fill(mask, -std::numeric_limits<double>::infinity());
    }
    /// The projection number `part` of x, one row of (batch * heads) for each head.
    Tensor split(const Tensor& x, int64_t part) {
        const int64_t e = options.embed_dim(), heads = options.num_heads();
        const Tensor bias = biasOf("in_proj_bias");
        const Tensor y = at::linear(x, parameters_["in_proj_weight"].narrow(0, part * e, e),
                                    bias.defined() ? bias.narrow(0, part * e, e) : Tensor());
        return y.reshape({x.size(0), x.size(1) * heads, e / heads}).transpose(0, 1);
    }
};
KL_MODULE_HOLDER(Linear)
KL_MODULE_HOLDER(MultiheadAttention)
} // namespace torch::nn
