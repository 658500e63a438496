// SPDX-License-Identifier: GPL-3.0-or-later
// What is staged and multiplied: the same for every convolution.
#include "core/kernelgen/convolution/Pieces.h"

#include <cctype>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

std::string filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = text.find('@', at);
        const std::size_t close = open == text.npos ? text.npos : text.find('@', open + 1);
        if (close == text.npos) {
            out += text.substr(at);
            break;
        }
        out += text.substr(at, open - at);
        const std::string_view name = text.substr(open + 1, close - open - 1);
        bool found = false;
        for (const auto& [key, value] : values)
            if (key == name) out += value, found = true;
        if (!found) out += fmt::format("@{}@", name);
        at = close + 1;
    }
    return out;
}

std::vector<std::string> axisLetters(const Description& d) {
    if (d.axes.size() == 2) return {"Y", "X"};
    return {"Z", "Y", "X"};
}
std::vector<std::string> axisNames(const Description& d) {
    if (d.axes.size() == 2) return {"y", "x"};
    return {"z", "y", "x"};
}

std::string identifier(std::string_view name) {
    std::string out;
    bool up = false;
    for (const char c : name) {
        if (c == '_') {
            up = !out.empty();
            continue;
        }
        out += up ? char(std::toupper(static_cast<unsigned char>(c))) : c;
        up = false;
    }
    if (out == "group" || out == "column" || out == "threads" || out == "y" || out == "s" || out == "parts")
        out += "Values";
    return out;
}

std::string forAxes(const Description& d, std::string_view one, std::string_view between) {
    std::string out;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    for (std::size_t i = 0; i < letters.size(); ++i)
        out += (i > 0 ? std::string(between) : "") + filled(one, {{"A", letters[i]}, {"a", names[i]}});
    return out;
}

std::string constantsText(const Description& d, const Tiles& t) {
    std::string out =
        fmt::format(R"(constexpr int group = {}; // tune: {}4, 8, 16; filters that a thread makes at a time
constexpr int column = {}; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = {}; // tune: 64, 128, 256
constexpr int blocksPerSm = {}; // tune: 1, 2, 3, 4, 5, 6, 8
)",
                    t.group, t.constantWeights ? "2, " : "", t.column, t.threads, t.blocksPerSm);
    out += t.constantWeights
               ? fmt::format("constexpr int mostWeights = {}; // of constant memory\n\n", t.mostWeights)
               : fmt::format("constexpr int channelsAtATime = {}; // whose weights are in shared memory together\n\n",
                             t.channelsAtATime);
    std::int64_t parts = 1;
    const std::vector<std::string> letters = axisLetters(d);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        parts *= d.combined ? 1 : a.cell;
        out += fmt::format(
            "constexpr int kernel{0} = {1}, cell{0} = {2}, advance{0} = {3}, first{0} = {4}, span{0} = {5};\n",
            letters[i], a.kernel, a.cell, a.advance, a.first, a.span);
    }
    out += fmt::format("constexpr int window = {}; // weights for each filter and channel\n"
                       "constexpr int parts = {}; // outputs of a cell that a thread keeps apart\n",
                       windowOf(d), parts);
    return out + (t.constantWeights ? "\n" : "static_assert(group % 4 == 0, \"weights are read four at a time\");\n\n");
}

std::string shapeText(const Description& d) {
    return "/// Extents: inputs, outputs of the convolution, and cells of them.\nstruct Shape {\n"
           "    int batch, channels, filters, groups;\n    int " +
           forAxes(d, "in@A@", ", ") + ";\n    int " + forAxes(d, "out@A@", ", ") + ";\n    int " +
           forAxes(d, "cells@A@", ", ") + ";\n};\n\n";
}

/// The place among a cell's inputs of the input that a part of its outputs meets at a kernel position; -1: none.
static std::string offsetsText(const Description& d) {
    std::string out =
        "/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: "
        "none.\n";
    const std::vector<std::string> letters = axisLetters(d);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        const std::int64_t shift = a.shift - a.divisor * a.first;
        const std::string place = fmt::format("{} * part + {} * k + {}", a.scale, a.step, shift);
        out += fmt::format("__host__ __device__ constexpr int offset{}(int part, int k) {{ return ", letters[i]);
        out += a.divisor == 1 ? place : fmt::format("({0}) % {1} ? -1 : ({0}) / {1}", place, a.divisor);
        out += "; }\n";
    }
    return out + "\n";
}

