// SPDX-License-Identifier: GPL-3.0-or-later
// What is staged and multiplied: the same for every convolution.
#include "core/kernelgen/convolution/Pieces.h"

#include "core/kernelgen/text/Wrapped.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string forAxes(const Description& d, std::string_view one, std::string_view between) {
    std::string out;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    for (std::size_t i = 0; i < letters.size(); ++i)
        out += (i > 0 ? std::string(between) : "") + filled(one, {{"A", letters[i]}, {"a", names[i]}});
    return out;
}

std::string linearText(const std::vector<std::pair<std::int64_t, std::string>>& terms, std::int64_t offset) {
    std::string out;
    const auto add = [&](std::int64_t factor, const std::string& what) {
        const std::int64_t size = factor < 0 ? -factor : factor;
        const std::string text = what.empty() ? fmt::format("{}", size)
                                 : size == 1  ? what
                                              : fmt::format("{} * {}", size, what);
        out += out.empty() ? (factor < 0 ? "-" : "") + text : (factor < 0 ? " - " : " + ") + text;
    };
    for (const auto& [factor, what] : terms)
        if (factor != 0) add(factor, what);
    if (offset != 0 || out.empty()) add(offset, "");
    return out;
}

std::string placeOf(const Description& d, std::string_view extent, std::string_view coordinate) {
    std::string out;
    for (const std::string& letter : axisLetters(d)) {
        const std::string nested = out.find(' ') == out.npos ? out : "(" + out + ")";
        out = out.empty() ? fmt::format("{}{}", coordinate, letter)
                          : fmt::format("{} * s.{}{} + {}{}", nested, extent, letter, coordinate, letter);
    }
    return out;
}

std::string neutralText(algebra::Combine combine) {
    using algebra::Combine;
    return combine == Combine::sum ? "0.0f" : combine == Combine::maximum ? "-INFINITY" : "INFINITY";
}
std::string combinedText(algebra::Combine combine, const std::string& a, const std::string& b) {
    using algebra::Combine;
    if (combine == Combine::sum) return fmt::format("{} += {};\n", a, b);
    return fmt::format("{0} = {1}({0}, {2});\n", a, combine == Combine::maximum ? "fmaxf" : "fminf", b);
}

std::string partText(const Description& d) {
    std::string out;
    for (const std::string& letter : axisLetters(d)) {
        const std::string name(1, char(letter[0] - 'A' + 'a'));
        const std::string nested = out.find(' ') == out.npos ? out : "(" + out + ")";
        out = out.empty() ? "p" + name : fmt::format("{} * cell{} + p{}", nested, letter, name);
    }
    return out;
}

std::string_view storedExtent(const Description& d) {
    return d.pool == Pool::none ? "out" : d.repeats() > 1 ? "windows" : "cells";
}

