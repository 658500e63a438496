// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Text.h"

#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/convolution/Scalars.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

constexpr std::int64_t rowBytes = 32 * 1024;    // of a block's values of all filters
constexpr std::int64_t sharedBytes = 16 * 1024; // of a block's weights

/// An argument of the call in the host function's list, and what is checked of it.
struct HostArgument {
    std::string declaration, check;
};
Result<HostArgument> hostArgument(const std::string& name, const task::Argument& a, const task::Card& card) {
    const std::string id = identifier(name);
    if (const auto* ref = std::get_if<task::CardTensorRef>(&a.kind))
        return HostArgument{"torch::Tensor " + identifier(card.tensors.at(ref->index).name), {}};
    if (const auto* size = std::get_if<task::SizeExpression>(&a.kind)) {
        if (!size->isNumber()) return HostArgument{"int64_t " + id, {}};
        return HostArgument{"int64_t " + id, fmt::format("{} == {}", id, size->text())};
    }
    if (const auto* number = std::get_if<double>(&a.kind))
        return HostArgument{"double " + id, fmt::format("{} == {:.17g}", id, *number)};
    if (const auto* flag = std::get_if<bool>(&a.kind))
        return HostArgument{"bool " + id, fmt::format("{}{}", *flag ? "" : "!", id)};
    if (const auto* text = std::get_if<std::string>(&a.kind))
        return HostArgument{"std::string " + id, fmt::format("{} == \"{}\"", id, *text)};
    if (const auto* list = std::get_if<task::ArgumentList>(&a.kind)) {
        std::string values;
        for (const task::Argument& item : *list) {
            const auto* size = std::get_if<task::SizeExpression>(&item.kind);
            if (!size || !size->isNumber())
                return Error{"unsupported", fmt::format("The argument {} has no form in a kernel file yet.", name)};
            values += (values.empty() ? "" : ", ") + size->text();
        }
        return HostArgument{"std::vector<int64_t> " + id,
                            fmt::format("({} == std::vector<int64_t>{{{}}})", id, values)};
    }
    return Error{"unsupported", fmt::format("The argument {} has no form in a kernel file yet.", name)};
}

std::string headerText(const Description& d, const task::Card& card) {
    std::string idea = d.axes[0].transposed
                           ? "A transposed convolution divides its outputs into cells that read the same inputs. "
                           : "Outputs side by side share their inputs. ";
    idea +=
        "A thread makes a column of cells for a group of filters, all in registers: a weight is read once for the column, an "
        "input once for the group. What follows the convolution happens before anything is stored.";
    std::string rewrites;
    for (const std::string& r : d.rewrites)
        rewrites += (rewrites.empty() ? "" : "; ") + r;
    const auto wrapped = [](std::string_view label, std::string_view text) {
        std::string out = fmt::format("// {:<9}", label), line;
        std::size_t used = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            if (used + (end - at) > 100) out += "\n//          ", used = 0;
            if (used > 0) out += ' ';
            out += text.substr(at, end - at);
            used += end - at + 1;
            at = end + 1;
        }
        return out + "\n";
    };
    std::string out = fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Task:    {} {}\n// Name:    tiles\n// Parent:  none\n",
        card.key(), card.name);
    out += wrapped("Idea:", idea);
    if (!rewrites.empty()) out += wrapped("Rewrites:", rewrites);
    return out + "#include <torch/extension.h>\n\n";
}

} // namespace

Tiles tilesFor(const Description& d) {
    Tiles t;
    const std::int64_t parts = d.combined ? 1 : d.cellOutputs();
    t.group = parts >= 8 ? 4 : parts >= 2 ? 8 : 16;
    while (t.group > 4 && t.group / 2 >= d.filters)
        t.group /= 2;
    t.column = parts >= 8 ? 3 : parts >= 4 ? 2 : 3;
    t.blocksPerSm = parts >= 8 ? 3 : 4;
    if (d.last().combinesFilters()) { // a thread's values for all filters stay in shared memory
        const std::int64_t kept = d.pool == Pool::none ? parts : 1;
        const auto bytes = [&] {
            return 4 * t.column * kept * d.filters * t.threads + (t.constantWeights ? 0 : sharedBytes);
        };
        while (bytes() > rowBytes && t.column > 1)
            --t.column;
        while (bytes() > rowBytes && t.threads > 32)
            t.threads /= 2;
    }
    const std::int64_t filters = (d.filters + t.group - 1) / t.group * t.group;
    t.constantWeights = filters * d.channels * windowOf(d) <= mostConstantWeights;
    t.channelsAtATime = int(std::clamp<std::int64_t>(sharedBytes / (windowOf(d) * t.group * 4), 1, d.channels));
    return t;
}

