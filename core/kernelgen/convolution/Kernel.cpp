// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel around the convolution, and what becomes of its values.
#include "core/kernelgen/convolution/Pieces.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string placeOf(const Description& d, std::string_view extent, std::string_view prefix) {
    const std::vector<std::string> letters = axisLetters(d);
    std::string out;
    for (std::size_t i = 0; i < letters.size(); ++i)
        out = i == 0 ? fmt::format("{}{}", prefix, letters[i])
                     : fmt::format("({}) * s.{}{} + {}{}", out, extent, letters[i], prefix, letters[i]);
    return out;
}

/// The pooled value of a cell, as `pooled`.
std::string pooledText(const Description& d) {
    if (d.combined) return "                const float pooled = out[n][0][f];\n";
    const bool most = d.pool == Pool::maximum;
    std::string out = filled(R"(                float pooled = @one@;
#pragma unroll
                for (int part = 1; part < parts; ++part)
                    pooled = @more@;
)",
                             {{"one", called(d.before, "eachOutput", "out[n][0][f]")},
                              {"more", (most ? "fmaxf(pooled, " : "pooled + ") +
                                           called(d.before, "eachOutput", "out[n][part][f]") + (most ? ")" : "")}});
    return most ? out : out + "                pooled *= 1.0f / parts;\n";
}

/// A filter's values put aside until all filters' are there.
std::string rowsText(const Description& d) {
    if (d.pool == Pool::none)
        return R"(#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int part = 0; part < parts; ++part)
                    rows[((n * parts + part) * s.filters + filter) * threads + threadIdx.x] = out[n][part][f];
)";
    return "#pragma unroll\n            for (int n = 0; n < column; ++n) {\n" + pooledText(d) +
           "                rows[(n * s.filters + filter) * threads + threadIdx.x] = pooled;\n            }\n";
}

/// What is done with the rows of a thread's column.
std::string rowsFinishText(const Description& d) {
    if (!d.last().combinesFilters()) return {};
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    const bool pooled = d.pool != Pool::none;
    std::string coordinates, loop, rest = "part";
    for (std::size_t i = letters.size(); i-- > 0;) {
        const std::string cell = i == 0 ? "(" + names[0] + " + n)" : names[i];
        const std::string one = pooled ? fmt::format("of{} = {}", letters[i], cell)
                                       : fmt::format("of{0} = {1} * cell{0} + {2}{3}", letters[i], cell, rest,
                                                     i > 0 ? fmt::format(" % cell{}", letters[i]) : "");
        coordinates = one + (coordinates.empty() ? "" : ", ") + coordinates;
        rest += fmt::format(" / cell{}", letters[i]);
    }
    return filled(R"(    for (int n = 0; n < column; ++n)@loop@ {
            const int @coordinates@;
            if (@beyond@) continue;
            const int place = @place@;
            float* to = output + int64_t(blockIdx.z) * @filters@(@volume@) + place;
            finish(rows + @row@ * s.filters * threads + threadIdx.x, threads, to, @volume@, s.filters, p);
        }
)",
                  {{"loop", pooled ? "" : "\n        for (int part = 0; part < parts; ++part)"},
                   {"coordinates", coordinates},
                   {"beyond", forAxes(d, pooled ? "of@A@ >= s.cells@A@" : "of@A@ >= s.out@A@", " || ")},
                   {"place", placeOf(d, pooled ? "cells" : "out", "of")},
                   {"volume", forAxes(d, pooled ? "s.cells@A@" : "s.out@A@", " * ")},
                   {"filters", d.result == Description::Result::perFilter ? "s.filters * " : ""},
                   {"row", pooled ? "n" : "(n * parts + part)"}});
}

/// The statement that takes a value: to its place, or into a sum.
std::string storeText(const Description& d, std::string_view indent, std::string_view extent,
                      const std::string& value) {
    if (d.space == Space::moments)
        return fmt::format("{0}const float v = {1}{2};\n{0}sum += v;\n{0}squares = fmaf(v, v, squares);\n", indent,
                           value, d.before.steps.empty() ? "" : " - pivot");
    if (d.space != Space::kept) return fmt::format("{}sum += {};\n", indent, value);
    return fmt::format("{0}const int place = {1};\n{0}output[first + place] = {2};\n", indent, placeOf(d, extent, "of"),
                       value);
}

/// After a filter's values have been added up: over the warp.
std::string sumText(const Description& d) {
    if (d.space == Space::kept) return {};
    if (d.space == Space::moments)
        return R"(#pragma unroll
            for (int step = 16; step > 0; step /= 2) {
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
                squares += __shfl_xor_sync(0xffffffffu, squares, step);
            }
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = make_float2(sum, squares);
)";
    return R"(#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = sum;
)";
}