std::string constantsText(const Description& d, const Tiles& t, bool isMarked) {
    std::string out;
    const bool windows = d.repeats() > 1;
    const auto add = [&](const char* name, std::int64_t value, std::set<std::int64_t> values, std::string_view remark) {
        std::string mark;
        if (isMarked && !values.empty()) {
            values.insert(value); // a text is a point of its own space
            mark = fmt::format("tune: {}", fmt::join(values, ", "));
        }
        out +=
            fmt::format("constexpr int {} = {};{}{}{}{}\n", name, value, mark.empty() && remark.empty() ? "" : " // ",
                        mark, mark.empty() || remark.empty() ? "" : " # ", remark);
    };
    if (t.across == Across::registers)
        add("group", t.group, {}, "the most filters: all are made together");
    else
        add("group", t.group,
            t.constantWeights ? std::set<std::int64_t>{1, 2, 4, 8, 16} : std::set<std::int64_t>{4, 8, 16},
            "filters that a thread makes at a time");
    if (windows) {
        add("column", t.column, {}, "cells of a window along the slowest axis: a thread's");
        add("windows", t.windows, {2, 4, 7, 10, 14}, "windows of a block, side by side");
    } else {
        add("column", t.column, {1, 2, 3, 4, 5, 6, 8}, "cells of a thread along the slowest axis");
        add("threads", t.threads, {64, 128, 256}, {});
    }
    add("blocksPerSm", t.blocksPerSm, {1, 2, 3, 4, 5, 6, 8}, {});
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
    if (windows) {
        std::string repeats;
        for (std::size_t i = 0; i < letters.size(); ++i)
            repeats += fmt::format("{}repeat{} = {}", i > 0 ? ", " : "", letters[i], d.axes[i].repeat);
        out += fmt::format("constexpr int {}; // cells of a window\n", repeats);
        const std::string plane = letters.size() == 3 ? "repeatY * repeatX" : "repeatX";
        out += fmt::format("constexpr int threads = windows * {};\n", plane);
    }
    out += fmt::format("constexpr int window = {}; // weights for each filter and channel\n"
                       "constexpr int parts = {}; // outputs of a cell that a thread keeps apart\n",
                       windowOf(d), parts);
    return out + (t.constantWeights ? "\n" : "static_assert(group % 4 == 0, \"weights are read four at a time\");\n\n");
}

std::string shapeText(const Description& d) {
    std::string out = "/// Extents: inputs, outputs of the convolution, and cells of them.\nstruct Shape {\n"
                      "    int batch, channels, filters, groups;\n";
    if (d.convolutionGroups > 1) out += "    int sections; ///< of channels, each with filters of its own\n";
    if (d.others) out += "    int others;\n";
    out += "    int " + forAxes(d, "in@A@", ", ") + ";\n    int " + forAxes(d, "out@A@", ", ") + ";\n    int " +
           forAxes(d, "cells@A@", ", ") + ";\n";
    if (d.repeats() > 1) out += "    int " + forAxes(d, "windows@A@", ", ") + ";\n";
    return out + "};\n\n";
}

/// The place among a cell's inputs of the input that a part of its outputs meets at a kernel position; -1: none.
static std::string offsetsText(const Description& d) {
    std::string out =
        "/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.\n";
    const std::vector<std::string> letters = axisLetters(d);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        const std::string place = linearText({{a.scale, "part"}, {a.step, "k"}}, a.shift - a.divisor * a.first);
        out += fmt::format("__host__ __device__ constexpr int offset{}(int part, int k) {{\n", letters[i]);
        out += a.divisor == 1 ? fmt::format("    return {};\n}}\n", place)
                              : fmt::format("    return ({0}) % {1} ? -1 : ({0}) / {1};\n}}\n", place, a.divisor);
    }
    return out + "\n";
}

