// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions over one to three dimensions and their transposes. A transpose is one launch for each phase of
// its stride, so that no multiplication with a zero between input elements is ever made.
#include "gpu/operators/DeviceCall.h"

#include "core/task/operators/Spatial.h"

#include <limits>

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::lift;
using task::operators::Three;
using task::operators::volume;
using tensor::DType;
using tensor::Shape;

namespace {

struct ConvolutionCall {
    DeviceTensor input, weight;
    std::optional<DeviceTensor> bias;
    Three stride, padding, dilation;
    std::int64_t groups = 1;
    bool transposed = false;
};

Three spatialOf(const DeviceTensor& t, std::size_t n) {
    return lift(Shape(t.shape.end() - std::ptrdiff_t(n), t.shape.end()), 1);
}

/// Along one dimension: which kernel elements meet a phase of the output, and how far from the origin.
struct Meeting {
    std::int64_t element, distance;
};
std::vector<Meeting> meetings(const ConvolutionCall& c, std::size_t d, std::int64_t kernel, std::int64_t phase) {
    std::vector<Meeting> out;
    for (std::int64_t k = 0; k < kernel; ++k) {
        const std::int64_t reach = k * c.dilation[d];
        if (!c.transposed) {
            out.push_back({k, reach - c.padding[d]});
            continue;
        }
        const std::int64_t distance = phase + c.padding[d] - reach;
        if (distance % c.stride[d] == 0) out.push_back({k, distance / c.stride[d]});
    }
    return out;
}

/// The sum behind the results of one phase: every channel of a group with every kernel element that meets it.
std::vector<Tap> tapsOf(const ConvolutionCall& c, std::size_t n, const Three& phase, std::int64_t channels) {
    const Three kernel = spatialOf(c.weight, n), size = spatialOf(c.input, n);
    std::array<std::vector<Meeting>, 3> along;
    for (std::size_t d = 0; d < 3; ++d)
        along[d] = meetings(c, d, kernel[d], phase[d]);
    const std::int64_t channelStep = c.transposed ? c.weight.shape[1] * volume(kernel) : volume(kernel);
    std::vector<Tap> taps;
    for (std::int64_t channel = 0; channel < channels; ++channel)
        for (const Meeting& z : along[0])
            for (const Meeting& y : along[1])
                for (const Meeting& x : along[2]) {
                    const std::int64_t offset =
                        ((channel * size[0] + z.distance) * size[1] + y.distance) * size[2] + x.distance;
                    const std::int64_t weight =
                        channel * channelStep + (z.element * kernel[1] + y.element) * kernel[2] + x.element;
                    taps.push_back({int(offset), int(z.distance), int(y.distance), int(x.distance), weight, 0});
                }
    return taps;
}

void copyThree(const Three& from, int (&to)[3]) {
    for (std::size_t d = 0; d < 3; ++d)
        to[d] = int(from[d]);
}

ConvolutionArguments argumentsOf(const ConvolutionCall& c, const DeviceTensor& out, std::size_t n) {
    ConvolutionArguments a{};
    a.in = c.input.address();
    a.weight = c.weight.address();
    a.bias = c.bias ? c.bias->address() : 0;
    a.out = out.address();
    a.batch = c.input.shape[0];
    a.channelsIn = c.input.shape[1];
    a.groups = c.groups;
    a.channelsInGroup = a.channelsIn / c.groups;
    a.channelsOut = out.shape[1] / c.groups;
    const std::int64_t kernel = volume(spatialOf(c.weight, n));
    a.weightRow = c.transposed ? kernel : a.channelsInGroup * kernel;
    a.weightGroup = c.transposed ? a.channelsInGroup * a.channelsOut * kernel : a.channelsOut * a.weightRow;
    copyThree(spatialOf(c.input, n), a.size);
    copyThree(spatialOf(out, n), a.outSize);
    copyThree(c.transposed ? Three{1, 1, 1} : c.stride, a.step);
    copyThree(c.transposed ? c.stride : Three{1, 1, 1}, a.spread);
    copyThree(c.padding, a.padding);
    copyThree(c.dilation, a.dilation);
    return a;
}

/// The tile by how many channels a group has and how many tiles there are.
void launchPhase(Device& device, const ConvolutionArguments& a, DType type) {
    const std::int64_t positions = a.batch * a.grid[0] * a.grid[1] * a.grid[2];
    const std::string name = cudaName(type);
    if (a.channelsOut < 8) {
        device.launchOver({"convolution", fmt::format("convolveDirect<{}>", name), "ConvolutionArguments"},
                          positions * a.channelsOut * a.groups, a);
        return;
    }
    struct Choice {
        const char* name;
        std::int64_t side;
        std::uint32_t threads;
    };
    const Choice choices[] = {{"LargeTile", 128, 256}, {"MediumTile", 64, 256}, {"SmallTile", 32, 64}};
    const Choice* chosen = &choices[2];
    for (const Choice& c : choices) {
        const std::int64_t tiles =
            (a.channelsOut + c.side - 1) / c.side * ((positions + c.side - 1) / c.side) * a.groups;
        const bool fits = a.channelsOut > c.side / 2 && !(type == DType::Float64 && c.side == 128);
        if (!fits || tiles < std::int64_t(device.machine().facts().multiprocessors)) continue;
        chosen = &c;
        break;
    }
    const auto tilesOf = [&](std::int64_t count) { return std::uint32_t((count + chosen->side - 1) / chosen->side); };
    device.launch(
        {"convolution", fmt::format("convolve<{}, {}<{}>>", name, chosen->name, name), "ConvolutionArguments"},
        {tilesOf(positions), tilesOf(a.channelsOut), std::uint32_t(std::min<Long>(a.groups, 65535))}, chosen->threads,
        a);
}

/// Groups of one input channel and a kernel of not too many elements: no table of taps, which takes longer than its
/// sums.
bool launchDepthwise(Device& device, ConvolutionArguments a, const ConvolutionCall& c, DType type, std::size_t n) {
    const Three kernel = spatialOf(c.weight, n), size = spatialOf(c.input, n);
    constexpr std::int64_t mostTaps = 64;
    if (c.transposed || a.channelsInGroup != 1 || volume(kernel) > mostTaps ||
        volume(size) > std::numeric_limits<int>::max())
        return false;
    std::copy(std::begin(a.outSize), std::end(a.outSize), a.grid);
    const std::int64_t positions = a.batch * a.grid[0] * a.grid[1] * a.grid[2];
    const std::string function =
        fmt::format("convolveDepthwise<{}, {}, {}, {}>", cudaName(type), kernel[0], kernel[1], kernel[2]);
    device.launchOver({"convolution", function, "ConvolutionArguments"}, positions * a.channelsOut * a.groups, a);
    return true;
}

void runPhases(const DeviceCall& call, const ConvolutionCall& c, const DeviceTensor& out, std::size_t n) {
    ConvolutionArguments a = argumentsOf(c, out, n);
    if (launchDepthwise(call.device, a, c, out.dtype, n)) return;
    const Three outSize = spatialOf(out, n), phases = c.transposed ? c.stride : Three{1, 1, 1};
    for (std::int64_t i = 0; i < volume(phases); ++i) {
        call.device.checkStop();
        const Three phase{i / (phases[1] * phases[2]), i / phases[2] % phases[1], i % phases[2]};
        Three grid;
        for (std::size_t d = 0; d < 3; ++d)
            grid[d] = std::max<std::int64_t>((outSize[d] - phase[d] + phases[d] - 1) / phases[d], 0);
        if (volume(grid) == 0) continue;
        const std::vector<Tap> taps = tapsOf(c, n, phase, a.channelsInGroup);
        const auto bytes = std::int64_t(std::max<std::size_t>(taps.size(), 1) * sizeof(Tap));
        const DeviceTensor table = call.device.make(DType::UInt8, {bytes});
        if (!taps.empty()) valueOf(call.device.machine().write(table.address(), std::as_bytes(std::span(taps))));
        a.taps = table.address();
        a.tapCount = std::int64_t(taps.size());
        copyThree(grid, a.grid);
        copyThree(phase, a.phase);
        launchPhase(call.device, a, out.dtype);
    }
}

ConvolutionShape shapeOf(const ConvolutionCall& c, const Shape& out, DType type, std::size_t n) {
    ConvolutionShape s;
    s.dtype = type;
    s.dimensions = int(n);
    s.transposed = c.transposed;
    s.biased = c.bias.has_value();
    s.batch = c.input.shape[0], s.channelsIn = c.input.shape[1], s.channelsOut = out[1], s.groups = c.groups;
    s.size = spatialOf(c.input, n), s.kernel = spatialOf(c.weight, n);
    s.outSize = lift(Shape(out.end() - std::ptrdiff_t(n), out.end()), 1);
    s.stride = c.stride, s.padding = c.padding, s.dilation = c.dilation;
    return s;
}

/// By a library of the machine's, in the tensors' own type, where it has one for this.
std::optional<DeviceTensor> convolvedByLibrary(const DeviceCall& call, ConvolutionCall c, std::size_t n) {
    const DType type = call.type();
    if (c.input.dtype != type || c.weight.dtype != type || (c.bias && c.bias->dtype != type)) return std::nullopt;
    const bool unbatched = c.input.dim() == std::int64_t(n) + 1;
    Shape outShape = call.shape();
    if (unbatched) c.input = withUnit(c.input, 0), outShape.insert(outShape.begin(), 1);
    const ConvolutionShape shape = shapeOf(c, outShape, type, n);
    if (!call.device.machine().convolves(shape)) return std::nullopt;
    const DeviceTensor out = call.make();
    const DeviceTensor input = dense(call.device, c.input), weight = dense(call.device, c.weight);
    std::optional<DeviceTensor> bias;
    if (c.bias) bias = dense(call.device, *c.bias);
    const Result<void> done = call.device.machine().convolve(
        {shape, input.address(), weight.address(), bias ? bias->address() : 0, out.address()});
    if (!done && done.error().code == "unsupported") return std::nullopt; // it found out only now
    valueOf(done);
    return out;
}

DeviceResults convolveOver(const DeviceCall& call, ConvolutionCall c, std::size_t n) {
    if (std::optional<DeviceTensor> out = convolvedByLibrary(call, c, n)) return {*out};
    const DType type = c.input.dtype;
    const bool narrow =
        type == DType::Float16 || type == DType::BFloat16; // ours are of float32: one rounding at the end
    if (narrow) {
        c.input = converted(call.device, c.input, DType::Float32);
        c.weight = converted(call.device, c.weight, DType::Float32);
        if (c.bias) c.bias = converted(call.device, *c.bias, DType::Float32);
    }
    DeviceTensor out = call.device.make(narrow ? DType::Float32 : call.type(), call.shape());
    const bool unbatched = c.input.dim() == std::int64_t(n) + 1;
    DeviceTensor whole = out;
    if (unbatched) c.input = withUnit(c.input, 0), whole = withUnit(out, 0);
    if (c.input.dtype != DType::Float32 && c.input.dtype != DType::Float64)
        throw Failure{{"unsupported",
                       fmt::format("{} of {} has no kernel of ours.", call.host.name(), tensor::name(c.input.dtype))}};
    if (c.input.count() / std::max<std::int64_t>(c.input.shape[0], 1) > std::numeric_limits<int>::max())
        throw Failure{{"unsupported",
                       fmt::format("{} of samples beyond 2^31 elements has no kernel of ours.", call.host.name())}};
    constexpr std::int64_t mostPlaces = std::numeric_limits<int>::max() - 256; // and a tile
    if (out.count() / std::max<std::int64_t>(whole.shape[1], 1) > mostPlaces)
        throw Failure{
            {"unsupported", fmt::format("{} with more than 2^31 positions has no kernel of ours.", call.host.name())}};
    c.input = dense(call.device, c.input);
    c.weight = dense(call.device, c.weight);
    if (c.bias) c.bias = dense(call.device, *c.bias);
    if (out.count() > 0) runPhases(call, c, whole, n);
    return {converted(call.device, out, call.type())};
}

ConvolutionCall tensorsOf(const DeviceCall& call, std::size_t n) {
    ConvolutionCall c;
    c.input = call.tensor(0, "input");
    c.weight = call.tensor(1, "weight");
    c.bias = call.optionalTensor(2, "bias");
    c.stride = lift(call.host.integers(3, "stride", n, 1), 1);
    return c;
}
template <std::size_t n> DeviceResults conv(const DeviceCall& call) {
    ConvolutionCall c = tensorsOf(call, n);
    c.dilation = lift(call.host.integers(5, "dilation", n, 1), 1);
    c.groups = call.host.integer(6, "groups", 1);
    const tensor::Value* padding = call.host.find(4, "padding");
    const std::string* mode = padding ? padding->as<std::string>() : nullptr;
    if (!mode) {
        c.padding = lift(call.host.integers(4, "padding", n, 0), 0);
        return convolveOver(call, c, n);
    }
    c.padding = {0, 0, 0};
    if (*mode == "valid") return convolveOver(call, c, n);
    tensor::List widths; // "same": pairs from the last dimension on, the odd one behind
    for (std::size_t d = n; d-- > 0;) {
        const std::int64_t total = c.dilation[3 - n + d] * (c.weight.shape[d + 2] - 1);
        widths.emplace_back(total / 2);
        widths.emplace_back(total - total / 2);
    }
    c.input = call.apply("aten.constant_pad_nd.default", {c.input, tensor::Value(widths), tensor::Value(0.0)});
    return convolveOver(call, c, n);
}
DeviceResults anyConvolution(const DeviceCall& call) {
    const std::size_t n = call.host.integers(3, "stride").size();
    ConvolutionCall c = tensorsOf(call, n);
    c.padding = lift(call.host.integers(4, "padding", n, 0), 0);
    c.dilation = lift(call.host.integers(5, "dilation", n, 1), 1);
    c.transposed = call.host.flag(6, "transposed", false);
    c.groups = call.host.integer(8, "groups", 1);
    return convolveOver(call, c, n);
}
template <std::size_t n> DeviceResults convTranspose(const DeviceCall& call) {
    ConvolutionCall c = tensorsOf(call, n);
    c.transposed = true;
    c.padding = lift(call.host.integers(4, "padding", n, 0), 0);
    c.groups = call.host.integer(6, "groups", 1);
    c.dilation = lift(call.host.integers(7, "dilation", n, 1), 1);
    return convolveOver(call, c, n);
}

constexpr DeviceEntry convolutionEntries[] = {
    {"aten.conv1d.default", conv<1>},
    {"aten.conv2d.default", conv<2>},
    {"aten.conv3d.default", conv<3>},
    {"aten.conv1d.padding", conv<1>},
    {"aten.conv2d.padding", conv<2>},
    {"aten.conv3d.padding", conv<3>},
    {"aten.convolution.default", anyConvolution},
    {"aten.conv_transpose1d.default", convTranspose<1>},
    {"aten.conv_transpose2d.input", convTranspose<2>},
    {"aten.conv_transpose3d.input", convTranspose<3>},
};

} // namespace

DeviceFamily deviceConvolutions() {
    return convolutionEntries;
}

} // namespace kernelarium::operators
