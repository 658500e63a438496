// SPDX-License-Identifier: GPL-3.0-or-later
// What runs on the host: arguments, extents, launches.
#include "core/kernelgen/convolution/Host.h"

#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/file/Arguments.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string results(const Description& d) {
    switch (d.result) {
    case Description::Result::perFilter: return d.convolutionGroups > 1 ? "s.filters * s.sections" : "s.filters";
    case Description::Result::perOther: return "s.others";
    case Description::Result::axisOfOne: return "1";
    case Description::Result::noAxis: break;
    }
    return {};
}

/// Extents of the output's places, in the order of its axes.
std::string placeExtents(const Description& d) {
    if (d.late.pool != Pool::none) return forAxes(d, "s.out@A@ / pool@A@", ", ");
    if (d.isLine) return "s.outX";
    return forAxes(d, fmt::format("s.{}@A@", storedExtent(d)), ", ");
}

/// The tensors that are made.
std::string resultsText(const Description& d, const std::string& x) {
    const std::string filters = results(d);
    std::string extents = "s.batch" + (filters.empty() ? "" : ", " + filters);
    if (d.space == Space::kept) {
        std::string out =
            fmt::format("    auto output = torch::empty({{{}, {}}}, {}.options());\n", extents, placeExtents(d), x);
        if (d.late.kind == Late::Kind::filters || d.late.kind == Late::Kind::lastAxis)
            out += fmt::format("    auto stored = torch::empty({{s.batch, s.filters, {}}}, {}.options());\n",
                               forAxes(d, fmt::format("s.{}@A@", storedExtent(d)), ", "), x);
        return out;
    }
    if (d.space == Space::line) {
        const bool one = d.before.combinesFilters() && d.before.steps.back().each == Each::one;
        const std::vector<std::string> letters = axisLetters(d);
        const bool kept = d.summaryRank == int(letters.size()) + (filters.empty() ? 1 : 2);
        std::string rest = kept ? "1" : "";
        for (std::size_t i = 1; i < letters.size(); ++i)
            rest += (rest.empty() ? "s.out" : ", s.out") + letters[i];
        return filled(R"(    const int pieces = (s.cells@S@ + column - 1) / column, volume = @volume@;
    auto sums = torch::empty({s.batch, @rows@, pieces, volume}, @x@.options());
    auto output = torch::empty({@extents@, @rest@}, @x@.options());
)",
                      {{"S", letters[0]},
                       {"volume", letters.size() == 2 ? "s.outX" : "s.outY * s.outX"},
                       {"rows", one ? "1" : "s.filters"},
                       {"x", x},
                       {"extents", extents},
                       {"rest", rest}});
    }
    std::string out =
        fmt::format("    const int blocks = int(grid.x * grid.y); // of an image\n"
                    "    auto sums = torch::empty({{s.batch, blocks, s.groups * group}}, {}.options());\n",
                    x);
    if (d.overImages)
        return out + fmt::format("    auto ofImages = torch::empty({{s.batch}}, {0}.options());\n"
                                 "    auto output = torch::empty({{}}, {0}.options());\n",
                                 x);
    for (int i = filters.empty() ? 1 : 2; i < d.summaryRank; ++i)
        extents += ", 1";
    return out + fmt::format("    auto output = torch::empty({{{}}}, {}.options());\n", extents, x);
}

std::string parametersText(const Description& d) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const std::string& p : d.parameters)
        members.emplace_back(variable(p), variable(p) + ".data_ptr<float>()");
    if (d.norm) members.emplace_back("norms", "reinterpret_cast<const float2*>(norms.data_ptr<float>())");
    std::string list, lines = "    Parameters p;\n";
    for (const auto& [name, value] : members) {
        list += (list.empty() ? "" : ", ") + value;
        lines += fmt::format("    p.{} = {};\n", name, value);
    }
    constexpr std::size_t longList = 90;
    return list.size() > longList ? lines : "    const Parameters p{" + list + "};\n";
}

std::string summaryLaunchText(const Description& d) {
    if (d.space == Space::kept) return {};
    if (d.space == Space::line)
        return "    const dim3 all((volume + summaryThreads - 1) / summaryThreads, s.batch);\n"
               "    summary<<<all, summaryThreads>>>(sums.data_ptr<float>(), output.data_ptr<float>(), p, s);\n";
    const bool together = d.summary.combinesFilters() || d.result == Description::Result::perOther;
    std::string out;
    if (together) out = "    TORCH_CHECK(s.filters <= 12288, \"too many filters for shared memory\");\n";
    const std::string target = d.overImages ? "ofImages" : "output";
    out += fmt::format("    const float* from = sums.data_ptr<float>();\n    float* to = {}.data_ptr<float>();\n"
                       "    summary<<<s.batch, summaryThreads{}>>>(from, to, blocks, p, s);\n",
                       target, together ? ", s.filters * sizeof(float)" : "");
    if (d.overImages) out += "    total<<<1, 32>>>(to, output.data_ptr<float>(), s.batch);\n";
    return out;
}