std::string packText(const Description& d, const Tiles& tiles) {
    const bool transposed = d.axes[0].transposed, sections = d.convolutionGroups > 1;
    std::string out;
    if (tiles.constantWeights)
        out = "/// Weights as pack orders them. They are the same for a whole warp.\n"
              "__constant__ float weights[mostWeights];\n\n";
    out += offsetsText(d);
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    if (d.combined) {
        out += "/// How many outputs of a cell meet this input at kernel position k.\n";
        for (std::size_t i = 0; i < letters.size(); ++i)
            out +=
                fmt::format("__device__ int times{0}(int d, int k) {{\n    int n = 0;\n    for (int part = 0; part < "
                            "cell{0}; ++part)\n        n += offset{0}(part, k) == d;\n    return n;\n}}\n",
                            letters[i]);
        out += "\n";
    }
    out += kernelgen::filled(
        "/// ", "/// ",
        std::string("Orders the weights by group of filters, input channel, tap and filter, 0 "
                    "beyond the filters") +
            (d.combined ? "; a tap is the sum of those that a cell's outputs have for one input." : "."));
    out += "__global__ void pack(const float* weight, float* to, Shape s) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i >= s.groups * s.channels * window * group) return;\n"
           "    const int tap = i / group % window, c = i / (group * window) % s.channels;\n"
           "    const int g = i / (group * window * s.channels);\n";
    if (sections) {
        out += "    const int each = s.groups / s.sections, section = g / each; // groups of a section\n"
               "    const int filter = g % each * group + i % group;        // in its section\n";
        out += transposed ? "    const int row = (section * s.channels + c) * s.filters + filter;\n"
                          : "    const int row = (section * s.filters + filter) * s.channels + c;\n";
    } else {
        out += "    const int filter = g * group + i % group;\n";
        out += transposed ? "    const int row = c * s.filters + filter;\n"
                          : "    const int row = filter * s.channels + c;\n";
    }
    if (!d.combined) return out + "    to[i] = filter < s.filters ? weight[row * window + tap] : 0.0f;\n}\n\n";
    std::string offsets, loops, conditions, position;
    std::string rest = "tap";
    for (std::size_t i = letters.size(); i-- > 0;) {
        offsets += fmt::format("    const int d{} = {}{};\n", names[i], rest,
                               i > 0 ? fmt::format(" % span{}", letters[i]) : "");
        rest += fmt::format(" / span{}", letters[i]);
    }
    for (std::size_t i = 0; i < letters.size(); ++i) {
        position = i == 0   ? "k" + names[i]
                   : i == 1 ? fmt::format("{} * kernel{} + k{}", position, letters[i], names[i])
                            : fmt::format("({}) * kernel{} + k{}", position, letters[i], names[i]);
        loops += fmt::format("    for (int k{0} = 0; k{0} < kernel{1}; ++k{0})\n", names[i], letters[i]);
        conditions += fmt::format("{}times{}(d{}, k{})", i > 0 ? " * " : "", letters[i], names[i], names[i]);
    }
    return out + offsets + "    const float* taps = weight + row * (" + forAxes(d, "kernel@A@", " * ") +
           ");\n    float sum = 0.0f;\n" + loops.substr(0, loops.size() - 1) + " {\nconst int k = " + position +
           ";\nconst int times = " + conditions +
           ";\nif (filter < s.filters) sum += float(times) * taps[k];\n}\n    to[i] = sum / (" +
           forAxes(d, "cell@A@", " * ") + ");\n}\n\n";
}

static std::string nestedIndex(std::string outer, const std::string& extent, const std::string& inner) {
    if (outer.empty()) return inner;
    if (outer.find(' ') != outer.npos) outer = "(" + outer + ")";
    return fmt::format("{} * {} + {}", outer, extent, inner);
}