/// The value before it is known whether it counts: its parameters are then loaded once for all. What reads a tensor by
/// element has to wait.
std::string early(const Chain& chain, std::string_view indent, const std::string& value) {
    if (chain.reads(Operand::Kind::element)) return {};
    return fmt::format("{}const float value = {};\n", indent, value);
}
std::string valueOr(const Chain& chain, const std::string& value) {
    return chain.reads(Operand::Kind::element) ? value : "value";
}

/// Stores of one filter of a thread's column.
std::string storesText(const Description& d) {
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    const std::string slow = letters[0];
    const std::string cellOf = fmt::format("const int of{} = {} + n, ", slow, names[0]);
    if (d.last().combinesFilters()) return rowsText(d);
    if (d.pool == Pool::none) {
        std::string loops, coordinates, part;
        for (std::size_t i = 0; i < letters.size(); ++i) {
            loops += fmt::format("#pragma unroll\n                for (int p{0} = 0; p{0} < cell{1}; ++p{0})\n",
                                 names[i], letters[i]);
            coordinates += fmt::format("{}of{} = {} * cell{} + p{}", i > 0 ? ", " : "", letters[i],
                                       i == 0 ? "(" + names[0] + " + n)" : names[i], letters[i], names[i]);
            part = i == 0 ? "p" + names[i] : fmt::format("({}) * cell{} + p{}", part, letters[i], names[i]);
        }
        loops.back() = ' ';
        const std::string one = called(d.before, "finish", fmt::format("out[n][{}][f]", part));
        return filled(R"(#pragma unroll
            for (int n = 0; n < column; ++n)
@loops@{
@value@                    const int @coordinates@;
                    if (@beyond@) continue;
@store@                }
)",
                      {{"value", early(d.before, "                    ", one)},
                       {"loops", loops},
                       {"coordinates", coordinates},
                       {"beyond", forAxes(d, "of@A@ >= s.out@A@", " || ")},
                       {"store", storeText(d, "                    ", "out", valueOr(d.before, one))}}) +
               sumText(d);
    }
    const std::string pool = pooledText(d);
    std::string coordinates = fmt::format("of{} = {} + n", slow, names[0]);
    for (std::size_t i = 1; i < letters.size(); ++i)
        coordinates += fmt::format(", of{} = {}", letters[i], names[i]);
    return filled(R"(#pragma unroll
            for (int n = 0; n < column; ++n) {
@pool@@value@                const int @coordinates@;
                if (@beyond@) continue;
@store@            }
)",
                  {{"pool", pool},
                   {"value", early(d.after, "                ", called(d.after, "finish", "pooled"))},
                   {"coordinates", coordinates},
                   {"beyond", forAxes(d, "of@A@ >= s.cells@A@", " || ")},
                   {"store", storeText(d, "                ", "cells",
                                       valueOr(d.after, called(d.after, "finish", "pooled")))}}) +
           sumText(d);
}

} // namespace

std::string summaryText(const Description& d) {
    if (d.space == Space::kept || d.space == Space::moments) return {};
    const bool together = d.summary.combinesFilters();
    const std::string mean =
        d.space == Space::mean
            ? " / (1.0f * " + forAxes(d, d.pool == Pool::none ? "s.out@A@" : "s.cells@A@", " * ") + ")"
            : "";
    return filled(
        R"(constexpr int summaryThreads = 256;

/// Adds up the sums of an image's blocks, in their order: a block for each image, a warp for each filter.
__global__ void __launch_bounds__(summaryThreads) summary(const float* sums, float* output, int blocks, Parameters p, Shape s) {
@memory@    for (int filter = threadIdx.x / 32; filter < s.filters; filter += summaryThreads / 32) {
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < blocks; b += 32)
            sum += sums[(int64_t(blockIdx.x) * blocks + b) * s.groups * group + filter];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0) @store@;
    }
@rest@}

)",
        {{"memory", together ? "    extern __shared__ float rows[];\n" : ""},
         {"store", together
                       ? "rows[filter] = sum" + mean
                       : "output[blockIdx.x * s.filters + filter] = " + called(d.summary, "summarise", "sum" + mean)},
         {"rest", !together
                      ? std::string()
                      : std::string("    __syncthreads();\n    if (threadIdx.x == 0)\n        finish(rows, 1, output + "
                                    "blockIdx.x") +
                            (d.result == Description::Result::perFilter ? " * s.filters" : "") +
                            ", 1, s.filters, p);\n"}});
}

