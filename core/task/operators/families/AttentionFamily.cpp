// SPDX-License-Identifier: GPL-3.0-or-later
// softmax(q k^T * scale + mask) v (torch.nn.functional.scaled_dot_product_attention).
#include "core/task/operators/Blas.h"
#include "core/task/operators/Nested.h"
#include "core/task/operators/Pointwise.h"

#include <cmath>
#include <limits>

namespace kernelarium::task::operators {

namespace {

Tensor causalMask(const Call& call, std::int64_t rows, std::int64_t columns) {
    return apply(call, "aten.tril.default", {apply(call, "aten.ones.default", {listOf({rows, columns}), DType::Bool})});
}

Results attention(const Call& call) {
    Tensor q = call.tensor(0, "query"), k = call.tensor(1, "key"), v = call.tensor(2, "value");
    require(q.dim() >= 2 && k.dim() >= 2 && v.dim() >= 2,
            "scaled_dot_product_attention needs at least two dimensions.");
    require(call.number(4, "dropout_p", 0.0) == 0.0 || call.shapesOnly(),
            "Attention with dropout has no fixed result.");
    if (call.flag(7, "enable_gqa", false)) {
        require(q.dim() >= 3 && k.dim() >= 3 && k.shape()[k.shape().size() - 3] > 0,
                "scaled_dot_product_attention with enable_gqa needs heads in the query and in the key.");
        const std::int64_t times = q.shape()[q.shape().size() - 3] / k.shape()[k.shape().size() - 3];
        k = apply(call, "aten.repeat_interleave.self_int", {k, times, std::int64_t(-3)});
        v = apply(call, "aten.repeat_interleave.self_int", {v, times, std::int64_t(-3)});
    }
    const double scale = call.number(6, "scale", 1.0 / std::sqrt(double(q.shape().back())));
    Tensor scores = matmul(call, q, apply(call, "aten.transpose.int", {k, -2, -1}));
    scores = mapFloating(call, scores, [scale](auto x) { return x * decltype(x)(scale); });
    std::optional<Tensor> mask = call.optionalTensor(3, "attn_mask");
    if (call.flag(5, "is_causal", false)) {
        require(!mask, "Explicit attn_mask should not be set when is_causal=True.");
        mask = causalMask(call, q.shape()[q.shape().size() - 2], k.shape()[k.shape().size() - 2]);
    }
    if (mask && mask->dtype() == DType::Bool)
        scores =
            apply(call, "aten.masked_fill.Scalar",
                  {scores, apply(call, "aten.logical_not.default", {*mask}), -std::numeric_limits<double>::infinity()});
    else if (mask)
        scores = apply(call, "aten.add.Tensor", {scores, *mask});
    return {matmul(call, apply(call, "aten.softmax.int", {scores, -1}), v)};
}

constexpr Entry attentionEntries[] = {{"aten.scaled_dot_product_attention.default", attention}};

} // namespace

Family attentionFamily() {
    return attentionEntries;
}

} // namespace kernelarium::task::operators
