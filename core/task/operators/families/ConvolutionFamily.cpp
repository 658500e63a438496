// SPDX-License-Identifier: GPL-3.0-or-later
// conv1d/2d/3d and their transposes: arguments and shapes (formulas of torch.nn.Conv2d and ConvTranspose2d).
#include "core/task/operators/Convolution.h"
#include "core/task/operators/Nested.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

struct ConvolutionCall {
    Tensor input, weight;
    std::optional<Tensor> bias;
    Shape stride, padding, dilation, outputPadding;
    std::int64_t groups = 1;
    bool transposed = false;
};

void check(const Call& call, const ConvolutionCall& c, std::size_t n, const Tensor& x, std::int64_t outChannels) {
    const Tensor& w = c.weight;
    if (x.dtype() != w.dtype())
        badArgument(fmt::format("{}: Input type ({}) and weight type ({}) should be the same.", call.name(),
                                tensor::name(x.dtype()), tensor::name(w.dtype())));
    const std::int64_t wanted = c.transposed ? w.shape()[0] : w.shape()[1] * c.groups;
    if (c.groups <= 0 || w.shape()[0] % c.groups || x.shape()[1] != wanted)
        badArgument(fmt::format("Given groups={}, weight of size {}, expected input{} to have {} channels, but got {} "
                                "channels instead.",
                                c.groups, tensor::toString(w.shape()), tensor::toString(x.shape()), wanted,
                                x.shape()[1]));
    if (c.bias && c.bias->count() != outChannels)
        badArgument(
            fmt::format("Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got bias "
                        "of size {} instead.",
                        tensor::toString(w.shape()), outChannels, tensor::toString(c.bias->shape())));
    for (std::size_t d = 0; d < n; ++d)
        if (c.stride[d] <= 0 || c.dilation[d] <= 0 || c.padding[d] < 0)
            badArgument(fmt::format("{}: non-positive stride or dilation, or negative padding, is not supported.",
                                    call.name()));
}

/// Sizes of the result; for transposed convolutions with the output padding.
Three resultSize(const ConvolutionPlan& p, const Three& outputPadding, bool transposed) {
    Three out;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t reach = p.dilation[d] * (p.kernel[d] - 1);
        out[d] = transposed ? (p.in[d] - 1) * p.stride[d] - 2 * p.padding[d] + reach + outputPadding[d] + 1
                            : (p.in[d] + 2 * p.padding[d] - reach - 1) / p.stride[d] + 1;
        if (!transposed && p.in[d] + 2 * p.padding[d] < reach + 1)
            badArgument(
                fmt::format("Calculated padded input size per channel: {}. Kernel size: {}. Kernel size can't be "
                            "greater than actual input size.",
                            p.in[d] + 2 * p.padding[d], reach + 1));
        if (out[d] <= 0) badArgument("The result of the transposed convolution would be empty.");
    }
    return out;
}

Results run(const Call& call, const ConvolutionCall& c, std::size_t n) {
    Tensor x = c.input;
    const bool unbatched = x.dim() == std::int64_t(n) + 1;
    if (unbatched) {
        Shape shape = x.shape();
        shape.insert(shape.begin(), 1);
        x = x.reshaped(shape);
    }
    if (x.dim() != std::int64_t(n) + 2 || c.weight.dim() != std::int64_t(n) + 2)
        badArgument(fmt::format("{}: expected an input and a weight of {} dimensions, got {} and {}.", call.name(),
                                n + 2, tensor::toString(c.input.shape()), tensor::toString(c.weight.shape())));
    ConvolutionPlan p;
    p.batch = x.shape()[0];
    p.inChannels = x.shape()[1];
    p.groups = c.groups;
    p.outChannels = c.transposed ? c.weight.shape()[1] * c.groups : c.weight.shape()[0];
    check(call, c, n, x, p.outChannels);
    p.in = planesOf(x, n).size;
    p.kernel = planesOf(c.weight, n).size;
    p.stride = lift(c.stride, 1);
    p.padding = lift(c.padding, 0);
    p.dilation = lift(c.dilation, 1);
    p.out = resultSize(p, lift(c.outputPadding, 0), c.transposed);
    Shape shape = withSpatial(x, n, p.out);
    shape[1] = p.outChannels;
    Tensor out = c.bias ? call.makeUnfilled(x.dtype(), shape) : call.make(x.dtype(), shape); // sums begin with it
    if (!call.shapesOnly()) (c.transposed ? convolveTransposed : convolve)(call, p, x, c.weight, c.bias, out);
    if (unbatched) out = out.reshaped(Shape(shape.begin() + 1, shape.end()));
    return {out};
}

