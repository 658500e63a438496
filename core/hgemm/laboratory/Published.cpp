// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/Published.h"

#include "core/hgemm/laboratory/BestTable.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace kernelarium::hgemm {

namespace {

/// Without comments: what they name is not what is done.
std::string withoutComments(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "//")
            while (i < text.size() && text[i] != '\n')
                ++i;
        else if (text.substr(i, 2) == "/*") {
            const std::size_t end = text.find("*/", i + 2);
            i = end == std::string_view::npos ? text.size() : end + 1;
            continue;
        }
        if (i < text.size()) out += text[i];
    }
    return out;
}

bool finds(const std::string& text, const char* pattern) {
    return std::regex_search(text, std::regex(pattern));
}

} // namespace

std::string_view name(Accumulator accumulator) {
    switch (accumulator) {
    case Accumulator::float32: return "float32";
    case Accumulator::float16: return "float16";
    case Accumulator::mixed: return "mixed";
    case Accumulator::unknown: return "unknown";
    }
    return {};
}

Accumulator accumulatorOf(std::string_view source) {
    const std::string text = withoutComments(source);
    const bool wide = finds(
        text,
        R"(_F32F16F16F32|_F32F16F16_|ElementAccumulator\s*=\s*float|accumulator\s*,[^>]*\bfloat\s*>|\.f32\.f16\.f16)");
    const bool narrow = finds(
        text,
        R"(_F16F16F16F16|_F16F16F16_|ElementAccumulator\s*=\s*(cutlass::)?half_t|accumulator\s*,[^>]*\b(__)?half\s*>|\.f16\.f16\.f16)");
    if (wide && narrow) return Accumulator::mixed;
    return wide ? Accumulator::float32 : narrow ? Accumulator::float16 : Accumulator::unknown;
}

Result<PublishedKernel> readPublished(const std::filesystem::path& path) {
    PublishedKernel kernel;
    kernel.path = path;
    const std::optional<Shape> shape = shapeOf(path.stem().string());
    if (!shape)
        return Error{"not_published", path.filename().string() + " is not named by a shape, as 64_128_1024.cu is.",
                     "Name a folder of such files."};
    kernel.shape = *shape;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    if (!in) return Error{"unreadable_file", "Cannot read " + path.string() + ".", "Name a file that exists."};
    kernel.source = std::move(all).str();
    static const std::regex entry(
        R"(void\s+(\w+)\s*\(\s*(?:torch|at)::Tensor\s*&?\s*\w+\s*,\s*(?:torch|at)::Tensor\s*&?\s*\w+\s*,\s*(?:torch|at)::Tensor\s*&?\s*\w+\s*,\s*(?:torch|at)::Tensor\s*&?\s*\w+\s*\)\s*\{)");
    const std::string plain = withoutComments(kernel.source);
    for (std::sregex_iterator found(plain.begin(), plain.end(), entry), end; found != end; ++found)
        kernel.function = (*found)[1]; // the last one: helpers stand before it
    if (kernel.function.empty())
        return Error{"not_published",
                     path.filename().string() + " has no function of four tensors (a, b, b_col_major, c).",
                     "Such files are verified with `kernelarium-cli verify`."};
    kernel.accumulator = accumulatorOf(kernel.source);
    return kernel;
}

Result<std::vector<std::filesystem::path>> publishedFiles(const std::filesystem::path& folder) {
    std::error_code problem;
    std::vector<std::pair<Shape, std::filesystem::path>> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
        if (entry.path().extension() == ".cu")
            if (const std::optional<Shape> shape = shapeOf(entry.path().stem().string()))
                found.emplace_back(*shape, entry.path());
    if (problem)
        return Error{"unreadable_file", "Cannot read the folder " + folder.string() + ".",
                     "Name the folder of the published kernels.", problem.message()};
    std::sort(found.begin(), found.end());
    std::vector<std::filesystem::path> files;
    for (auto& [shape, path] : found)
        files.push_back(std::move(path));
    return files;
}

std::string withModule(const PublishedKernel& kernel) {
    // b_col_major has b's extents, as the published benchmark hands it over, and its columns side by side.
    return fmt::format(R"({0}

torch::Tensor kernelarium_timed(torch::Tensor a, torch::Tensor b, torch::Tensor turned) {{
    turned = turned.reshape({{b.size(0), b.size(1)}});
    auto c = torch::empty({{a.size(0), b.size(1)}}, a.options());
    {1}(a, b, turned, c);
    return c;
}}
torch::Tensor kernelarium_forward(torch::Tensor a, torch::Tensor b) {{
    return kernelarium_timed(a, b, b.t().contiguous());
}}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{
    m.def("forward", &kernelarium_forward);
    m.def("timed", &kernelarium_timed);
}}
)",
                       kernel.source, kernel.function);
}

std::string publishedCard(const PublishedKernel& kernel, bool timed) {
    using nlohmann::json;
    const auto tensor = [](const char* what, const char* rows, const char* columns) {
        return json{{"name", what},
                    {"role", "input"},
                    {"dtype", "float16"},
                    {"shape", {rows, columns}},
                    {"fill", {"normal", 0.0, 1.0}}};
    };
    const json size = {{"M", kernel.shape.m}, {"N", kernel.shape.n}, {"K", kernel.shape.k}};
    json card = {{"format", 1},
                 {"level", 9},
                 {"task", 1},
                 {"name", "half-precision product"},
                 {"family", "matmul"},
                 {"summary", "Matrix product."},
                 {"notes", json::array()},
                 {"sizes", {{"full", size}, {"small", size}}},
                 // Relative to the output's root mean square: the largest of many rounding errors of float16.
                 {"tolerance", {{"strict", 0.004}, {"legacy", 0.01}}},
                 {"archived_rms", nullptr},
                 {"torch_flops", nullptr},
                 {"h200_eager_ms", nullptr},
                 {"tensors", json::array({tensor("A", "M", "K"), tensor("B", "K", "N")})},
                 {"output", "@product"}};
    card["graph"] = json::array({json::array({"product", "aten.matmul.default", json::array({"%0", "%1"})})});
    card["call"] = json::array({json::array({"A", "%0"}), json::array({"B", "%1"})});
    if (timed) {
        card["tensors"].push_back(tensor("turned", "N", "K"));
        card["call"].push_back(json::array({"turned", "%2"}));
    }
    return card.dump(1);
}

} // namespace kernelarium::hgemm