std::string kernelText(const Description& d, const Tiles& tiles) {
    const bool three = d.axes.size() == 3;
    const std::string convolution = tiles.constantWeights && tiles.prefetch ? R"(        Inputs in;
        load(in, image, @bases@, s);
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs next;
            if (c + 1 < s.channels) load(next, image + int64_t(c + 1) * (@in@), @bases@, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
            in = next;
        }
)"
                                    : tiles.constantWeights                 ? R"(#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(c) * (@in@), @bases@, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
)"
                                                                            : R"(#pragma unroll 1
        for (int c = 0; c < s.channels; c += channelsAtATime) {
            const int count = min(channelsAtATime, s.channels - c);
            __syncthreads(); // the weights before have been used
            for (int i = threadIdx.x; i < count * window * group / 4; i += threads)
                weights[i] = packed[(g * s.channels + c) * window * group / 4 + i];
            __syncthreads();
#pragma unroll 1
            for (int k = 0; k < count; ++k) {
                Inputs in;
                load(in, image + int64_t(c + k) * (@in@), @bases@, s);
                convolve(in, reinterpret_cast<const float*>(weights) + k * window * group, out);
            }
        }
)";
    return filled(
        R"(__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, @packed@@type@* output, Parameters p, Shape s) {
@memory@    const float* image = input + int64_t(blockIdx.z) * s.channels * (@in@);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int @places@; // this thread's first cell
@outside@#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
@convolution@#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
@first@@stores@        }
@blockSums@    }
@rows@}

)",
        {{"packed", tiles.constantWeights ? "" : "const float4* packed, "},
         {"type", d.space == Space::moments ? "float2" : "float"},
         {"memory",
          std::string(
              tiles.constantWeights ? "" : "    __shared__ float4 weights[channelsAtATime * window * group / 4];\n") +
              (d.space == Space::kept      ? ""
               : d.space == Space::moments ? "    __shared__ float2 ofWarps[threads / 32][group];\n"
                                           : "    __shared__ float ofWarps[threads / 32][group];\n") +
              (d.norm ? "    p.norms += int64_t(blockIdx.z) * s.filters; // those of this image\n" : "") +
              (d.last().combinesFilters() ? "    extern __shared__ float rows[]; // values of all filters\n" : "")},
         {"outside", tiles.constantWeights && d.space == Space::kept ? "    if (y >= s.cellsY) return;\n" : ""},
         {"convolution", filled(convolution, {{"in", forAxes(d, "s.in@A@", " * ")},
                                              {"bases", forAxes(d, "@a@ * advance@A@ + first@A@", ", ")}})},
         {"places", three ? "z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX"
                          : "y = thread / s.cellsX * column, x = thread % s.cellsX"},
         {"in", forAxes(d, "s.in@A@", " * ")},
         {"first",
          d.space == Space::moments
              ? fmt::format(
                    "{}            float sum = 0.0f, squares = 0.0f;\n",
                    d.before.steps.empty()
                        ? ""
                        : "            const float pivot = finish(0.0f, filter, 0, p); // near the mean: keeps squares small\n")
          : d.space != Space::kept ? std::string("            float sum = 0.0f;\n")
          : d.last().combinesFilters()
              ? std::string()
              : "            const int64_t first = (int64_t(blockIdx.z) * s.filters + filter) * (" +
                    forAxes(d, d.pool == Pool::none ? "s.out@A@" : "s.cells@A@", " * ") + ");\n"},
         {"stores", storesText(d)},
         {"blockSums", d.space == Space::kept      ? ""
                       : d.space == Space::moments ? R"(        __syncthreads();
        if (threadIdx.x < group) {
            float2 sum = make_float2(0.0f, 0.0f);
            for (int w = 0; w < threads / 32; ++w) {
                sum.x += ofWarps[w][threadIdx.x].x;
                sum.y += ofWarps[w][threadIdx.x].y;
            }
            const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            output[(block * s.groups + g) * group + threadIdx.x] = sum;
        }
        __syncthreads(); // the sums of warps have been read
)"
                                                   : R"(        __syncthreads();
        if (threadIdx.x < group) {
            float sum = 0.0f;
            for (int w = 0; w < threads / 32; ++w)
                sum += ofWarps[w][threadIdx.x];
            const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            output[(block * s.groups + g) * group + threadIdx.x] = sum;
        }
        __syncthreads(); // the sums of warps have been read
)"},
         {"rows", rowsFinishText(d)}});
}

} // namespace kernelarium::kernelgen::convolution
