// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/operators/OperatorCases.h"

#include "tests/operators/Bench.h"

#include <cmath>
#include <limits>

namespace kernelarium::test {

using tensor::DType;
using tensor::List;
using tensor::Shape;
using tensor::Tensor;
using tensor::Value;

Tensor wholeNoise(Shape shape, std::uint32_t seed) {
    Tensor t = noise(std::move(shape), seed, DType::Float64);
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, std::floor(t.at(i) * 9));
    return t.to(DType::Int64);
}
namespace {

Value numbers(const Shape& list) {
    List out;
    for (const std::int64_t n : list)
        out.emplace_back(n);
    return out;
}
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Tensor withValues(Tensor t, const std::vector<std::pair<std::int64_t, double>>& values) {
    for (const auto& [index, value] : values)
        t.set(index, value);
    return t;
}

Tensor positiveNoise(Shape shape, std::uint32_t seed) {
    Tensor t = noise(std::move(shape), seed);
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, std::abs(t.at(i)));
    return t;
}

} // namespace

const std::vector<OperatorCase>& operatorCases() {
    static const std::vector<OperatorCase> cases{
        {"square product", "aten.matmul.default", {noise({130, 70}, 1), noise({70, 150}, 2)}},
        {"large tiles", "aten.matmul.default", {noise({1537, 40}, 1), noise({40, 1425}, 2)}},
        {"medium tiles", "aten.matmul.default", {noise({777, 33}, 1), noise({33, 729}, 2)}},
        {"long inner dimension", "aten.matmul.default", {noise({9, 5000}, 1), noise({5000, 11}, 2)}},
        {"batches", "aten.matmul.default", {noise({3, 1, 40, 20}, 1), noise({5, 20, 33}, 2)}},
        {"one matrix for all batches", "aten.matmul.default", {noise({3, 7, 20}, 1), noise({20, 33}, 2)}},
        {"vector times matrix", "aten.matmul.default", {noise({50}, 1), noise({50, 33}, 2)}},
        {"matrix times vector", "aten.mv.default", {noise({40, 50}, 1), noise({50}, 2)}},
        {"dot", "aten.dot.default", {noise({5000}, 1), noise({5000}, 2)}},
        {"linear of few rows", "aten.linear.default", {noise({3, 100}, 1), noise({70, 100}, 2), noise({70}, 3)}},
        {"linear", "aten.linear.default", {noise({40, 100}, 1), noise({70, 100}, 2), noise({70}, 3)}},
        {"grouped convolution",
         "aten.conv2d.default",
         {noise({2, 24, 11, 13}, 1), noise({36, 8, 3, 2}, 2), noise({36}, 3), numbers({2, 1}), numbers({1, 2}),
          numbers({2, 1}), 3}},
        {"depthwise convolution",
         "aten.conv2d.default",
         {noise({2, 6, 11, 13}, 1), noise({6, 1, 3, 3}, 2), Value(), numbers({1, 1}), numbers({1, 1}), numbers({1, 1}),
          6}},
        {"convolution in large tiles",
         "aten.conv2d.default",
         {noise({8, 4, 48, 48}, 1), noise({136, 4, 3, 3}, 2), noise({136}, 3), numbers({1, 1}), numbers({1, 1})}},
        {"unbatched convolution", "aten.conv1d.default", {noise({3, 50}, 1), noise({9, 3, 5}, 2)}},
        {"transposed convolution with unequal phases",
         "aten.conv_transpose2d.input",
         {noise({2, 12, 7, 5}, 1), noise({12, 10, 3, 4}, 2), noise({20}, 3), numbers({3, 2}), numbers({1, 0}),
          numbers({2, 1}), 2, numbers({1, 3})}},
        {"transposed convolution that leaves gaps",
         "aten.conv_transpose1d.default",
         {noise({2, 9, 7}, 1), noise({9, 11, 2}, 2), noise({11}, 3), numbers({4})}},
        {"transposed convolution in depth",
         "aten.conv_transpose3d.input",
         {noise({1, 8, 3, 4, 5}, 1), noise({8, 9, 3, 3, 3}, 2), Value(), numbers({2, 2, 2}), numbers({1, 1, 1}),
          numbers({1, 1, 1})}},
        {"convolution of few channels and many taps",
         "aten.conv2d.default",
         {noise({2, 12, 9, 11}, 1), noise({4, 12, 3, 3}, 2), noise({4}, 3), numbers({2, 1}), numbers({1, 1})}},
        {"dilated largest pool",
         "aten.max_pool2d.default",
         {withValues(noise({2, 3, 13, 17}, 1), {{40, nan}, {50, -inf}}), numbers({3, 2}), numbers({2, 1}),
          numbers({1, 1}), numbers({2, 3}), true}},
        {"largest pool with places",
         "aten.max_pool2d_with_indices.default",
         {noise({2, 3, 13, 17}, 1), numbers({3, 3})}},
        {"mean pool without its padding",
         "aten.avg_pool2d.default",
         {noise({2, 3, 13, 17}, 1), numbers({3, 3}), numbers({2, 2}), numbers({1, 1}), true, false}},
        {"adaptive mean pool", "aten.adaptive_avg_pool2d.default", {noise({2, 3, 13, 17}, 1), numbers({5, 4})}},
        {"adaptive mean of whole planes",
         "aten.adaptive_avg_pool2d.default",
         {noise({2, 3, 13, 17}, 1), numbers({1, 1})}},
        {"adaptive mean of a whole volume",
         "aten.adaptive_avg_pool3d.default",
         {noise({3, 4, 5, 7}, 1), numbers({1, 1, 1})}},
        {"sum of a long row", "aten.sum.default", {noise({700001}, 1)}},
        {"sum of middle dimensions", "aten.sum.dim_IntList", {noise({5, 30, 40, 7}, 1), numbers({1, 2})}},
        {"sum of outer dimensions", "aten.sum.dim_IntList", {noise({50, 30, 64}, 1), numbers({0, 1}), true}},
        {"sum of dimensions apart", "aten.sum.dim_IntList", {noise({50, 6, 64}, 1), numbers({0, 2})}},
        {"sum of whole numbers", "aten.sum.default", {noise({5000}, 1, DType::Float32).to(DType::Int64)}},
        {"variance beside a large mean",
         "aten.var.dim",
         {withValues(noise({64, 100}, 1), {{0, 1e4}, {100, 1e4}, {201, 3e4}}), numbers({1})}},
        {"deviation", "aten.std.correction", {noise({64, 100}, 1), numbers({0})}},
        {"norm of order three", "aten.linalg_vector_norm.default", {noise({64, 100}, 1), 3.0, numbers({1})}},
        {"largest with NaN",
         "aten.max.dim",
         {withValues(noise({9, 500}, 1), {{700, nan}, {760, nan}, {1200, inf}}), 1}},
        {"smallest of equal ones", "aten.min.dim", {Tensor(DType::Float32, {3, 700}), 1}},
        {"place of the largest of all", "aten.argmax.default", {noise({40, 5000}, 3)}},
        {"softmax with infinities",
         "aten.softmax.int",
         {withValues(noise({6, 300}, 1), {{0, -inf}, {1, -inf}, {299, -inf}, {400, inf}, {700, nan}}), -1}},
        {"softmax over channels", "aten.softmax.int", {noise({2, 70, 33}, 1), 1}},
        {"logarithm of softmax", "aten.log_softmax.int", {noise({60, 300}, 1), 1}},
        {"logarithm of a sum of exponentials",
         "aten.logsumexp.default",
         {withValues(noise({6, 300, 2}, 1), {{0, -inf}, {700, inf}}), numbers({1})}},
        {"running sum in the middle", "aten.cumsum.default", {noise({4, 50, 6}, 1), 1}},
        {"running sum of whole numbers", "aten.cumsum.default", {wholeNoise({4, 50}, 3), 1}},
        {"running sum of long rows",
         "aten.cumsum.default",
         {withValues(noise({3, 1000}, 1), {{1500, inf}, {2400, nan}}), 1}},
        {"running sum of one long row", "aten.cumsum.default", {noise({257}, 1, DType::Float64), 0}},
        {"running product of a long row", "aten.cumprod.default", {positiveNoise({2, 300}, 1), -1}},
        {"instance norm",
         "aten.instance_norm.default",
         {noise({3, 5, 20, 7}, 1), noise({5}, 2), noise({5}, 3), Value(), Value(), true, 0.1, 1e-5}},
        {"group norm", "aten.group_norm.default", {noise({3, 6, 50}, 1), 2, noise({6}, 2), noise({6}, 3), 1e-5}},
        {"root mean square norm", "aten.rms_norm.default", {noise({30, 64}, 1), numbers({64}), noise({64}, 2)}},
        {"power", "aten.pow.Tensor_Tensor", {noise({300}, 1), noise({1}, 2)}},
        {"whole numbers and floats", "aten.add.Tensor", {Tensor(DType::Int64, {5, 1}), noise({7}, 1)}},
        {"bools", "aten.logical_and.default", {noise({5, 7}, 1).to(DType::Bool), Tensor(DType::Bool, {7})}},
        {"comparison with a number", "aten.gt.Scalar", {withValues(noise({50}, 1), {{3, nan}}), 0.25}},
        {"cropping pad", "aten.pad.default", {noise({3, 8, 9}, 1), numbers({-1, 2, 3, -2}), "constant", 2.5}},
        {"roll of all", "aten.roll.default", {noise({5, 7}, 1), numbers({-9})}},
        {"embedding", "aten.embedding.default", {noise({9, 5}, 1), Tensor(DType::Int64, {4, 2})}},
        {"cross entropy over pixels",
         "aten.cross_entropy_loss.default",
         {noise({3, 6, 5}, 1), Tensor(DType::Int64, {3, 5})}},
        {"einsum with a diagonal", "aten.einsum.default", {"iij,jk->ki", List{noise({5, 5, 4}, 1), noise({4, 3}, 2)}}},
        {"cat of strides", "aten.cat.default", {List{noise({3, 2, 5}, 1), noise({3, 4, 5}, 2)}, 1}},
        {"acos", "aten.acos.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"asin", "aten.asin.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"atan", "aten.atan.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"cosh", "aten.cosh.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"sinh", "aten.sinh.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"erfc", "aten.erfc.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"erf", "aten.erf.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"exp2", "aten.exp2.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"trunc", "aten.trunc.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"round", "aten.round.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"negative", "aten.negative.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"log_sigmoid",
         "aten.log_sigmoid.default",
         {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"softsign", "aten.softsign.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"sign", "aten.sign.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"reciprocal",
         "aten.reciprocal.default",
         {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"hardshrink",
         "aten.hardshrink.default",
         {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}}), 0.25}},
        {"softshrink",
         "aten.softshrink.default",
         {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}}), 0.25}},
        {"threshold",
         "aten.threshold.default",
         {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}}), 0.25, -3.0}},
        {"celu", "aten.celu.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}}), 0.7}},
        {"elu", "aten.elu.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}}), 0.7}},
        {"silu", "aten.silu.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"expm1", "aten.expm1.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"isnan", "aten.isnan.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"isinf", "aten.isinf.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"isfinite", "aten.isfinite.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"floor", "aten.floor.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"square", "aten.square.default", {withValues(noise({300}, 1), {{3, nan}, {5, inf}, {6, -inf}, {9, 0.0}})}},
        {"sin", "aten.sin.default", {noise({300}, 1)}},
        {"cos", "aten.cos.default", {noise({300}, 1)}},
        {"tan", "aten.tan.default", {noise({300}, 1)}},
        {"logarithms", "aten.log10.default", {withValues(noise({300}, 1), {{3, 0.0}, {4, 2.5}, {5, inf}})}},
        {"logarithm to base 2", "aten.log2.default", {withValues(noise({300}, 1), {{3, 0.0}, {4, 2.5}, {5, inf}})}},
        {"logarithm of one more", "aten.log1p.default", {noise({300}, 1)}},
        {"tanh gelu", "aten.gelu.default", {noise({300}, 1), "tanh"}},
        {"quotients of floats, down", "aten.floor_divide.default", {noise({300}, 1), noise({300}, 2)}},
        {"quotients of floats, to zero", "aten.div.Tensor_mode", {noise({300}, 1), noise({300}, 2), "trunc"}},
        {"fmod", "aten.fmod.Scalar", {noise({300}, 1), 0.3}},
        {"remainder", "aten.remainder.Scalar", {noise({300}, 1), 0.3}},
        {"angle", "aten.atan2.default", {noise({300}, 1), noise({300}, 2)}},
        {"bits", "aten.bitwise_xor.Tensor", {wholeNoise({300}, 1), wholeNoise({300}, 2)}},
        {"bits of bools", "aten.bitwise_or.Tensor", {wholeNoise({300}, 1).to(DType::Bool), Tensor(DType::Bool, {300})}},
        {"not of whole numbers", "aten.bitwise_not.default", {wholeNoise({300}, 1)}},
        {"either", "aten.logical_xor.default", {wholeNoise({300}, 1), wholeNoise({300}, 2)}},
        {"fused product", "aten.addcmul.default", {noise({5, 7}, 1), noise({7}, 2), noise({5, 1}, 3), 0.5}},
        {"fused quotient", "aten.addcdiv.default", {noise({5, 7}, 1), noise({7}, 2), noise({5, 1}, 3)}},
        {"between", "aten.lerp.Scalar", {noise({5, 7}, 1), noise({7}, 2), 0.3}},
        {"clamp by tensors", "aten.clamp.Tensor", {noise({5, 7}, 1), noise({7}, 2), Value()}},
        {"in place", "aten.add_.Tensor", {wholeNoise({5, 7}, 1), wholeNoise({7}, 2), 3}},
        {"added product", "aten.addmm.default", {noise({33}, 1), noise({12, 20}, 2), noise({20, 33}, 3), 0.5, 2.0}},
        {"added product with a vector",
         "aten.addmv.default",
         {noise({12}, 1), noise({12, 20}, 2), noise({20}, 3), 0.0}},
        {"added products",
         "aten.baddbmm.default",
         {noise({2, 12, 33}, 1), noise({2, 12, 20}, 2), noise({2, 20, 33}, 3)}},
        {"outer", "aten.outer.default", {noise({12}, 1), noise({33}, 2)}},
        {"same padding",
         "aten.conv2d.padding",
         {noise({2, 3, 9, 8}, 1), noise({9, 3, 4, 3}, 2), Value(), numbers({1, 1}), "same", numbers({2, 1})}},
        {"any convolution",
         "aten.convolution.default",
         {noise({2, 12, 7}, 1), noise({12, 9, 3}, 2), Value(), numbers({2}), numbers({1}), numbers({1}), true,
          numbers({1}), 1}},
        {"unbind", "aten.unbind.int", {noise({3, 4, 5}, 1), 1}},
        {"tile", "aten.tile.default", {noise({3, 4}, 1), numbers({2})}},
        {"repeat", "aten.repeat.default", {noise({3, 4}, 1), numbers({2, 1, 3})}},
        {"repeat each", "aten.repeat_interleave.self_int", {noise({3, 4}, 1), 3, 1}},
        {"movedim", "aten.movedim.intlist", {noise({3, 4, 5, 2}, 1), numbers({0, 3}), numbers({2, 0})}},
        {"diagonal", "aten.diag.default", {noise({4, 7}, 1), 2}},
        {"eye", "aten.eye.m", {4, 6}},
        {"linspace", "aten.linspace.default", {-1.0, 3.0, 11}},
        {"arange", "aten.arange.start_step", {2, 20, 3}},
        {"full", "aten.full.default", {numbers({2, 3}), 2.5}},
        {"variance and mean", "aten.var_mean.correction", {noise({30, 50}, 1), numbers({1})}},
        {"norm of all", "aten.norm.Scalar", {noise({30, 50}, 1), 1.0}},
        {"normalised", "aten.normalize.default", {noise({30, 50}, 1), 2.0, 1}},
        {"binary cross entropy",
         "aten.binary_cross_entropy.default",
         {positiveNoise({30}, 1), positiveNoise({30}, 2), noise({30}, 3)}},
        {"binary cross entropy of logits",
         "aten.binary_cross_entropy_with_logits.default",
         {noise({30}, 1), positiveNoise({30}, 2), Value(), Value(), 2}},
        {"distances", "aten.pairwise_distance.default", {noise({30, 50}, 1), noise({30, 50}, 2), 2.0, 1e-6, true}},
        {"Huber loss", "aten.huber_loss.default", {noise({300}, 1), noise({300}, 2), 1, 0.3}},
        {"hinge loss",
         "aten.hinge_embedding_loss.default",
         {noise({300}, 1), Tensor(noise({300}, 2).to(DType::Bool).to(DType::Float32))}},
        {"absolute loss", "aten.l1_loss.default", {noise({300}, 1), noise({300}, 2), 0}},
        {"LSTM step",
         "aten.lstm_cell.default",
         {noise({3, 8}, 1), List{noise({3, 5}, 2), noise({3, 5}, 3)}, noise({20, 8}, 4), noise({20, 5}, 5),
          noise({20}, 6), noise({20}, 7)}},
        {"GRU step",
         "aten.gru_cell.default",
         {noise({3, 8}, 1), noise({3, 5}, 2), noise({15, 8}, 4), noise({15, 5}, 5), noise({15}, 6), noise({15}, 7)}},
        {"LSTM of two layers",
         "aten.lstm.input",
         {noise({5, 2, 4}, 1), List{noise({2, 2, 3}, 2), noise({2, 2, 3}, 3)},
          List{noise({12, 4}, 4), noise({12, 3}, 5), noise({12, 3}, 6), noise({12, 3}, 7)}, false, 2, 0.0, false, false,
          false}},
        {"plain recurrence both ways",
         "aten.rnn_tanh.input",
         {noise({6, 3, 8}, 1), noise({2, 3, 5}, 2),
          List{noise({5, 8}, 4), noise({5, 5}, 5), noise({5, 8}, 6), noise({5, 5}, 7)}, false, 1, 0.0, false, true,
          false}},
        {"causal attention",
         "aten.scaled_dot_product_attention.default",
         {noise({2, 3, 40, 16}, 1), noise({2, 3, 40, 16}, 2), noise({2, 3, 40, 24}, 3), Value(), 0.0, true}},
        {"attention with a mask",
         "aten.scaled_dot_product_attention.default",
         {noise({2, 3, 9, 16}, 1), noise({2, 3, 12, 16}, 2), noise({2, 3, 12, 24}, 3), noise({9, 12}, 4)}},
    };
    return cases;
}

} // namespace kernelarium::test
