// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of a pool whose windows have more than one cell.
#include "core/kernelgen/convolution/Pieces.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

/// The pooled value over a thread's cells of a window, by filter of the group, into `most`.
std::string columnText(const Description& d, const Tiles& tiles) {
    const bool maximum = d.pool == Pool::maximum;
    const auto with = [&](const std::string& value) {
        return maximum ? "pooled = fmaxf(pooled, " + value + ");\n" : "pooled += " + value + ";\n";
    };
    const std::string start = maximum ? "-INFINITY" : "0.0f";
    if (tiles.across == Across::registers)
        return "float pooled[group];\n#pragma unroll\nfor (int f = 0; f < group; ++f)\npooled[f] = " + start +
               ";\n#pragma unroll\nfor (int n = 0; n < column; ++n)\n#pragma unroll\n"
               "for (int part = 0; part < parts; ++part) {\nfloat values[group];\n#pragma unroll\n"
               "for (int f = 0; f < group; ++f)\nvalues[f] = out[n][part][f];\n"
               "across(values, s.filters, p);\n#pragma unroll\nfor (int f = 0; f < group; ++f)\n" +
               (maximum ? "pooled[f] = fmaxf(pooled[f], values[f]);\n" : "pooled[f] += values[f];\n") +
               "}\n#pragma unroll\nfor (int f = 0; f < group; ++f)\nofThreads[f][threadIdx.x] = pooled[f];\n";
    return "#pragma unroll\nfor (int f = 0; f < group; ++f) {\n" +
           std::string(d.before.steps.empty() ? "" : "const int filter = min(g * group + f, s.filters - 1);\n") +
           "float pooled = " + start +
           ";\n#pragma unroll\nfor (int n = 0; n < column; ++n)\n#pragma unroll\nfor (int part = 0; part < parts; "
           "++part)\n" +
           with(called(d.before, "eachOutput", "out[n][part][f]")) + "ofThreads[f][threadIdx.x] = pooled;\n}\n";
}

/// The pooled value of window w for the filter f of the group, as `pooled`, from those of threads.
std::string joinText(const Description& d) {
    const bool maximum = d.pool == Pool::maximum, three = d.axes.size() == 3;
    std::string out = fmt::format("float pooled = {};\n", maximum ? "-INFINITY" : "0.0f");
    if (three) out += "#pragma unroll\nfor (int dy = 0; dy < repeatY; ++dy)\n";
    out += "#pragma unroll\nfor (int dx = 0; dx < repeatX; ++dx) {\nconst float v = ofThreads[f][" +
           std::string(three ? "(dy * windows + w) * repeatX + dx" : "w * repeatX + dx") + "];\n" +
           (maximum ? "pooled = fmaxf(pooled, v);\n" : "pooled += v;\n") + "}\n";
    if (!maximum) out += "pooled *= 1.0f / (" + forAxes(d, "(cell@A@ * repeat@A@)", " * ") + ");\n";
    return out;
}

} // namespace

std::string windowsKernelText(const Description& d, const Tiles& tiles) {
    const bool three = d.axes.size() == 3, stream = d.last().combinesFilters();
    const std::string in = forAxes(d, "s.in@A@", " * "), volume = forAxes(d, "s.windows@A@", " * ");
    std::string memory;
    if (!tiles.constantWeights) memory += "    __shared__ float4 weights[channelsAtATime * window * group / 4];\n";
    memory += "    __shared__ float ofThreads[group][threads];\n";
    if (d.norm) memory += "    p.norms += int64_t(blockIdx.z) * s.filters; // those of this image\n";
    const std::string coordinates =
        three ? "const int z = blockIdx.y * repeatZ, y = of / s.windowsX * repeatY + line;\n"
                "const int x = of % s.windowsX * repeatX + threadIdx.x % repeatX; // this thread's first cell\n"
              : "const int y = of / s.windowsX * repeatY;\n"
                "const int x = of % s.windowsX * repeatX + threadIdx.x % repeatX; // this thread's first cell\n";
    const std::string line =
        three
            ? "const int line = threadIdx.x / (windows * repeatX), own = threadIdx.x % (windows * repeatX) / repeatX;\n"
            : "const int own = threadIdx.x / repeatX;\n";
    const std::string place = three ? "blockIdx.y * (s.windowsY * s.windowsX) + " : "";
    const std::string store =
        "const int64_t unit = int64_t(blockIdx.z) * s.filters + filter;\nconst int place = " + place +
        "firstWindow + w;\noutput[unit * (" + volume + ") + place] = " + called(d.after, "finish", "pooled") + ";\n";
    const std::string take =
        stream ? "if (threadIdx.x < windows)\n#pragma unroll\nfor (int f = 0; f < group; ++f) {\n"
                 "const int w = threadIdx.x, filter = g * group + f;\nif (filter >= s.filters) break;\n" +
                     joinText(d) + "take(combined, pooled, filter, p);\n}\n"
               : "for (int i = threadIdx.x; i < windows * group; i += threads) {\n"
                 "const int w = i % windows, f = i / windows, filter = g * group + f;\n"
                 "if (filter >= s.filters || firstWindow + w >= s.windowsY * s.windowsX) continue;\n" +
                     joinText(d) + store + "}\n";
    const std::string finish =
        !stream ? ""
                : "const int w = firstWindow + threadIdx.x;\nconst int64_t place = int64_t(blockIdx.z) * (" + volume +
                      ") + " + place +
                      "w;\nif (threadIdx.x < windows && w < s.windowsY * s.windowsX)\noutput[place] = finish(combined, "
                      "s.filters, " +
                      (d.others ? "s.others, " : "") + "p);\n";
    return filled(
        R"(/// A thread makes a column of a window's cells; what threads have found of one window meets in shared memory.
__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, @packed@float* output, Parameters p, Shape s) {
@memory@    const float* image = input + int64_t(blockIdx.z) * s.channels * (@in@);
    const int firstWindow = blockIdx.x * windows; // in its plane, like `of`
    @line@const int of = min(firstWindow + own, s.windowsY * s.windowsX - 1);
@coordinates@@before@#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
@convolution@if (g > 0) __syncthreads(); // the group before has been used
@column@__syncthreads();
@take@    }
@finish@}

)",
        {{"packed", tiles.constantWeights ? "" : "const float4* packed, "},
         {"memory", memory},
         {"in", in},
         {"line", line},
         {"coordinates", coordinates},
         {"before", stream ? "Combined combined = nothing;\n" : ""},
         {"convolution", channelsText(d, tiles)},
         {"column", columnText(d, tiles)},
         {"take", take},
         {"finish", finish}});
}

} // namespace kernelarium::kernelgen::convolution