std::string lateLaunchText(const Description& d, const std::string& x) {
    const std::string volume = forAxes(d, fmt::format("s.{}@A@", storedExtent(d)), " * ");
    switch (d.late.kind) {
    case Late::Kind::none: return {};
    case Late::Kind::filters:
        return "    const dim3 all((" + volume +
               " + lateThreads - 1) / lateThreads, s.batch);\n"
               "    later<<<all, lateThreads>>>(stored.data_ptr<float>(), output.data_ptr<float>(), p, s);\n";
    case Late::Kind::lastAxis: {
        const bool pooled = d.late.pool != Pool::none;
        std::string rows = "int64_t(s.batch) * s.filters";
        const std::vector<std::string> letters = axisLetters(d);
        for (std::size_t i = 0; i + 1 < letters.size(); ++i)
            rows += pooled ? fmt::format(" * (s.out{0} / pool{0})", letters[i]) : " * s.out" + letters[i];
        return "    const int64_t rows = " + rows +
               ";\n    const int64_t each = lateThreads / 32; // rows of a block\n"
               "    const float* from = stored.data_ptr<float>();\n"
               "    later<<<(rows + each - 1) / each, lateThreads>>>(from, output.data_ptr<float>(), p, s);\n";
    }
    case Late::Kind::norm: break;
    }
    const Norm& norm = *d.lateNorm;
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    const std::string check =
        grouped ? fmt::format("    TORCH_CHECK(s.filters % {} == 0, \"the norm's groups must divide the filters\");\n",
                              norm.groups)
                : "";
    return filled(R"(@check@    const int volume = @volume@, rows = s.batch * s.filters, ofNorms = @count@;
    TORCH_CHECK(rows <= 65535, "too many images and filters for one grid");
    auto ofRows = torch::empty({2, rows, 2}, @x@.options()); // moments, then means and scales
    float2* of = reinterpret_cast<float2*>(ofRows.data_ptr<float>());
    moments<<<rows, lateThreads>>>(output.data_ptr<float>(), of, volume);
    join<<<(ofNorms + 127) / 128, 128>>>(of, of + rows, volume, s);
    const dim3 all((volume + lateThreads - 1) / lateThreads, rows);
    normalise<<<all, lateThreads>>>(output.data_ptr<float>(), @of@of + rows, volume, p, s);
)",
                  {{"check", check},
                   {"volume", volume},
                   {"count", images    ? "s.filters"
                             : grouped ? fmt::format("s.batch * {}", norm.groups)
                                       : "rows"},
                   {"x", x},
                   {"of", d.late.chain.reads(Operand::Kind::average) ? "of, " : ""}});
}