std::string convolveText(const Description& d, const Tiles& tiles) {
    const bool three = d.axes.size() == 3;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    const std::size_t n = letters.size();
    std::string out = filled(
        R"(/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advance@S@ + span@S@]@rest@;
};

/// Loads the inputs from (@from@) on.
__device__ void load(Inputs& in, const float* channel, @ints@, const Shape& s) {
    const float* origin = channel + @origin@;
#pragma unroll
    for (int d@s@ = 0; d@s@ < (column - 1) * advance@S@ + span@S@; ++d@s@)
@loops@{
const bool inside = @inside@;
in.at@index@ = inside ? origin[@place@] : 0.0f;
}
}

)",
        {{"S", letters[0]},
         {"s", names[0]},
         {"rest", three ? "[spanY][spanX]" : "[spanX]"},
         {"from", three ? "z, y, x" : "y, x"},
         {"ints", three ? "int z, int y, int x" : "int y, int x"},
         {"origin", three ? "(z * s.inY + y) * s.inX + x" : "y * s.inX + x"},
         {"loops", std::string(three ? "#pragma unroll\nfor (int dy = 0; dy < spanY; ++dy)\n" : "") +
                       "#pragma unroll\nfor (int dx = 0; dx < spanX; ++dx) "},
         {"index", three ? "[dz][dy][dx]" : "[dy][dx]"},
         {"inside", forAxes(d, "unsigned(@a@ + d@a@) < unsigned(s.in@A@)", " && ")},
         {"place", three ? "(dz * s.inY + dy) * s.inX + dx" : "dy * s.inX + dx"}});
    out += "/// Adds one input channel to the outputs of the column.\n"
           "__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {\n";
    std::string loops, guard, place, tap;
    for (std::size_t i = 0; i < n; ++i) {
        const std::string &a = names[i], &A = letters[i];
        if (d.combined) {
            loops += fmt::format("#pragma unroll\nfor (int d{0} = 0; d{0} < span{1}; ++d{0})\n", a, A);
            tap = nestedIndex(tap, "span" + A, "d" + a);
        } else {
            loops += fmt::format("#pragma unroll\nfor (int p{0} = 0; p{0} < cell{1}; ++p{0})\n"
                                 "#pragma unroll\nfor (int k{0} = 0; k{0} < kernel{1}; ++k{0})\n",
                                 a, A);
            tap = nestedIndex(tap, "kernel" + A, "k" + a);
            guard += fmt::format("{}d{} < 0", i > 0 ? " || " : "", a);
        }
        place += i == 0 ? fmt::format("[n * advance{} + d{}]", A, a) : fmt::format("[d{}]", a);
    }
    std::string body;
    bool everywhere = true; // every output of a cell has every tap
    for (const Axis& a : d.axes)
        everywhere = everywhere && a.divisor == 1;
    if (!d.combined) {
        body = "const int " + forAxes(d, "d@a@ = offset@A@(p@a@, k@a@)", ", ") + ";\n";
        if (!everywhere) body += "if (" + guard + ") continue; // no tap joins them\n";
        body += "const int part = " + partText(d) + ", k = " + tap + ";\n";
    } else {
        body = "const int k = " + tap + ";\n";
    }
    out += loops.substr(0, loops.size() - 1) + " {\n" + body +
           filled(tiles.constantWeights ? R"(#pragma unroll
for (int f = 0; f < group; ++f)
#pragma unroll
for (int n = 0; n < column; ++n)
out[n][@part@][f] = fmaf(in.at@place@, tap[k * group + f], out[n][@part@][f]);
    }
}

)"
                                        : R"(#pragma unroll
        for (int f = 0; f < group; f += 4) {
            const float4 w = *reinterpret_cast<const float4*>(tap + k * group + f);
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
                  {{"place", place}, {"part", d.combined ? "0" : "part"}});
    return out;
}

std::string channelsText(const Description& d, const Tiles& tiles) {
    const std::string in = forAxes(d, "s.in@A@", " * ");
    const std::string first = d.convolutionGroups > 1 ? "g / (s.groups / s.sections) * s.channels + " : "";
    const std::string call = "load(in, image + int64_t(" + first + "@c@) * (" + in + "), " +
                             forAxes(d, "@a@ * advance@A@ + first@A@", ", ") + ", s);\n";
    if (tiles.constantWeights)
        return "#pragma unroll 1\nfor (int c = 0; c < s.channels; ++c) {\nInputs in;\n" + filled(call, {{"c", "c"}}) +
               "convolve(in, weights + (g * s.channels + c) * window * group, out);\n}\n";
    return R"(#pragma unroll 1
        for (int c = 0; c < s.channels; c += channelsAtATime) {
            const int count = min(channelsAtATime, s.channels - c);
            __syncthreads(); // the weights before have been used
            for (int i = threadIdx.x; i < count * window * group / 4; i += threads)
                weights[i] = packed[(g * s.channels + c) * window * group / 4 + i];
            __syncthreads();
#pragma unroll 1
            for (int k = 0; k < count; ++k) {
                Inputs in;
                )" +
           filled(call, {{"c", "c + k"}}) +
           R"(convolve(in, reinterpret_cast<const float*>(weights) + k * window * group, out);
            }
        }
)";
}

} // namespace kernelarium::kernelgen::convolution
