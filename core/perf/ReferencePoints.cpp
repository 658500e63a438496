// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ReferencePoints.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

using Kind = ReferencePoint::Kind;

ReferencePoint convolutionPoint(std::string key, std::string label, std::string what, const ConvolutionShape& s,
                                double bytesPerElement) {
    return {Kind::convolution, std::move(key), std::move(label),
            fmt::format("{}: {:g} images of {:g} x {:g}, {:g} to {:g} channels, {:g} x {:g} windows.", what, s.batch,
                        s.height, s.width, s.inChannels, s.outChannels, s.kernel, s.kernel),
            convolutionAmount(s, bytesPerElement)};
}

void addConvolutions(std::vector<ReferencePoint>& points, double bytesPerElement) {
    // The second stage of K. He and others, "Deep Residual Learning for Image Recognition", 2015, table 1; the first
    // depthwise layer of A. Howard and others, "MobileNets", 2017, table 1.
    points.push_back(convolutionPoint("resnet50_3x3", "ResNet-50 3×3", "A 3 x 3 convolution of ResNet-50",
                                      {32, 64, 64, 56, 56, 3}, bytesPerElement));
    points.push_back(convolutionPoint("resnet50_1x1", "ResNet-50 1×1", "A 1 x 1 convolution of ResNet-50",
                                      {32, 256, 64, 56, 56, 1}, bytesPerElement));
    points.push_back(convolutionPoint("depthwise_3x3", "depthwise 3×3", "A depthwise convolution of MobileNet",
                                      {32, 32, 32, 112, 112, 3, 1, 32}, bytesPerElement));
}

ReferencePoint modelPoint(Kind kind, std::string key, std::string label, std::string about, const Amount& amount) {
    return {kind, std::move(key), std::move(label), std::move(about), amount};
}

void addModel(std::vector<ReferencePoint>& points, double bytesPerElement) {
    constexpr double context = 2048;
    const LanguageModel& model = referenceModel();
    const AttentionShape prefill{1, model.heads, model.keyHeads, context, context, model.headSize, true};
    const AttentionShape decode{1, model.heads, model.keyHeads, 1, context, model.headSize, true};
    points.push_back(
        modelPoint(Kind::context, "prefill_products", "LLM context: GEMM",
                   fmt::format("{} reads a context of {:g} tokens: the products of one layer.", model.name, context),
                   layerProducts(model, context, bytesPerElement)));
    points.push_back(
        modelPoint(Kind::context, "prefill_attention", "LLM context: attention",
                   fmt::format("{} reads a context of {:g} tokens: the attention of one layer.", model.name, context),
                   attentionAmount(prefill, bytesPerElement)));
    points.push_back(
        modelPoint(Kind::generation, "decode_products", "LLM generation: GEMM",
                   fmt::format("{} writes one token: the products of one layer, every weight read for it.", model.name),
                   layerProducts(model, 1, bytesPerElement)));
    points.push_back(modelPoint(Kind::generation, "decode_attention", "LLM generation: attention",
                                fmt::format("{} writes one token after {:g}: the attention of one layer, all keys and "
                                            "values read for it.",
                                            model.name, context),
                                attentionAmount(decode, bytesPerElement)));
}

} // namespace

Amount operator+(const Amount& a, const Amount& b) {
    return {a.flops + b.flops, a.bytes + b.bytes};
}

Amount productAmount(double m, double n, double k, double bytesPerElement) {
    return {2 * m * n * k, bytesPerElement * (m * k + k * n + m * n)};
}

Amount convolutionAmount(const ConvolutionShape& s, double bytesPerElement) {
    const double outHeight = s.height / s.stride, outWidth = s.width / s.stride;
    const double weights = s.outChannels * (s.inChannels / s.groups) * s.kernel * s.kernel;
    const double results = s.batch * s.outChannels * outHeight * outWidth;
    return {2 * s.batch * outHeight * outWidth * weights,
            bytesPerElement * (s.batch * s.inChannels * s.height * s.width + weights + results)};
}

Amount attentionAmount(const AttentionShape& s, double bytesPerElement) {
    const double seen = s.causal ? s.keys - (s.queries - 1) / 2 : s.keys;
    return {4 * s.batch * s.heads * s.queries * seen * s.headSize,
            bytesPerElement * 2 * s.batch * s.headSize * (s.heads * s.queries + s.keyHeads * s.keys)};
}

const LanguageModel& referenceModel() {
    static const LanguageModel model{"Llama 3 8B", 4096, 32, 32, 8, 128, 14336};
    return model;
}

Amount layerProducts(const LanguageModel& m, double tokens, double bytesPerElement) {
    const auto product = [&](double from, double to) { return productAmount(tokens, to, from, bytesPerElement); };
    const double keys = m.keyHeads * m.headSize, queries = m.heads * m.headSize;
    return product(m.hidden, queries) + product(m.hidden, keys) + product(m.hidden, keys) + product(queries, m.hidden) +
           product(m.hidden, m.feedForward) + product(m.hidden, m.feedForward) + product(m.feedForward, m.hidden);
}

std::vector<ReferencePoint> referencePoints(double bytesPerElement) {
    std::vector<ReferencePoint> points;
    addConvolutions(points, bytesPerElement);
    addModel(points, bytesPerElement);
    return points;
}

} // namespace kernelarium::perf
