// SPDX-License-Identifier: GPL-3.0-or-later
// What runs on the host: arguments, extents, launches.
#include "core/kernelgen/convolution/Pieces.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

/// An argument of the call in the host function's list, and what is checked of it.
struct HostArgument {
    std::string declaration, check;
};
Result<HostArgument> hostArgument(const std::string& name, const task::Argument& a, const task::Card& card) {
    const std::string id = identifier(name);
    if (std::get_if<std::monostate>(&a.kind)) return HostArgument{"py::object " + id, id + ".is_none()"};
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

/// The tensors that are made.
std::string resultsText(const Description& d, const std::string& x) {
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

std::string parametersText(const Description& d) {
    std::string list;
    for (const std::string& p : d.parameters)
        list += (list.empty() ? "" : ", ") + identifier(p) + ".data_ptr<float>()";
    if (d.norm)
        list += (list.empty() ? "" : ", ") + std::string("reinterpret_cast<const float2*>(norms.data_ptr<float>())");
    return list;
}

std::string summaryLaunchText(const Description& d) {
    if (d.space == Space::kept) return {};
    return fmt::format(
        "{}    summary<<<s.batch, summaryThreads{}>>>(sums.data_ptr<float>(), output.data_ptr<float>(), blocks, "
        "Parameters{{{}}}, s);\n",
        d.summary.combinesFilters() ? "    TORCH_CHECK(s.filters <= 12288, \"too many filters for shared memory\");\n"
                                    : "",
        d.summary.combinesFilters() ? ", s.filters * sizeof(float)" : "", parametersText(d));
}

/// Extents, packed weights and the grid, as s, weights or packed, and grid.
std::string shapeAndPacking(const Description& d, const Tiles& tiles) {
    const std::string x = identifier(d.input), w = identifier(d.weight);
    const bool three = d.axes.size() == 3;
    const std::vector<std::string> letters = axisLetters(d);
    std::string out;
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
    return out + filled(R"text(    const int count = s.groups * s.channels * window * group;
@packing@    const int places = s.cellsX * @down@; // of a thread each
    const dim3 grid((places + threads - 1) / threads, @deep@, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
)text",
                        {{"packing", filled(packing, {{"x", x}, {"w", w}})},
                         {"down", three ? "s.cellsY" : "((s.cellsY + column - 1) / column)"},
                         {"deep", three ? "(s.cellsZ + column - 1) / column" : "1"}});
}

} // namespace

Description statisticsOf(const Description& d) {
    Description out;
    out.axes = d.axes;
    for (Axis& a : out.axes)
        (void)a.divide(a.divisor); // every stride of a transposed convolution divides itself
    out.input = d.input;
    out.weight = d.weight;
    out.channels = d.channels;
    out.filters = d.filters;
    out.parameters = d.parameters;
    out.before = d.normed;
    out.space = Space::moments;
    out.norm = std::nullopt;
    return out;
}

std::string normText(const Description& d, const Norm& norm) {
    const bool pivots = !d.before.steps.empty();
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    return filled(
        R"text(constexpr int normThreads = 256;

/// Mean and scale, by image and filter, from the sums of blocks in their order: a block for each mean.
__global__ void __launch_bounds__(normThreads) means(const float2* sums, float2* norms, int blocks, @p@Shape s) {
    __shared__ double2 all[normThreads];
    const int perNorm = @perNorm@; // filters
    const int firstFilter = @firstFilter@, firstImage = @firstImage@, images = @images@;
    double2 sum = make_double2(0.0, 0.0);
    for (int i = threadIdx.x; i < images * blocks * perNorm; i += normThreads) {
        const int64_t block = int64_t(firstImage) * blocks + i / perNorm;
        const float2 part = sums[block * s.groups * group + firstFilter + i % perNorm];
        sum.x += part.x;
        sum.y += part.y@more@;
    }
    all[threadIdx.x] = sum;
    for (int half = normThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            all[threadIdx.x].x += all[threadIdx.x + half].x;
            all[threadIdx.x].y += all[threadIdx.x + half].y;
        }
    }
    __syncthreads();
    const double perFilter = double(images) * @places@, count = perFilter * perNorm;
    double first = all[0].x, second = all[0].y; // moments
@pivots@    const double mean = first / count, variance = fmax(second / count - mean * mean, 0.0);
    const float2 norm = make_float2(float(mean), float(1.0 / sqrt(variance + @epsilon@)));
    for (int i = threadIdx.x; i < images * perNorm; i += normThreads)
        norms[int64_t(firstImage + i / perNorm) * s.filters + firstFilter + i % perNorm] = norm;
}

)text",
        {{"p", pivots ? "Parameters p, " : ""},
         {"more", pivots ? " + 2.0 * finish(0.0f, firstFilter + i % perNorm, 0, p) * part.x" : ""},
         {"pivots", !pivots ? "" : R"text(    for (int filter = firstFilter; filter < firstFilter + perNorm; ++filter) {
        const double pivot = finish(0.0f, filter, 0, p); // what was taken from every value
        first += perFilter * pivot;
        second += perFilter * pivot * pivot;
    }
)text"},
         {"perNorm", grouped ? fmt::format("s.filters / {}", norm.groups) : "1"},
         {"firstFilter", grouped ? "blockIdx.x * perNorm" : "blockIdx.x"},
         {"firstImage", images ? "0" : "blockIdx.y"},
         {"images", images ? "s.batch" : "1"},
         {"places", forAxes(d, "s.out@A@", " * ")},
         {"epsilon", fmt::format("{:.9g}", norm.epsilon)}});
}

