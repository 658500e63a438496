// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel around the convolution, and what becomes of its values.
#include "core/kernelgen/convolution/Pieces.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

/// The number of a part among those of its line's place: all axes but the slowest.
std::string linePart(const Description& d) {
    return d.axes.size() == 2 ? "px" : "py * cellX + px";
}
std::string lineExtent(const Description& d) {
    return d.axes.size() == 2 ? "s.outX" : "(s.outY * s.outX)";
}
std::string linePlace(const Description& d) {
    return d.axes.size() == 2 ? "ofX" : "ofY * s.outX + ofX";
}

/// Writes the kernel of one description.
class CellsWriter {
public:
    CellsWriter(const Description& d, const Tiles& tiles)
        : m_d(d)
        , m_t(tiles)
        , m_letters(axisLetters(d))
        , m_names(axisNames(d))
        , m_volume(forAxes(d, fmt::format("s.{}@A@", storedExtent(d)), " * ")) {}

    std::string run() const {
        const bool three = m_d.axes.size() == 3;
        const std::string in = forAxes(m_d, "s.in@A@", " * ");
        const bool sums = m_d.space == Space::sum || m_d.space == Space::mean;
        std::string memory;
        if (!m_t.constantWeights) memory += "    __shared__ float4 weights[channelsAtATime * window * group / 4];\n";
        if (m_d.space == Space::moments) memory += "    __shared__ float2 ofWarps[threads / 32][group];\n";
        if (sums) memory += "    __shared__ float ofWarps[threads / 32][group];\n";
        if (m_d.norm) memory += "    p.norms += int64_t(blockIdx.z) * s.filters; // those of this image\n";
        if (m_t.across == Across::rows) memory += "    extern __shared__ float rows[]; // values of all filters\n";
        const bool leaves = m_t.constantWeights && !sums && m_d.space != Space::moments;
        return filled(R"(__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, @packed@@type@* output, Parameters p, Shape s) {
@memory@    const float* image = input + int64_t(blockIdx.z) * s.channels * @sections@(@in@);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int @places@; // this thread's first cell
@outside@@before@#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
@convolution@@take@@blockSums@    }
@after@}

)",
                      {{"packed", m_t.constantWeights ? "" : "const float4* packed, "},
                       {"type", m_d.space == Space::moments ? "float2" : "float"},
                       {"memory", memory},
                       {"sections", m_d.convolutionGroups > 1 ? "s.sections * " : ""},
                       {"in", in},
                       {"places", three ? "z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX"
                                        : "y = thread / s.cellsX * column, x = thread % s.cellsX"},
                       {"outside", leaves ? "    if (y >= s.cellsY) return;\n" : ""},
                       {"before", m_t.across == Across::stream ? beginCombined() : ""},
                       {"convolution", channelsText(m_d, m_t)},
                       {"take", takeText()},
                       {"blockSums", blockSumsText()},
                       {"after", afterText()}});
    }