/// Extents, packed weights and the grid, as s, weights or packed, and grid.
std::string shapeAndPacking(const Description& d, const Tiles& tiles) {
    const std::string x = variable(d.input), w = variable(d.weight);
    const bool three = d.axes.size() == 3, transposed = d.axes[0].transposed, sections = d.convolutionGroups > 1;
    const std::vector<std::string> letters = axisLetters(d);
    std::string out = fmt::format("    Shape s;\n    s.batch = {}.size(0);\n", x);
    if (sections) {
        out += transposed ? fmt::format("    s.sections = {};\n", d.convolutionGroups)
                          : fmt::format("    s.sections = {}.size(1) / {}.size(1);\n", x, w);
        out += fmt::format("    s.channels = {}.size(1) / s.sections;\n", x);
        out += transposed ? fmt::format("    s.filters = {}.size(1); // of a section\n", w)
                          : fmt::format("    s.filters = {}.size(0) / s.sections;\n", w);
        out += "    s.groups = (s.filters + group - 1) / group * s.sections;\n";
    } else {
        out += fmt::format("    s.channels = {}.size(1);\n    s.filters = {}.size({});\n"
                           "    s.groups = (s.filters + group - 1) / group;\n",
                           x, w, transposed ? 1 : 0);
    }
    if (d.others) out += fmt::format("    s.others = {}.numel();\n", variable(d.parameters[*d.others]));
    if (tiles.across == Across::registers)
        out += "    TORCH_CHECK(s.filters <= group, \"more filters than this file keeps in registers\");\n";
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        const std::string& A = letters[i];
        if (d.isLine && i == 0) {
            out += "    s.inY = s.outY = s.cellsY = 1;\n";
            continue;
        }
        const std::string in = "s.in" + A;
        const std::int64_t rest = -2 * a.shift - a.step * (a.kernel - 1);
        out += fmt::format("    {} = {}.size({});\n", in, x, d.isLine ? 2 : i + 2);
        if (a.transposed)
            out += fmt::format("    s.out{} = {};\n", A,
                               linearText({{a.divisor, "(" + in + " - 1)"}}, rest + 1 + a.extra));
        else
            out += a.scale == 1
                       ? fmt::format("    s.out{} = {};\n", A, linearText({{1, in}}, rest))
                       : fmt::format("    s.out{} = ({}) / {} + 1;\n", A, linearText({{1, in}}, rest - 1), a.scale);
        if (d.repeats() > 1)
            out += fmt::format("    s.cells{0} = s.out{0} / cell{0};\n    s.windows{0} = s.cells{0} / repeat{0};\n", A);
        else
            out += d.pool == Pool::none ? fmt::format("    s.cells{0} = (s.out{0} + cell{0} - 1) / cell{0};\n", A)
                                        : fmt::format("    s.cells{0} = s.out{0} / cell{0};\n", A);
    }
    const std::string stored = d.repeats() > 1 ? "windows" : "cells";
    out += "    TORCH_CHECK(s.batch > 0 && " + forAxes(d, "s." + stored + "@A@ > 0", " && ") +
           ", \"the output is empty\");\n";
    const std::string packing =
        tiles.constantWeights ? R"text(    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* constant = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&constant, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(@w@.data_ptr<float>(), static_cast<float*>(constant), s);
)text"
                              : R"text(    auto packed = torch::empty({count}, @x@.options());
    pack<<<(count + 127) / 128, 128>>>(@w@.data_ptr<float>(), packed.data_ptr<float>(), s);
)text";
    out += "    const int count = s.groups * s.channels * window * group;\n" + filled(packing, {{"x", x}, {"w", w}});
    if (d.repeats() > 1)
        out += "    const dim3 grid((s.windowsY * s.windowsX + windows - 1) / windows, " +
               std::string(three ? "s.windowsZ" : "1") + ", s.batch);\n";
    else
        out += filled("    const int places = s.cellsX * @down@; // of a thread each\n"
                      "    const dim3 grid((places + threads - 1) / threads, @deep@, s.batch);\n",
                      {{"down", three ? "s.cellsY" : "((s.cellsY + column - 1) / column)"},
                       {"deep", three ? "(s.cellsZ + column - 1) / column" : "1"}});
    return out + "    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, \"too many images or cells for one grid\");\n";
}

std::string weightsArgument(const Tiles& tiles) {
    return tiles.constantWeights ? "" : "reinterpret_cast<const float4*>(packed.data_ptr<float>()), ";
}

} // namespace

std::string normHostText(const Description& d, const Norm& norm, const Tiles& tiles) {
    const std::string x = variable(d.input);
    std::string arguments = "torch::Tensor " + x + ", torch::Tensor " + variable(d.weight);
    for (const std::string& p : d.parameters)
        arguments += ", torch::Tensor " + variable(p);
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    return "/// Mean and scale of the norm, [image, filter, 2].\ntorch::Tensor norms(" + arguments + ") {\n" +
           shapeAndPacking(d, tiles) + parametersText(d) +
           filled(
               R"text(@check@    const int blocks = int(grid.x * grid.y); // of an image
    auto ofBlocks = torch::empty({s.batch, blocks, s.groups * group, 2}, @x@.options());
    auto norms = torch::empty({s.batch, s.filters, 2}, @x@.options());
    float2* sums = reinterpret_cast<float2*>(ofBlocks.data_ptr<float>());
    cells<<<grid, threads>>>(@x@.data_ptr<float>(), @argument@sums, p, s);
    means<<<@units@, normThreads>>>(sums, reinterpret_cast<float2*>(norms.data_ptr<float>()), blocks, @p@s);
    return norms;
}

)text",
               {{"x", x},
                {"p", d.before.steps.empty() ? "" : "p, "},
                {"check",
                 grouped ? fmt::format(
                               "    TORCH_CHECK(s.filters % {} == 0, \"the norm's groups must divide the filters\");\n",
                               norm.groups)
                         : ""},
                {"argument", weightsArgument(tiles)},
                {"units", images    ? "s.filters"
                          : grouped ? fmt::format("dim3({}, s.batch)", norm.groups)
                                    : "dim3(s.filters, s.batch)"}});
}