/// The tensors that are made.
static std::string resultsText(const Description& d, const std::string& x) {
    const std::string filters = d.result == Description::Result::perFilter   ? "s.filters"
                                : d.result == Description::Result::axisOfOne ? "1"
                                                                             : "";
    std::string extents = "s.batch" + (filters.empty() ? "" : ", " + filters);
    if (d.space == Space::kept) {
        extents += ", " + forAxes(d, d.pool == Pool::none ? "s.out@A@" : "s.cells@A@", ", ");
        return fmt::format("    auto output = torch::empty({{{}}}, {}.options());\n", extents, x);
    }
    for (int i = filters.empty() ? 1 : 2; i < d.summaryRank; ++i)
        extents += ", 1";
    return fmt::format("    const int blocks = int(grid.x * grid.y); // of an image\n"
                       "    auto sums = torch::empty({{s.batch, blocks, s.groups * group}}, {0}.options());\n"
                       "    auto output = torch::empty({{{1}}}, {0}.options());\n",
                       x, extents);
}

static std::string parametersText(const Description& d) {
    std::string list;
    for (const std::string& p : d.parameters)
        list += (list.empty() ? "" : ", ") + identifier(p) + ".data_ptr<float>()";
    return list;
}

static std::string summaryLaunchText(const Description& d) {
    if (d.space == Space::kept) return {};
    return fmt::format(
        "{}    summary<<<s.batch, summaryThreads{}>>>(sums.data_ptr<float>(), output.data_ptr<float>(), blocks, "
        "Parameters{{{}}}, s);\n",
        d.summary.combinesFilters() ? "    TORCH_CHECK(s.filters <= 12288, \"too many filters for shared memory\");\n"
                                    : "",
        d.summary.combinesFilters() ? ", s.filters * sizeof(float)" : "", parametersText(d));
}