private:
    std::string beginCombined() const {
        return "Combined combined[column][" + keptParts() +
               "];\n#pragma unroll\nfor (int n = 0; n < column; ++n)\n#pragma unroll\nfor (int part = 0; part < " +
               keptParts() + "; ++part)\ncombined[n][part] = nothing;\n";
    }
    std::string keptParts() const { return m_d.pool == Pool::none ? "parts" : "1"; }

    /// The pooled value of a cell, as `pooled`.
    std::string pooledText() const {
        if (m_d.combined) return "const float pooled = out[n][0][f];\n";
        const bool most = m_d.pool == Pool::maximum;
        std::string out =
            filled(R"(float pooled = @one@;
#pragma unroll
for (int part = 1; part < parts; ++part)
pooled = @more@;
)",
                   {{"one", called(m_d.before, "eachOutput", "out[n][0][f]")},
                    {"more", (most ? "fmaxf(pooled, " : "pooled + ") +
                                 called(m_d.before, "eachOutput", "out[n][part][f]") + (most ? ")" : "")}});
        return most ? out : out + "pooled *= 1.0f / parts;\n";
    }

    /// Loops over a thread's cells and, without a pool, their outputs; `inside` is done for each.
    std::string loops(const std::string& inside) const {
        std::string out = "#pragma unroll\nfor (int n = 0; n < column; ++n)";
        if (m_d.pool == Pool::none)
            for (std::size_t i = 0; i < m_letters.size(); ++i)
                out += fmt::format("\n#pragma unroll\nfor (int p{0} = 0; p{0} < cell{1}; ++p{0})", m_names[i],
                                   m_letters[i]);
        return out + " {\n" + inside + "}\n";
    }
    std::string partLine() const { return m_d.pool == Pool::none ? "const int part = " + partText(m_d) + ";\n" : ""; }

    /// The output's coordinates, and what lies beyond the border is left out.
    std::string coordinates() const {
        std::string out = "const int ";
        for (std::size_t i = 0; i < m_letters.size(); ++i) {
            const std::string cell = i == 0 ? m_names[0] + " + n" : m_names[i];
            const std::string nested = i == 0 ? "(" + cell + ")" : cell;
            out += i > 0 ? ", " : "";
            out += m_d.pool == Pool::none
                       ? fmt::format("of{0} = {1} * cell{0} + p{2}", m_letters[i], nested, m_names[i])
                       : fmt::format("of{} = {}", m_letters[i], cell);
        }
        return out + ";\nif (" + forAxes(m_d, fmt::format("of@A@ >= s.{}@A@", storedExtent(m_d)), " || ") +
               ") continue;\n";
    }
    std::string placeLine() const { return "const int place = " + placeOf(m_d, storedExtent(m_d), "of") + ";\n"; }

    /// A filter of the group, or none beyond the last.
    std::string filterLines() const {
        if (m_d.convolutionGroups > 1)
            return "const int each = s.groups / s.sections, own = g % each * group + f; // in its section\n"
                   "if (own >= s.filters) break;\n"
                   "const int filter = g / each * s.filters + own;\n";
        return "const int filter = g * group + f;\nif (filter >= s.filters) break;\n";
    }
    std::string forFilters(const std::string& inside) const {
        return "#pragma unroll\nfor (int f = 0; f < group; ++f) {\n" + filterLines() + inside + "}\n";
    }
    std::string filters() const { return m_d.convolutionGroups > 1 ? "s.filters * s.sections" : "s.filters"; }

    /// Where the values of an image's filter begin in what is stored.
    std::string firstLine(const std::string& filter) const {
        const std::string row =
            filter.empty() ? "int64_t(blockIdx.z)" : "(int64_t(blockIdx.z) * " + filters() + " + " + filter + ")";
        if (m_d.space == Space::line)
            return fmt::format("const int pieces = (s.cells{0} + column - 1) / column;\n"
                               "const int64_t first = ({1} * pieces + {2} / column) * {3};\n",
                               m_letters[0], row, m_names[0], lineExtent(m_d));
        return "const int64_t first = " + row + " * (" + m_volume + ");\n";
    }

    /// What is done with a value, whose coordinates are known.
    std::string sink(const std::string& value) const {
        switch (m_d.space) {
        case Space::kept: return placeLine() + "output[first + place] = " + value + ";\n";
        case Space::line: return combinedText(m_d.line, "along[" + linePart(m_d) + "]", value);
        case Space::moments:
            return fmt::format("const float v = {}{};\nsum += v;\nsquares = fmaf(v, v, squares);\n", value,
                               m_d.before.steps.empty() ? "" : " - pivot");
        default: return "sum += " + value + ";\n";
        }
    }
    std::string beforeSinks(const std::string& filter) const {
        switch (m_d.space) {
        case Space::kept: return firstLine(filter);
        case Space::line:
            return firstLine(filter) + "constexpr int lineParts = parts / cell" + m_letters[0] +
                   ";\nfloat along[lineParts];\n#pragma unroll\nfor (int part = 0; part < lineParts; ++part)\n"
                   "along[part] = " +
                   neutralText(m_d.line) + ";\n";
        case Space::moments:
            return std::string(m_d.before.steps.empty()
                                   ? ""
                                   : "const float pivot = finish(0.0f, filter, p); // near the mean: keeps squares "
                                     "small\n") +
                   "float sum = 0.0f, squares = 0.0f;\n";
        default: return "float sum = 0.0f;\n";
        }
    }
    std::string afterSinks() const {
        switch (m_d.space) {
        case Space::kept: return {};
        case Space::line: {
            std::string loop, coordinates;
            for (std::size_t i = 1; i < m_letters.size(); ++i) {
                loop += fmt::format("{}#pragma unroll\nfor (int p{} = 0; p{} < cell{}; ++p{})", i > 1 ? "\n" : "",
                                    m_names[i], m_names[i], m_letters[i], m_names[i]);
                coordinates += fmt::format("{}of{} = {} * cell{} + p{}", i > 1 ? ", " : "", m_letters[i], m_names[i],
                                           m_letters[i], m_names[i]);
            }
            const std::string inside = m_letters.size() == 3 ? "ofY < s.outY && ofX < s.outX" : "ofX < s.outX";
            return loop + " {\nconst int " + coordinates + ";\nif (" + inside + ") output[first + " + linePlace(m_d) +
                   "] = along[" + linePart(m_d) + "];\n}\n";
        }
        case Space::moments:
            return R"(#pragma unroll
            for (int step = 16; step > 0; step /= 2) {
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
                squares += __shfl_xor_sync(0xffffffffu, squares, step);
            }
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = make_float2(sum, squares);
)";
        default:
            return R"(#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = sum;
)";
        }
    }

    /// What is done with a group's outputs.
    std::string takeText() const {
        switch (m_t.across) {
        case Across::stream: {
            const std::string from = m_d.pool == Pool::none ? "out[n][part][f]" : "pooled";
            const std::string loop = m_d.pool == Pool::none
                                         ? "#pragma unroll\nfor (int n = 0; n < column; ++n)\n#pragma unroll\n"
                                           "for (int part = 0; part < parts; ++part)\n"
                                           "take(combined[n][part], out[n][part][f], filter, p);\n"
                                         : "#pragma unroll\nfor (int n = 0; n < column; ++n) {\n" + pooledText() +
                                               "take(combined[n][0], pooled, filter, p);\n}\n";
            return forFilters(loop);
        }
        case Across::rows: return forFilters(rowsText());
        case Across::registers: return registersText();
        case Across::none: break;
        }
        const Chain& chain = m_d.last();
        const std::string from = m_d.pool == Pool::none ? "out[n][part][f]" : "pooled";
        const bool element = chain.reads(Operand::Kind::element);
        const std::string value = called(chain, "finish", from, {false, "first + place"});
        std::string inside = m_d.pool == Pool::none ? partLine() : pooledText();
        // What reads a tensor by element has to wait until it is known whether it counts.
        if (!element) inside += "const float value = " + value + ";\n";
        inside += coordinates() + (element ? elementSink(value) : sink("value"));
        return forFilters(beforeSinks("filter") + loops(inside) + afterSinks());
    }
    std::string elementSink(const std::string& value) const {
        return placeLine() + "output[first + place] = " + value + ";\n";
    }

    std::string rowsText() const {
        if (m_d.pool == Pool::none)
            return "#pragma unroll\nfor (int n = 0; n < column; ++n)\n#pragma unroll\n"
                   "for (int part = 0; part < parts; ++part) {\n"
                   "const int row = (n * parts + part) * s.filters + filter;\n"
                   "rows[row * threads + threadIdx.x] = out[n][part][f];\n}\n";
        return "#pragma unroll\nfor (int n = 0; n < column; ++n) {\n" + pooledText() +
               "rows[(n * s.filters + filter) * threads + threadIdx.x] = pooled;\n}\n";
    }

    std::string registersText() const {
        const Chain& chain = m_d.before.combinesFilters() ? m_d.before : m_d.last();
        const bool one = chain.steps.back().each == Each::one;
        std::string values = partLine() + "float values[group];\n#pragma unroll\nfor (int f = 0; f < group; ++f)";
        values += m_d.pool == Pool::none ? "\nvalues[f] = out[n][part][f];\n"
                                         : " {\n" + pooledText() + "values[f] = pooled;\n}\n";
        values += std::string(one ? "const float value = " : "") + "across(values, s.filters, p);\n" + coordinates();
        if (one) return beforeSinks("") + loops(values + sink("value")) + afterSinks();
        const std::string each = "#pragma unroll\nfor (int f = 0; f < group; ++f)\n";
        if (m_d.space == Space::kept)
            return "const int volume = " + m_volume +
                   ";\nfloat* to = output + int64_t(blockIdx.z) * s.filters * volume;\n" +
                   loops(values + placeLine() + each + "if (f < s.filters) to[f * volume + place] = values[f];\n");
        return "float sums[group] = {};\n" + loops(values + each + "sums[f] += values[f];\n") +
               "#pragma unroll\nfor (int f = 0; f < group; ++f) {\nfloat sum = sums[f];\n" + afterSinks() + "}\n";
    }

    std::string afterText() const {
        if (m_t.across == Across::stream) return streamFinish();
        if (m_t.across == Across::rows) return rowsFinish();
        return {};
    }
    std::string others() const { return m_d.others ? "s.others, " : ""; }

    std::string streamFinish() const {
        const Chain& chain = m_d.before.combinesFilters() ? m_d.before : m_d.last();
        std::string inside = partLine();
        inside += fmt::format("Combined& all = combined[n][{}];\n", m_d.pool == Pool::none ? "part" : "0");
        inside += coordinates();
        if (const std::optional<LogSum> log = logSumOf(chain)) {
            const std::string sum = "all." + variable(chain.steps[log->result].name);
            const std::string taps = m_t.constantWeights ? "weights" : "reinterpret_cast<const float*>(packed)";
            inside += fmt::format("const bool isSafe = {0} > 1e-30f && {0} < 1e30f;\n"
                                  "{0} = isSafe ? logf({0}) : carefulLogSum(image, {1}, {2}, p, s);\n",
                                  sum, taps, forAxes(m_d, "of@A@", ", "));
        }
        inside += sink("finish(all, s.filters, " + others() + "p)");
        return beforeSinks("") + loops(inside) + afterSinks();
    }

    /// What is done with the rows of a thread's column.
    std::string rowsFinish() const {
        const bool pooled = m_d.pool != Pool::none;
        std::string coordinates, rest = "part";
        for (std::size_t i = m_letters.size(); i-- > 0;) {
            const std::string cell = i == 0 ? "(" + m_names[0] + " + n)" : m_names[i];
            const std::string one = pooled ? fmt::format("of{} = {}", m_letters[i], i == 0 ? m_names[0] + " + n" : cell)
                                           : fmt::format("of{0} = {1} * cell{0} + {2}{3}", m_letters[i], cell, rest,
                                                         i > 0 ? fmt::format(" % cell{}", m_letters[i]) : "");
            coordinates = one + (coordinates.empty() ? "" : ", ") + coordinates;
            rest += fmt::format(" / cell{}", m_letters[i]);
        }
        const std::string results = m_d.result == Description::Result::perFilter  ? " * s.filters"
                                    : m_d.result == Description::Result::perOther ? " * s.others"
                                                                                  : "";
        return filled(R"(const int volume = @volume@;
for (int n = 0; n < column; ++n)@loop@ {
const int @coordinates@;
if (@beyond@) continue;
@place@float* to = output + int64_t(blockIdx.z)@results@ * volume + place;
float* of = rows + @row@ * s.filters * threads + threadIdx.x;
finish(of, threads, to, volume, s.filters, @others@p);
}
)",
                      {{"loop", pooled ? "" : "\nfor (int part = 0; part < parts; ++part)"},
                       {"coordinates", coordinates},
                       {"beyond", forAxes(m_d, fmt::format("of@A@ >= s.{}@A@", storedExtent(m_d)), " || ")},
                       {"place", placeLine()},
                       {"volume", m_volume},
                       {"results", results},
                       {"row", pooled ? "n" : "(n * parts + part)"},
                       {"others", others()}});
    }

    std::string blockSumsText() const {
        if (m_d.space == Space::kept || m_d.space == Space::line) return {};
        const bool moments = m_d.space == Space::moments;
        return filled(R"(        __syncthreads();
        if (threadIdx.x < group) {
            @type@ sum = @zero@;
            for (int w = 0; w < threads / 32; ++w)@add@
            const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            output[(block * s.groups + g) * group + threadIdx.x] = sum;
        }
        __syncthreads(); // the sums of warps have been read
)",
                      {{"type", moments ? "float2" : "float"},
                       {"zero", moments ? "make_float2(0.0f, 0.0f)" : "0.0f"},
                       {"add", moments ? " {\nsum.x += ofWarps[w][threadIdx.x].x;\nsum.y += "
                                         "ofWarps[w][threadIdx.x].y;\n}"
                                       : "\nsum += ofWarps[w][threadIdx.x];"}});
    }

    const Description& m_d;
    const Tiles& m_t;
    std::vector<std::string> m_letters, m_names;
    std::string m_volume; ///< of what is stored of a filter
};

} // namespace

std::string kernelText(const Description& d, const Tiles& tiles) {
    return d.repeats() > 1 ? windowsKernelText(d, tiles) : CellsWriter(d, tiles).run();
}

} // namespace kernelarium::kernelgen::convolution