Result<std::string> forwardText(const Description& d, const Tiles& tiles, const task::Card& card) {
    Names names;
    const Arguments arguments = argumentsOf(card, names);
    const std::string x = variable(d.input), w = variable(d.weight);
    std::vector<std::string> used{x, w};
    for (const std::string& p : d.parameters)
        used.push_back(variable(p));
    std::string declared, taken; // tensors that are reached otherwise
    for (const std::string& parameter : arguments.parameters)
        declared += (declared.empty() ? "" : ", ") + parameter;
    for (const auto& [index, argument] : arguments.tensors) {
        const std::string name = variable(card.tensors.at(index).name);
        if (std::ranges::find(used, name) != used.end() && argument.access != name)
            taken += fmt::format("    torch::Tensor {} = {};\n", name, argument.access);
    }
    std::string checks;
    for (const std::string& check : arguments.checks)
        checks += (checks.empty() ? "" : " && ") + check;
    const std::size_t rank = d.isLine ? 3 : d.axes.size() + 2;
    std::string out = "torch::Tensor forward(" + declared + ") {\n" + taken;
    constexpr std::size_t inOneLine = 5;
    for (std::size_t i = 0; i < used.size(); i += inOneLine)
        out += fmt::format("    for (const auto& t : {{{}}})\n        TORCH_CHECK(t.is_cuda() && t.scalar_type() == "
                           "torch::kFloat32, \"all tensors must be float32 on a CUDA device\");\n",
                           fmt::join(used.begin() + std::ptrdiff_t(i),
                                     used.begin() + std::ptrdiff_t(std::min(used.size(), i + inOneLine)), ", "));
    if (!checks.empty()) out += "    TORCH_CHECK(" + checks + ", \"this file is made for other arguments\");\n";
    std::string kernels;
    const std::vector<std::string> letters = axisLetters(d);
    for (std::size_t i = d.isLine ? 1 : 0; i < letters.size(); ++i)
        kernels += fmt::format(" && {}.size({}) == kernel{}", w, d.isLine ? 2 : i + 2, letters[i]);
    const bool transposed = d.axes[0].transposed;
    const std::string channels =
        d.convolutionGroups == 1 ? fmt::format("{}.size(1) == {}.size({})", x, w, transposed ? 0 : 1)
        : transposed ? fmt::format("{0}.size(1) == {1}.size(0) && {0}.size(1) % {2} == 0", x, w, d.convolutionGroups)
                     : fmt::format("{0}.size(1) % {1}.size(1) == 0", x, w);
    out += fmt::format("    TORCH_CHECK({0}.dim() == {1} && {2}.dim() == {1} && {3}{4}, \"these are not the "
                       "convolution's shapes\");\n",
                       x, rank, w, channels, kernels);
    for (const auto& [name, size] : arguments.integers)
        if (!size.isNumber()) {
            if (name != "groups" || d.convolutionGroups == 1 || transposed)
                return Error{"unsupported", fmt::format("The argument {} has no form in a kernel file yet.", name)};
            out += fmt::format("    TORCH_CHECK({} == {}.size(1) / {}.size(1), \"these are not the convolution's "
                               "groups\");\n",
                               name, x, w);
        }
    for (const std::string& u : used)
        out += fmt::format("    {0} = {0}.contiguous();\n", u);
    if (d.norm) {
        out += fmt::format("    auto norms = statistics::norms({}", x + ", " + w);
        for (const std::string& p : d.parameters)
            out += ", " + variable(p);
        out += ");\n";
    }
    const bool stored = d.late.kind == Late::Kind::filters || d.late.kind == Late::Kind::lastAxis;
    const std::string kept = d.pool == Pool::none ? "parts * " : "";
    const bool rows = tiles.across == Across::rows;
    out += shapeAndPacking(d, tiles) + parametersText(d);
    out += filled(
        R"text(@results@@shared@    cells<<<grid, threads@bytes@>>>(@x@.data_ptr<float>(), @argument@@target@.data_ptr<float>(), p, s);
@summary@@late@    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "@name@ (columns)");
}
)text",
        {{"argument", weightsArgument(tiles)},
         {"x", x},
         {"results", resultsText(d, x)},
         {"target", stored                   ? "stored"
                    : d.space == Space::kept ? "output"
                                             : "sums"},
         {"summary", summaryLaunchText(d)},
         {"late", lateLaunchText(d, x)},
         {"bytes", rows ? ", rowBytes" : ""},
         {"shared", !rows ? std::string()
                          : fmt::format("    const size_t rowBytes = sizeof(float) * column * {}s.filters * threads;\n"
                                        "    TORCH_CHECK(rowBytes <= {}, \"too many filters for shared memory\");\n",
                                        kept, tiles.constantWeights ? 49152 : 32768)},
         {"name", card.name}});
    return out;
}

} // namespace kernelarium::kernelgen::convolution