std::string packText(const Description& d, const Tiles& tiles) {
    const bool transposed = d.axes[0].transposed;
    const std::string at = transposed ? "(c * s.filters + filter)" : "(filter * s.channels + c)";
    const std::string kernels = forAxes(d, "kernel@A@", " * ");
    std::string out;
    if (tiles.constantWeights)
        out =
            "/// Weights as pack orders them. They are the same for a whole warp.\n__constant__ float weights[mostWeights];\n\n";
    out += offsetsText(d);
    out += "/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters" +
           std::string(d.combined ? ";\n/// a tap is the sum of those that the outputs of a cell have for one input"
                                  : "") +
           ".\n__global__ void pack(const float* weight, float* to, Shape s) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i >= s.groups * s.channels * window * group) return;\n"
           "    const int tap = i / group % window, c = i / (group * window) % s.channels;\n"
           "    const int filter = i / (group * window * s.channels) * group + i % group;\n";
    if (!d.combined) return out + "    to[i] = filter < s.filters ? weight[" + at + " * window + tap] : 0.0f;\n}\n\n";
    std::string offsets, loops, conditions, position;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    std::string rest = "tap";
    for (std::size_t i = letters.size(); i-- > 0;) {
        offsets += fmt::format("    const int d{} = {}{};\n", names[i], rest,
                               i > 0 ? fmt::format(" % span{}", letters[i]) : "");
        rest += fmt::format(" / span{}", letters[i]);
    }
    for (std::size_t i = 0; i < letters.size(); ++i) {
        position = i == 0 ? "k" + names[i] : fmt::format("({}) * kernel{} + k{}", position, letters[i], names[i]);
        loops += fmt::format("        for (int k{0} = 0; k{0} < kernel{1}; ++k{0})\n", names[i], letters[i]);
        conditions += fmt::format("{}times{}(d{}, k{})", i > 0 ? " * " : "", letters[i], names[i], names[i]);
    }
    std::string times = "/// How many outputs of a cell meet this input at kernel position k.\n";
    for (std::size_t i = 0; i < letters.size(); ++i)
        times += fmt::format(
            "__device__ int times{0}(int d, int k) {{\n    int n = 0;\n    for (int part = 0; part < cell{0}; "
            "++part)\n        n += offset{0}(part, k) == d;\n    return n;\n}}\n",
            letters[i]);
    const std::size_t doc = out.find("/// Orders the weights");
    out.insert(doc, times + "\n");
    out += offsets + "    float sum = 0.0f;\n    if (filter < s.filters)\n" + loops + "            sum += float(" +
           conditions + ") * weight[" + at + " * (" + kernels + ") + " + position + "];\n    to[i] = sum / (" +
           forAxes(d, "cell@A@", " * ") + ");\n}\n\n";
    return out;
}

std::string convolveText(const Description& d, const Tiles& tiles) {
    const bool three = d.axes.size() == 3;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    const std::size_t n = letters.size();
    std::string out =
        filled(R"(/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advance@S@ + span@S@]@rest@;
};

/// Loads the inputs from (@from@) on.
__device__ void load(Inputs& in, const float* channel, @ints@, const Shape& s) {
    const float* origin = channel + @origin@;
#pragma unroll
    for (int d@s@ = 0; d@s@ < (column - 1) * advance@S@ + span@S@; ++d@s@)
@loops@            in.at@index@ = @inside@ ? origin[@place@] : 0.0f;
}

)",
               {{"S", letters[0]},
                {"s", names[0]},
                {"rest", three ? "[spanY][spanX]" : "[spanX]"},
                {"from", three ? "z, y, x" : "y, x"},
                {"ints", three ? "int z, int y, int x" : "int y, int x"},
                {"origin", three ? "(z * s.inY + y) * s.inX + x" : "y * s.inX + x"},
                {"loops", std::string(three ? "#pragma unroll\n        for (int dy = 0; dy < spanY; ++dy)\n" : "") +
                              "#pragma unroll\n        for (int dx = 0; dx < spanX; ++dx)\n"},
                {"index", three ? "[dz][dy][dx]" : "[dy][dx]"},
                {"inside", forAxes(d, "unsigned(@a@ + d@a@) < unsigned(s.in@A@)", " && ")},
                {"place", three ? "(dz * s.inY + dy) * s.inX + dx" : "dy * s.inX + dx"}});
    out += "/// Adds one input channel to the outputs of the column.\n"
           "__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {\n";
    std::string loops, guard, place, part, tap;
    for (std::size_t i = 0; i < n; ++i) {
        const std::string &a = names[i], &A = letters[i];
        if (d.combined) {
            loops += fmt::format("#pragma unroll\n    for (int d{0} = 0; d{0} < span{1}; ++d{0})\n", a, A);
            tap = i == 0 ? "d" + a : fmt::format("({}) * span{} + d{}", tap, A, a);
        } else {
            loops += fmt::format("#pragma unroll\n    for (int p{0} = 0; p{0} < cell{1}; ++p{0})\n"
                                 "#pragma unroll\n    for (int k{0} = 0; k{0} < kernel{1}; ++k{0})\n",
                                 a, A);
            tap = i == 0 ? "k" + a : fmt::format("({}) * kernel{} + k{}", tap, A, a);
            part = i == 0 ? "p" + a : fmt::format("({}) * cell{} + p{}", part, A, a);
            guard += fmt::format("{}d{} < 0", i > 0 ? " || " : "", a);
        }
        place += i == 0 ? fmt::format("[n * advance{} + d{}]", A, a) : fmt::format("[d{}]", a);
    }
    std::string offsets;
    if (!d.combined)
        offsets = "        const int " + forAxes(d, "d@a@ = offset@A@(p@a@, k@a@)", ", ") + ";\n        if (" + guard +
                  ") continue; // no tap joins them\n";
    out += loops.substr(0, loops.size() - 1) + " {\n" + offsets +
           filled(tiles.constantWeights ? R"(#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][@part@][f] = fmaf(in.at@place@, tap[(@tap@) * group + f], out[n][@part@][f]);
    }
}

)"
                                        : R"(#pragma unroll
        for (int f = 0; f < group; f += 4) {
            const float4 w = *reinterpret_cast<const float4*>(tap + (@tap@) * group + f);
#pragma unroll
            for (int n = 0; n < column; ++n) {
                const float v = in.at@place@;
                float* sums = &out[n][@part@][f];
                sums[0] = fmaf(v, w.x, sums[0]);
                sums[1] = fmaf(v, w.y, sums[1]);
                sums[2] = fmaf(v, w.z, sums[2]);
                sums[3] = fmaf(v, w.w, sums[3]);
            }
        }
    }
}

)",
                  {{"tap", tap}, {"place", place}, {"part", d.combined ? "0" : part}});
    return out;
}

} // namespace kernelarium::kernelgen::convolution