std::string normHostText(const Description& d, const Norm& norm, const Tiles& tiles) {
    const std::string x = identifier(d.input);
    std::string arguments = "torch::Tensor " + x + ", torch::Tensor " + identifier(d.weight);
    for (const std::string& p : d.parameters)
        arguments += ", torch::Tensor " + identifier(p);
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    return "/// Mean and scale of the norm, [image, filter, 2].\ntorch::Tensor norms(" + arguments + ") {\n" +
           shapeAndPacking(d, tiles) +
           filled(
               R"text(@check@    const int blocks = int(grid.x * grid.y); // of an image
    auto sums = torch::empty({s.batch, blocks, s.groups * group, 2}, @x@.options());
    auto norms = torch::empty({s.batch, s.filters, 2}, @x@.options());
    cells<<<grid, threads>>>(@x@.data_ptr<float>(), @argument@reinterpret_cast<float2*>(sums.data_ptr<float>()), Parameters{@parameters@}, s);
    means<<<@units@, normThreads>>>(reinterpret_cast<const float2*>(sums.data_ptr<float>()),
                                    reinterpret_cast<float2*>(norms.data_ptr<float>()), blocks, @p@s);
    return norms;
}

)text",
               {{"x", x},
                {"p", d.before.steps.empty() ? "" : "Parameters{" + parametersText(d) + "}, "},
                {"check",
                 grouped ? fmt::format(
                               "    TORCH_CHECK(s.filters % {} == 0, \"the norm's groups must divide the filters\");\n",
                               norm.groups)
                         : ""},
                {"argument",
                 tiles.constantWeights ? "" : "reinterpret_cast<const float4*>(packed.data_ptr<float>()), "},
                {"parameters", parametersText(d)},
                {"units", images    ? "s.filters"
                          : grouped ? fmt::format("dim3({}, s.batch)", norm.groups)
                                    : "dim3(s.filters, s.batch)"}});
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
    if (d.norm) {
        out += fmt::format("    auto norms = statistics::norms({}", x + ", " + w);
        for (const std::string& p : d.parameters)
            out += ", " + identifier(p);
        out += ");\n";
    }
    out += shapeAndPacking(d, tiles);
    out += filled(
        R"text(@results@@shared@    cells<<<grid, threads@bytes@>>>(@x@.data_ptr<float>(), @argument@@target@.data_ptr<float>(), Parameters{@parameters@}, s);
@summary@    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "@name@ (columns)");
}
)text",
        {{"argument", tiles.constantWeights ? "" : "reinterpret_cast<const float4*>(packed.data_ptr<float>()), "},
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
         {"parameters", parametersText(d)},
         {"name", card.name}});
    return out;
}

} // namespace kernelarium::kernelgen::convolution
