// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Well-known pieces of work, by their arithmetic intensity alone: what a reader compares a kernel with on a roofline.
/// Bytes are compulsory: every operand read once and every result written once, as if caches were perfect.
namespace kernelarium::perf {

/// Work and traffic of an operation.
struct Amount {
    double flops = 0; ///< a multiply-add counts as two
    double bytes = 0; ///< of device memory
    [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};
[[nodiscard]] Amount operator+(const Amount& a, const Amount& b);

/// c[m, n] = a[m, k] * b[k, n]: 2 m n k FLOPs over (m k + k n + m n) elements.
[[nodiscard]] Amount productAmount(double m, double n, double k, double bytesPerElement);

/// A two-dimensional convolution with square kernels, padded so that a stride of 1 keeps height and width.
struct ConvolutionShape {
    double batch = 1, inChannels = 1, outChannels = 1, height = 1, width = 1; ///< of the input
    double kernel = 1, stride = 1, groups = 1;
};
/// 2 N K P Q (C / G) R S FLOPs over N C H W + K (C / G) R S + N K P Q elements, P and Q being H and W over the stride.
[[nodiscard]] Amount convolutionAmount(const ConvolutionShape& shape, double bytesPerElement);

/// Scaled dot-product attention whose scores never leave the chip (T. Dao and others, "FlashAttention", 2022).
struct AttentionShape {
    double batch = 1, heads = 1, keyHeads = 1; ///< several heads of queries share one of keys and values
    double queries = 1, keys = 1, headSize = 1;
    bool causal = false; ///< a query sees the keys up to its own: (keys - (queries - 1) / 2) of them on average
};
/// 4 B h q k' d FLOPs (k' the keys seen on average) over 2 B h q d (queries, results) + 2 B h' k d (keys, values)
/// elements.
[[nodiscard]] Amount attentionAmount(const AttentionShape& shape, double bytesPerElement);

/// A decoder-only language model as far as its layers' products go.
struct LanguageModel {
    std::string name;
    double hidden = 0, layers = 0, heads = 0, keyHeads = 0, headSize = 0, feedForward = 0;
};
/// Llama 3 8B: A. Dubey and others, "The Llama 3 Herd of Models", arXiv:2407.21783, table 3.
[[nodiscard]] const LanguageModel& referenceModel();

/// The products of one layer for `tokens` tokens at a time: queries, keys and values, attention's result, and a
/// feed-forward part of three matrices (gate, up, down).
[[nodiscard]] Amount layerProducts(const LanguageModel& model, double tokens, double bytesPerElement);

/// A well-known operation, for comparison under the roofs.
struct ReferencePoint {
    enum class Kind { convolution, context, generation }; ///< CNN layers; an LLM's prefill; its decoding
    Kind kind = Kind::convolution;
    std::string key;   ///< "resnet50_3x3"
    std::string label; ///< "ResNet-50 3x3", short enough for a plot
    std::string about; ///< one sentence: which shapes
    Amount amount;
};

/// The points shown on every roofline, for elements of that size: layers of ResNet-50 and MobileNet at batch 32, and
/// products and attention of the reference model for a context of 2048 tokens and for one more token after it.
[[nodiscard]] std::vector<ReferencePoint> referencePoints(double bytesPerElement);

} // namespace kernelarium::perf