ConvolutionCall common(const Call& call, std::size_t n) {
    ConvolutionCall c;
    c.input = call.tensor(0, "input");
    c.weight = call.tensor(1, "weight");
    c.bias = call.optionalTensor(2, "bias");
    c.stride = call.integers(3, "stride", n, 1);
    c.outputPadding = Shape(n, 0);
    return c;
}
template <std::size_t n> Results conv(const Call& call) {
    ConvolutionCall c = common(call, n);
    c.dilation = call.integers(5, "dilation", n, 1);
    c.groups = call.integer(6, "groups", 1);
    const Value* padding = call.find(4, "padding");
    const std::string* mode = padding ? padding->as<std::string>() : nullptr;
    if (!mode) {
        c.padding = call.integers(4, "padding", n, 0);
        return run(call, c, n);
    }
    c.padding = Shape(n, 0);
    if (*mode == "valid") return run(call, c, n);
    require(*mode == "same", "Invalid padding string: it has to be 'same' or 'valid'.");
    require(c.weight.dim() == std::int64_t(n) + 2, "conv: the weight has the wrong number of dimensions.");
    Shape pad; // pairs from the last dimension on; the odd one goes behind
    for (std::size_t d = n; d-- > 0;) {
        require(c.stride[d] == 1, "padding='same' is not supported for strided convolutions.");
        const std::int64_t total = c.dilation[d] * (c.weight.shape()[d + 2] - 1);
        pad.push_back(total / 2);
        pad.push_back(total - total / 2);
    }
    c.input = apply(call, "aten.constant_pad_nd.default", {c.input, listOf(pad), 0.0});
    return run(call, c, n);
}
template <std::size_t n> Results convTranspose(const Call& call) {
    ConvolutionCall c = common(call, n);
    c.transposed = true;
    c.padding = call.integers(4, "padding", n, 0);
    c.outputPadding = call.integers(5, "output_padding", n, 0);
    c.groups = call.integer(6, "groups", 1);
    c.dilation = call.integers(7, "dilation", n, 1);
    return run(call, c, n);
}
Results convolution(const Call& call) {
    const std::size_t n = call.integers(3, "stride").size();
    require(n >= 1 && n <= 3, "convolution needs one to three spatial dimensions.");
    ConvolutionCall c = common(call, n);
    c.padding = call.integers(4, "padding", n, 0);
    c.dilation = call.integers(5, "dilation", n, 1);
    c.transposed = call.flag(6, "transposed", false);
    c.outputPadding = call.integers(7, "output_padding", n, 0);
    c.groups = call.integer(8, "groups", 1);
    return run(call, c, n);
}

constexpr Entry convolutionEntries[] = {
    {"aten.conv1d.default", conv<1>},
    {"aten.conv2d.default", conv<2>},
    {"aten.conv3d.default", conv<3>},
    {"aten.conv1d.padding", conv<1>},
    {"aten.conv2d.padding", conv<2>},
    {"aten.conv3d.padding", conv<3>},
    {"aten.conv_transpose1d.default", convTranspose<1>},
    {"aten.conv_transpose2d.input", convTranspose<2>},
    {"aten.conv_transpose3d.input", convTranspose<3>},
    {"aten.convolution.default", convolution},
};

} // namespace

Family convolutionFamily() {
    return convolutionEntries;
}

} // namespace kernelarium::task::operators
