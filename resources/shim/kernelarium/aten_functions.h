// SPDX-License-Identifier: GPL-3.0-or-later
//
// at:: functions. Names are those of exported graphs, arguments in schema order, PyTorch's defaults.
#pragma once
#include "kernelarium/aten_tensor.h"

namespace at {
// Operators.
#define KL_OPERATOR(op, name)                                                                                          \
    inline Tensor operator op(const Tensor& a, const Tensor& b) { return a.name(b); }                                  \
    inline Tensor operator op(const Tensor& a, const Scalar& b) { return a.name(b); }
KL_OPERATOR(+, add) KL_OPERATOR(-, sub) KL_OPERATOR(*, mul) KL_OPERATOR(/, div) KL_OPERATOR(%, remainder)
KL_OPERATOR(==, eq) KL_OPERATOR(!=, ne) KL_OPERATOR(<, lt) KL_OPERATOR(<=, le) KL_OPERATOR(>, gt) KL_OPERATOR(>=, ge)
KL_OPERATOR(&, bitwise_and) KL_OPERATOR(|, bitwise_or) KL_OPERATOR(^, bitwise_xor)
#undef KL_OPERATOR
inline Tensor operator+(const Scalar& a, const Tensor& b) { return b.add(a); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return b.mul(a); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return kl::call("aten.rsub.Scalar", {b, a}); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return b.reciprocal().mul(a); }
inline Tensor operator<(const Scalar& a, const Tensor& b) { return b.gt(a); }
inline Tensor operator>(const Scalar& a, const Tensor& b) { return b.lt(a); }

// Element by element.
#define KL_UNARY(name)                                                                                                 \
    inline Tensor name(const Tensor& x) { return kl::call("aten." #name ".default", {x}); }                            \
    inline Tensor& name##_(Tensor& x) {                                                                                \
        kl::callValue("aten." #name "_.default", {x});                                                                 \
        return x;                                                                                                      \
    }
KL_UNARY(abs) KL_UNARY(exp) KL_UNARY(exp2) KL_UNARY(expm1) KL_UNARY(log) KL_UNARY(log2) KL_UNARY(log10) KL_UNARY(log1p)
KL_UNARY(sqrt) KL_UNARY(rsqrt) KL_UNARY(sigmoid) KL_UNARY(tanh) KL_UNARY(relu) KL_UNARY(relu6) KL_UNARY(selu) KL_UNARY(silu)
KL_UNARY(mish) KL_UNARY(hardswish) KL_UNARY(hardsigmoid) KL_UNARY(sin) KL_UNARY(cos) KL_UNARY(tan) KL_UNARY(atan)
KL_UNARY(sinh) KL_UNARY(cosh) KL_UNARY(neg) KL_UNARY(ceil) KL_UNARY(floor) KL_UNARY(round) KL_UNARY(trunc) KL_UNARY(sign)
KL_UNARY(erf) KL_UNARY(erfc) KL_UNARY(reciprocal) KL_UNARY(square) KL_UNARY(logical_not) KL_UNARY(bitwise_not)
#undef KL_UNARY
#define KL_PLAIN(name) inline Tensor name(const Tensor& x) { return kl::call("aten." #name ".default", {x}); }
KL_PLAIN(isnan) KL_PLAIN(isinf) KL_PLAIN(isfinite) KL_PLAIN(t) KL_PLAIN(log_sigmoid) KL_PLAIN(nonzero) KL_PLAIN(trace)
KL_PLAIN(detach) KL_PLAIN(clone) KL_PLAIN(inverse)
#undef KL_PLAIN
inline Tensor gelu(const Tensor& x, std::string_view approximate = "none") {
    return approximate.size() == 4 && approximate[0] == 'n' ? kl::call("aten.gelu.default", {x})
                                                            : kl::call("aten.gelu.default", {x, approximate});
}
inline Tensor leaky_relu(const Tensor& x, const Scalar& slope = 0.01) { return kl::call("aten.leaky_relu.default", {x, slope}); }
inline Tensor& leaky_relu_(Tensor& x, const Scalar& slope = 0.01) {
    kl::callValue("aten.leaky_relu_.default", {x, slope});
    return x;
}
inline Tensor elu(const Tensor& x, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& inputScale = 1) {
    return kl::call("aten.elu.default", {x, alpha, scale, inputScale});
}
inline Tensor celu(const Tensor& x, const Scalar& alpha = 1.0) { return kl::call("aten.celu.default", {x, alpha}); }
inline Tensor softplus(const Tensor& x, const Scalar& beta = 1, const Scalar& threshold = 20) {
    return kl::call("aten.softplus.default", {x, beta, threshold});
}
inline Tensor hardtanh(const Tensor& x, const Scalar& low = -1, const Scalar& high = 1) {
    return kl::call("aten.hardtanh.default", {x, low, high});
}
inline Tensor& hardtanh_(Tensor& x, const Scalar& low = -1, const Scalar& high = 1) {
    kl::callValue("aten.hardtanh_.default", {x, low, high});
    return x;
}
inline Tensor threshold(const Tensor& x, const Scalar& at_, const Scalar& value) { return kl::call("aten.threshold.default", {x, at_, value}); }
inline Tensor prelu(const Tensor& x, const Tensor& weight) { return kl::call("aten.prelu.default", {x, weight}); }
inline Tensor glu(const Tensor& x, int64_t dim = -1) { return kl::call("aten.glu.default", {x, dim}); }
#define KL_BINARY(name)                                                                                                \
    inline Tensor name(const Tensor& a, const Tensor& b) { return a.name(b); }                                         \
    inline Tensor name(const Tensor& a, const Scalar& b) { return a.name(b); }
KL_BINARY(mul) KL_BINARY(div) KL_BINARY(multiply) KL_BINARY(remainder) KL_BINARY(eq) KL_BINARY(ne) KL_BINARY(lt)
KL_BINARY(le) KL_BINARY(gt) KL_BINARY(ge) KL_BINARY(bitwise_and) KL_BINARY(bitwise_or) KL_BINARY(floor_divide)
#undef KL_BINARY
inline Tensor add(const Tensor& a, const Tensor& b, const Scalar& alpha = 1) { return a.add(b, alpha); }
inline Tensor add(const Tensor& a, const Scalar& b, const Scalar& alpha = 1) { return a.add(b, alpha); }
inline Tensor sub(const Tensor& a, const Tensor& b, const Scalar& alpha = 1) { return a.sub(b, alpha); }
inline Tensor sub(const Tensor& a, const Scalar& b, const Scalar& alpha = 1) { return a.sub(b, alpha); }
inline Tensor rsub(const Tensor& a, const Scalar& b) { return kl::call("aten.rsub.Scalar", {a, b}); }
inline Tensor pow(const Tensor& a, const Scalar& e) { return a.pow(e); }
inline Tensor pow(const Tensor& a, const Tensor& e) { return a.pow(e); }
inline Tensor pow(const Scalar& a, const Tensor& e) { return kl::call("aten.pow.Scalar", {a, e}); }
inline Tensor maximum(const Tensor& a, const Tensor& b) { return a.maximum(b); }
inline Tensor minimum(const Tensor& a, const Tensor& b) { return a.minimum(b); }
inline Tensor logical_and(const Tensor& a, const Tensor& b) { return a.logical_and(b); }
inline Tensor logical_or(const Tensor& a, const Tensor& b) { return a.logical_or(b); }
inline Tensor clamp(const Tensor& x, const optional<Scalar>& low = nullopt, const optional<Scalar>& high = nullopt) { return x.clamp(low, high); }
inline Tensor& clamp_(Tensor& x, const optional<Scalar>& low = nullopt, const optional<Scalar>& high = nullopt) { return x.clamp_(low, high); }
inline Tensor clamp(const Tensor& x, const optional<Tensor>& low, const optional<Tensor>& high = nullopt) {
    return kl::call("aten.clamp.Tensor", {x, low, high});
}
inline Tensor clamp_min(const Tensor& x, const Scalar& low) { return x.clamp_min(low); }
inline Tensor& clamp_min_(Tensor& x, const Scalar& low) { return x.clamp_min_(low); }
inline Tensor clamp_max(const Tensor& x, const Scalar& high) { return x.clamp_max(high); }
inline Tensor where(const Tensor& c, const Tensor& a, const Tensor& b) { return kl::call("aten.where.self", {c, a, b}); }
inline Tensor where(const Tensor& c, const Tensor& a, const Scalar& b) { return kl::call("aten.where.ScalarOther", {c, a, b}); }
inline Tensor where(const Tensor& c, const Scalar& a, const Tensor& b) { return kl::call("aten.where.ScalarSelf", {c, a, b}); }
inline Tensor where(const Tensor& c, const Scalar& a, const Scalar& b) { return kl::call("aten.where.Scalar", {c, a, b}); }
inline Tensor masked_fill(const Tensor& x, const Tensor& mask, const Scalar& v) { return x.masked_fill(mask, v); }
inline Tensor dropout(const Tensor& x, double p, bool train) { return kl::call("aten.dropout.default", {x, p, train}); }
inline Tensor& dropout_(Tensor& x, double p, bool train) {
    kl::callValue("aten.dropout_.default", {x, p, train});
    return x;
}
inline Tensor lerp(const Tensor& a, const Tensor& b, const Scalar& w) { return a.lerp(b, w); }
inline Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& v = 1) { return x.addcmul(a, b, v); }

// Products.
inline Tensor matmul(const Tensor& a, const Tensor& b) { return a.matmul(b); }
inline Tensor mm(const Tensor& a, const Tensor& b) { return a.mm(b); }
inline Tensor bmm(const Tensor& a, const Tensor& b) { return a.bmm(b); }
inline Tensor mv(const Tensor& a, const Tensor& b) { return a.mv(b); }
inline Tensor dot(const Tensor& a, const Tensor& b) { return a.dot(b); }
inline Tensor addmm(const Tensor& c, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1) { return c.addmm(a, b, beta, alpha); }
inline Tensor baddbmm(const Tensor& c, const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1) { return c.baddbmm(a, b, beta, alpha); }
inline Tensor linear(const Tensor& x, const Tensor& w, const optional<Tensor>& b = {}) { return kl::call("aten.linear.default", {x, w, b}); }
inline Tensor bilinear(const Tensor& x, const Tensor& y, const Tensor& w, const optional<Tensor>& b = {}) { return kl::call("aten.bilinear.default", {x, y, w, b}); }
inline Tensor einsum(std::string_view equation, TensorList operands) { return kl::call("aten.einsum.default", {equation, operands}); }
inline Tensor outer(const Tensor& a, const Tensor& b) { return kl::call("aten.outer.default", {a, b}); }
inline Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v, const optional<Tensor>& mask = {},
                                           double p = 0, bool causal = false, optional<double> scale = nullopt) {
    return kl::call("aten.scaled_dot_product_attention.default", {q, k, v, mask, p, causal, scale});
}

// Convolutions.
#define KL_CONVOLUTION(name)                                                                                           \
    inline Tensor name(const Tensor& x, const Tensor& w, const optional<Tensor>& b = {}, IntArrayRef stride = 1l,        \
                       IntArrayRef padding = 0l, IntArrayRef dilation = 1l, int64_t groups = 1) {                        \
        return kl::call("aten." #name ".default", {x, w, b, stride, padding, dilation, groups});                       \
    }
KL_CONVOLUTION(conv1d) KL_CONVOLUTION(conv2d) KL_CONVOLUTION(conv3d)
#undef KL_CONVOLUTION
#define KL_TRANSPOSED(name, overload)                                                                                  \
    inline Tensor name(const Tensor& x, const Tensor& w, const optional<Tensor>& b = {}, IntArrayRef stride = 1l,        \
                       IntArrayRef padding = 0l, IntArrayRef outputPadding = 0l, int64_t groups = 1,                     \
                       IntArrayRef dilation = 1l) {                                                                     \
        return kl::call("aten." #name "." #overload, {x, w, b, stride, padding, outputPadding, groups, dilation});     \
    }
KL_TRANSPOSED(conv_transpose1d, default) KL_TRANSPOSED(conv_transpose2d, input) KL_TRANSPOSED(conv_transpose3d, input)
#undef KL_TRANSPOSED
inline Tensor convolution(const Tensor& x, const Tensor& w, const optional<Tensor>& b, IntArrayRef stride, IntArrayRef padding,
                          IntArrayRef dilation, bool transposed, IntArrayRef outputPadding, int64_t groups) {
    return kl::call("aten.convolution.default", {x, w, b, stride, padding, dilation, transposed, outputPadding, groups});
}

// Pooling.
#define KL_MAX_POOL(name)                                                                                              \
    inline Tensor name(const Tensor& x, IntArrayRef kernel, IntArrayRef stride = {}, IntArrayRef padding = 0l,          \
                       IntArrayRef dilation = 1l, bool ceilMode = false) {                                              \
        return kl::call("aten." #name ".default", {x, kernel, stride, padding, dilation, ceilMode});                   \
    }
KL_MAX_POOL(max_pool1d) KL_MAX_POOL(max_pool2d) KL_MAX_POOL(max_pool3d)
#undef KL_MAX_POOL
inline Tensor avg_pool1d(const Tensor& x, IntArrayRef kernel, IntArrayRef stride = {}, IntArrayRef padding = 0l, bool ceilMode = false, bool countPad = true) {
    return kl::call("aten.avg_pool1d.default", {x, kernel, stride, padding, ceilMode, countPad});
}
#define KL_AVERAGE_POOL(name)                                                                                          \
    inline Tensor name(const Tensor& x, IntArrayRef kernel, IntArrayRef stride = {}, IntArrayRef padding = 0l,          \
                       bool ceilMode = false, bool countPad = true, optional<int64_t> divisor = nullopt) {             \
        return kl::call("aten." #name ".default", {x, kernel, stride, padding, ceilMode, countPad, divisor});          \
    }
KL_AVERAGE_POOL(avg_pool2d) KL_AVERAGE_POOL(avg_pool3d)
#undef KL_AVERAGE_POOL
#define KL_ADAPTIVE(name) \
    inline Tensor name(const Tensor& x, IntArrayRef size) { return kl::call("aten." #name ".default", {x, size}); }
KL_ADAPTIVE(adaptive_avg_pool1d) KL_ADAPTIVE(adaptive_avg_pool2d) KL_ADAPTIVE(adaptive_avg_pool3d)
#undef KL_ADAPTIVE
inline std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& x, IntArrayRef size) { return kl::call2("aten.adaptive_max_pool2d.default", {x, size}); }

// Normalisation.
inline Tensor batch_norm(const Tensor& x, const optional<Tensor>& w, const optional<Tensor>& b, const optional<Tensor>& mean,
                         const optional<Tensor>& var, bool training, double momentum, double eps, bool cudnn) {
    return kl::call("aten.batch_norm.default", {x, w, b, mean, var, training, momentum, eps, cudnn});
}
inline Tensor instance_norm(const Tensor& x, const optional<Tensor>& w, const optional<Tensor>& b, const optional<Tensor>& mean,
                            const optional<Tensor>& var, bool useInput, double momentum, double eps, bool cudnn) {
    return kl::call("aten.instance_norm.default", {x, w, b, mean, var, useInput, momentum, eps, cudnn});
}
inline Tensor group_norm(const Tensor& x, int64_t groups, const optional<Tensor>& w = {}, const optional<Tensor>& b = {}, double eps = 1e-5, bool cudnn = true) {
    return kl::call("aten.group_norm.default", {x, groups, w, b, eps, cudnn});
}
inline Tensor layer_norm(const Tensor& x, IntArrayRef shape, const optional<Tensor>& w = {}, const optional<Tensor>& b = {}, double eps = 1e-5, bool cudnn = true) {
    return kl::call("aten.layer_norm.default", {x, shape, w, b, eps, cudnn});
}
inline Tensor normalize_(const Tensor& x, const Scalar& p, IntArrayRef dim, double eps) {
    return x.div(kl::call("aten.linalg_vector_norm.default", {x, p, dim, true}).clamp_min(eps).expand_as(x));
}

// Reductions, softmax, losses.
#define KL_REDUCTION(name) inline Tensor name(const Tensor& x, optional<ScalarType> type = nullopt) { return x.name(type); }
KL_REDUCTION(sum) KL_REDUCTION(mean) KL_REDUCTION(prod)
#undef KL_REDUCTION
inline Tensor sum(const Tensor& x, IntArrayRef dim, bool keep = false, optional<ScalarType> type = nullopt) { return x.sum(dim, keep, type); }
inline Tensor mean(const Tensor& x, IntArrayRef dim, bool keep = false, optional<ScalarType> type = nullopt) { return x.mean(dim, keep, type); }
inline Tensor prod(const Tensor& x, int64_t dim, bool keep = false, optional<ScalarType> type = nullopt) { return x.prod(dim, keep, type); }
#define KL_EXTREME(name)                                                                                               \
    inline Tensor name(const Tensor& x) { return x.name(); }                                                           \
    inline Tensor name(const Tensor& x, const Tensor& y) { return x.name(y); }                                         \
    inline std::tuple<Tensor, Tensor> name(const Tensor& x, int64_t dim, bool keep = false) { return x.name(dim, keep); }
KL_EXTREME(max) KL_EXTREME(min)
#undef KL_EXTREME
inline Tensor amax(const Tensor& x, IntArrayRef dim = {}, bool keep = false) { return x.amax(dim, keep); }
inline Tensor amin(const Tensor& x, IntArrayRef dim = {}, bool keep = false) { return x.amin(dim, keep); }
inline Tensor argmax(const Tensor& x, optional<int64_t> dim = nullopt, bool keep = false) { return x.argmax(dim, keep); }
inline Tensor argmin(const Tensor& x, optional<int64_t> dim = nullopt, bool keep = false) { return x.argmin(dim, keep); }
inline Tensor all(const Tensor& x) { return x.all(); }
inline Tensor any(const Tensor& x) { return x.any(); }
inline Tensor var(const Tensor& x, IntArrayRef dim, bool unbiased = true, bool keep = false) { return x.var(dim, unbiased, keep); }
inline Tensor var(const Tensor& x, bool unbiased = true) { return x.var(unbiased); }
inline Tensor std(const Tensor& x, IntArrayRef dim, bool unbiased = true, bool keep = false) { return x.std(dim, unbiased, keep); }
inline std::tuple<Tensor, Tensor> var_mean(const Tensor& x, IntArrayRef dim, bool unbiased = true, bool keep = false) {
    return kl::call2("aten.var_mean.dim", {x, dim, unbiased, keep});
}
inline Tensor norm(const Tensor& x, const Scalar& p = 2) { return x.norm(p); }
inline Tensor norm(const Tensor& x, const optional<Scalar>& p, IntArrayRef dim, bool keep = false) { return x.norm(p, dim, keep); }
inline Tensor logsumexp(const Tensor& x, IntArrayRef dim, bool keep = false) { return x.logsumexp(dim, keep); }
inline Tensor cumsum(const Tensor& x, int64_t dim, optional<ScalarType> type = nullopt) { return x.cumsum(dim, type); }
inline Tensor cumprod(const Tensor& x, int64_t dim, optional<ScalarType> type = nullopt) { return x.cumprod(dim, type); }
inline Tensor softmax(const Tensor& x, int64_t dim, optional<ScalarType> type = nullopt) { return x.softmax(dim, type); }
inline Tensor log_softmax(const Tensor& x, int64_t dim, optional<ScalarType> type = nullopt) { return x.log_softmax(dim, type); }
inline std::tuple<Tensor, Tensor> sort(const Tensor& x, int64_t dim = -1, bool descending = false) { return x.sort(dim, descending); }
inline std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) { return x.topk(k, dim, largest, sorted); }
inline Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t dim = 1, double eps = 1e-8) { return kl::call("aten.cosine_similarity.default", {a, b, dim, eps}); }
inline Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p = 2, double eps = 1e-6, bool keep = false) { return kl::call("aten.pairwise_distance.default", {a, b, p, eps, keep}); }
namespace Reduction {
enum Reduction { None, Mean, Sum };
}
inline Tensor mse_loss(const Tensor& x, const Tensor& y, int64_t reduction = 1) { return kl::call("aten.mse_loss.default", {x, y, reduction}); }
inline Tensor l1_loss(const Tensor& x, const Tensor& y, int64_t reduction = 1) { return kl::call("aten.l1_loss.default", {x, y, reduction}); }
inline Tensor smooth_l1_loss(const Tensor& x, const Tensor& y, int64_t reduction = 1, double beta = 1) { return kl::call("aten.smooth_l1_loss.default", {x, y, reduction, beta}); }
inline Tensor kl_div(const Tensor& x, const Tensor& y, int64_t reduction = 1, bool logTarget = false) { return kl::call("aten.kl_div.default", {x, y, reduction, logTarget}); }
inline Tensor cross_entropy_loss(const Tensor& x, const Tensor& y, const optional<Tensor>& w = {}, int64_t reduction = 1, int64_t ignored = -100, double smoothing = 0) {
    return kl::call("aten.cross_entropy_loss.default", {x, y, w, reduction, ignored, smoothing});
}
inline Tensor nll_loss(const Tensor& x, const Tensor& y, const optional<Tensor>& w = {}, int64_t reduction = 1, int64_t ignored = -100) {
    return kl::call("aten.nll_loss.default", {x, y, w, reduction, ignored});
}

// Shapes.
inline Tensor cat(TensorList list, int64_t dim = 0) { return kl::call("aten.cat.default", {list, dim}); }
inline Tensor concat(TensorList list, int64_t dim = 0) { return cat(list, dim); }
inline Tensor stack(TensorList list, int64_t dim = 0) { return kl::call("aten.stack.default", {list, dim}); }
inline Tensor transpose(const Tensor& x, int64_t a, int64_t b) { return x.transpose(a, b); }
inline Tensor permute(const Tensor& x, IntArrayRef dims) { return x.permute(dims); }
inline Tensor reshape(const Tensor& x, IntArrayRef size) { return x.reshape(size); }
inline Tensor flatten(const Tensor& x, int64_t from = 0, int64_t to = -1) { return x.flatten(from, to); }
inline Tensor squeeze(const Tensor& x) { return x.squeeze(); }
inline Tensor squeeze(const Tensor& x, int64_t dim) { return x.squeeze(dim); }
inline Tensor unsqueeze(const Tensor& x, int64_t dim) { return x.unsqueeze(dim); }
inline Tensor select(const Tensor& x, int64_t dim, int64_t i) { return x.select(dim, i); }
inline Tensor slice(const Tensor& x, int64_t dim = 0, optional<int64_t> from = nullopt, optional<int64_t> to = nullopt, int64_t step = 1) { return x.slice(dim, from, to, step); }
inline Tensor narrow(const Tensor& x, int64_t dim, int64_t from, int64_t length) { return x.narrow(dim, from, length); }
inline std::vector<Tensor> split(const Tensor& x, int64_t size, int64_t dim = 0) { return x.split(size, dim); }
inline std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim = 0) { return x.chunk(chunks, dim); }
inline std::vector<Tensor> unbind(const Tensor& x, int64_t dim = 0) { return x.unbind(dim); }
inline std::vector<Tensor> broadcast_tensors(TensorList list) { return kl::callList("aten.broadcast_tensors.default", {list}); }
inline Tensor flip(const Tensor& x, IntArrayRef dims) { return x.flip(dims); }
inline Tensor roll(const Tensor& x, IntArrayRef shifts, IntArrayRef dims = {}) { return x.roll(shifts, dims); }
inline Tensor tril(const Tensor& x, int64_t diagonal = 0) { return x.tril(diagonal); }
inline Tensor triu(const Tensor& x, int64_t diagonal = 0) { return x.triu(diagonal); }
inline Tensor diag(const Tensor& x, int64_t diagonal = 0) { return x.diag(diagonal); }
inline Tensor diagonal(const Tensor& x, int64_t offset = 0, int64_t a = 0, int64_t b = 1) { return x.diagonal(offset, a, b); }
inline Tensor index_select(const Tensor& x, int64_t dim, const Tensor& i) { return x.index_select(dim, i); }
inline Tensor gather(const Tensor& x, int64_t dim, const Tensor& i) { return x.gather(dim, i); }
inline Tensor embedding(const Tensor& w, const Tensor& i) { return kl::call("aten.embedding.default", {w, i}); }
inline Tensor constant_pad_nd(const Tensor& x, IntArrayRef pad, const Scalar& value = 0) { return kl::call("aten.constant_pad_nd.default", {x, pad, value}); }
inline Tensor pad(const Tensor& x, IntArrayRef pad_, std::string_view mode = "constant", optional<double> value = nullopt) { return kl::call("aten.pad.default", {x, pad_, mode, value}); }
inline Tensor im2col(const Tensor& x, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) { return kl::call("aten.im2col.default", {x, kernel, dilation, padding, stride}); }
inline Tensor pixel_shuffle(const Tensor& x, int64_t factor) { return kl::call("aten.pixel_shuffle.default", {x, factor}); }
inline Tensor one_hot(const Tensor& x, int64_t classes = -1) { return kl::call("aten.one_hot.default", {x, classes}); }
inline Tensor repeat_interleave(const Tensor& x, int64_t times, optional<int64_t> dim = nullopt) { return kl::call("aten.repeat_interleave.self_int", {x, times, dim}); }

// Recurrent layers.
#define KL_RECURRENT(name)                                                                                             \
    inline std::tuple<Tensor, Tensor> name(const Tensor& x, const Tensor& h, TensorList weights, bool biases, int64_t layers, \
                                           double dropout_, bool train, bool bidirectional, bool batchFirst) {         \
        return kl::call2("aten." #name ".input", {x, h, weights, biases, layers, dropout_, train, bidirectional, batchFirst}); \
    }
KL_RECURRENT(gru) KL_RECURRENT(rnn_tanh) KL_RECURRENT(rnn_relu)
#undef KL_RECURRENT
inline std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& x, TensorList state, TensorList weights, bool biases, int64_t layers,
                                               double dropout_, bool train, bool bidirectional, bool batchFirst) {
    return kl::call3("aten.lstm.input", {x, state, weights, biases, layers, dropout_, train, bidirectional, batchFirst});
}
} // namespace at