Result<std::string> forwardText(const Description& d, const Tiles& tiles, const task::Card& card) {
    std::string arguments, checks;
    for (const auto& [name, a] : card.call) {
        const Result<HostArgument> argument = hostArgument(name, a, card);
        if (!argument) return argument.error();
        arguments += (arguments.empty() ? "" : ", ") + argument->declaration;
        if (!argument->check.empty()) checks += (checks.empty() ? "" : " && ") + argument->check;
    }
    const std::string x = identifier(d.input), w = identifier(d.weight);
    std::vector<std::string> used{x, w};
    for (const std::string& p : d.parameters)
        used.push_back(identifier(p));
    const bool three = d.axes.size() == 3;
    const std::size_t rank = d.axes.size() + 2;
    std::string out = "torch::Tensor forward(" + arguments + ") {\n";
    out += fmt::format(
        "    for (const auto& t : {{{}}})\n        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "
        "\"all tensors must be float32 on a CUDA device\");\n",
        fmt::join(used, ", "));
    if (!checks.empty()) out += "    TORCH_CHECK(" + checks + ", \"this file is made for other arguments\");\n";
    std::string kernels;
    const std::vector<std::string> letters = axisLetters(d);
    for (std::size_t i = 0; i < letters.size(); ++i)
        kernels += fmt::format(" && {}.size({}) == kernel{}", w, i + 2, letters[i]);
    out += fmt::format(
        "    TORCH_CHECK({0}.dim() == {1} && {2}.dim() == {1} && {0}.size(1) == {2}.size({3}){4}, \"these are not the "
        "convolution's shapes\");\n",
        x, rank, w, d.axes[0].transposed ? 0 : 1, kernels);
    for (const std::string& u : used)
        out += fmt::format("    {0} = {0}.contiguous();\n", u);
    out += fmt::format(
        "    Shape s;\n    s.batch = {0}.size(0);\n    s.channels = {0}.size(1);\n    s.filters = {1}.size({2});\n"
        "    s.groups = (s.filters + group - 1) / group;\n",
        x, w, d.axes[0].transposed ? 1 : 0);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        const std::string in = "s.in" + letters[i];
        const std::int64_t rest = -2 * a.shift - a.step * (a.kernel - 1);
        out += fmt::format("    {} = {}.size({});\n", in, x, i + 2);
        out += a.transposed
                   ? fmt::format("    s.out{} = ({} - 1) * {} + {};\n", letters[i], in, a.divisor, rest + 1 + a.extra)
                   : fmt::format("    s.out{} = ({} + {}) / {} + 1;\n", letters[i], in, rest - 1, a.scale);
        out += d.pool == Pool::none ? fmt::format("    s.cells{0} = (s.out{0} + cell{0} - 1) / cell{0};\n", letters[i])
                                    : fmt::format("    s.cells{0} = s.out{0} / cell{0};\n", letters[i]);
    }
    out += "    TORCH_CHECK(s.batch > 0 && " + forAxes(d, "s.cells@A@ > 0", " && ") + ", \"the output is empty\");\n";
    const std::string packing =
        tiles.constantWeights ? R"text(    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(@w@.data_ptr<float>(), static_cast<float*>(to), s);
)text"
                              : R"text(    auto packed = torch::empty({count}, @x@.options());
    pack<<<(count + 127) / 128, 128>>>(@w@.data_ptr<float>(), packed.data_ptr<float>(), s);
)text";
    out += filled(
        R"text(    const int count = s.groups * s.channels * window * group;
@packing@    const int places = s.cellsX * @down@; // of a thread each
    const dim3 grid((places + threads - 1) / threads, @deep@, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
@results@@shared@    cells<<<grid, threads@bytes@>>>(@x@.data_ptr<float>(), @argument@@target@.data_ptr<float>(), Parameters{@parameters@}, s);
@summary@    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "@name@ (tiles)");
}
)text",
        {{"packing", filled(packing, {{"x", x}, {"w", w}})},
         {"argument", tiles.constantWeights ? "" : "reinterpret_cast<const float4*>(packed.data_ptr<float>()), "},
         {"x", x},
         {"results", resultsText(d, x)},
         {"target", d.space == Space::kept ? "output" : "sums"},
         {"summary", summaryLaunchText(d)},
         {"bytes", d.last().combinesFilters() ? ", rowBytes" : ""},
         {"shared", !d.last().combinesFilters()
                        ? std::string()
                        : fmt::format("    const size_t rowBytes = sizeof(float) * column * {}s.filters * threads;\n"
                                      "    TORCH_CHECK(rowBytes <= {}, \"too many filters for shared memory\");\n",
                                      d.pool == Pool::none ? "parts * " : "", tiles.constantWeights ? 49152 : 32768)},
         {"down", three ? "s.cellsY" : "((s.cellsY + column - 1) / column)"},
         {"deep", three ? "(s.cellsZ + column - 1) / column" : "1"},
         {"parameters", parametersText(d)},
         {"name", card.name}});
    return out;
}

Result<std::string> kernelText(const Description& d, const Tiles& tiles, const task::Card& card) {
    if (d.last().combinesFilters() &&
        4 * tiles.column * (d.pool == Pool::none ? d.cellOutputs() : 1) * d.filters * tiles.threads > 49152)
        return Error{"unsupported",
                     fmt::format("The values of {} filters do not fit into shared memory together.", d.filters)};
    Result<std::string> forward = forwardText(d, tiles, card);
    if (!forward) return forward.error();
    return headerText(d, card) + constantsText(d, tiles) + shapeText(d) + packText(d, tiles) + convolveText(d, tiles) +
           chainsText(d) + kernelText(d, tiles) + summaryText(d) + *forward;
}

} // namespace kernelarium::kernelgen::convolution
