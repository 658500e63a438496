// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/ArchiveFixture.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <sstream>

namespace fs = std::filesystem;
using namespace kernelarium::archive;

fs::path ArchiveFixture::path(const std::string& name) const {
    return fs::path(m_folder.path().toStdString()) / name;
}

fs::path ArchiveFixture::write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
}

fs::path ArchiveFixture::writeRows(const std::string& name, const std::vector<nlohmann::json>& rows) const {
    std::string text;
    for (const auto& row : rows)
        text += row.dump() + "\n";
    return write(name, text);
}

nlohmann::json plainRow(const std::string& name, int level, int task) {
    return {{"Op_Name", "1_Add"},
            {"Level_ID", level},
            {"Task_ID", task},
            {"Kernel_Name", name},
            {"CUDA_Code", fmt::format("__global__ void {}(float* x) {{ x[threadIdx.x] += 1; }}\n", name)}};
}

std::vector<nlohmann::json> variedRows(int count) {
    std::mt19937 random(11);
    const auto below = [&](unsigned bound) { return random() % bound; };
    const std::vector<std::string> ops = {"Softmax", "Matmul", "conv_ReLU", "LayerNorm"};
    std::vector<nlohmann::json> rows;
    for (int i = 0; i < count; ++i) {
        auto row = plainRow(fmt::format("{}_{}", below(2) ? "Tiled" : "warp", i), 1 + int(below(3)), 1 + int(below(7)));
        row["Op_Name"] = ops[below(4)];
        std::string code = fmt::format("// Variant {}\n", i);
        for (unsigned line = 0; line < 5 + below(60); ++line)
            code += fmt::format("    acc{} = __fmaf_rn(a[{}], B_{}[{}], acc);\n", below(9), below(100), below(5),
                                below(50));
        row["CUDA_Code"] = code;
        const bool correct = below(3) != 0;
        if (below(10) != 0) row["Correct"] = correct;
        if (correct) row["CUDA_Runtime"] = double(below(40)) / 8; // a few values often: ties
        row["PyTorch_Native_Runtime"] = 1.0 + below(5);
        if (below(8) != 0) row["CUDA_Speedup_Native"] = double(below(32)) / 8;
        if (below(8) != 0) row["CUDA_Speedup_Compile"] = double(below(32)) / 8;
        if (!correct && below(2))
            row["Error"] = "base.cu(1): error: x is undefined\nninja: build stopped\n";
        else
            row["Max_Diff"] = double(below(1000)) / 64;
        if (below(2)) row["NCU_Profile"] = fmt::format("{{'metrics': {{'Ipc': {}}}}}", below(100));
        row["PyTorch_Code_Module"] = fmt::format("class Model: task = {}\n", row["Task_ID"].get<int>());
        row["__index_level_0__"] = i;
        rows.push_back(std::move(row));
    }
    return rows;
}

kernelarium::Result<ImportReport> importFiles(const fs::path& archive, const std::vector<fs::path>& inputs,
                                              const ImportOptions& options) {
    std::vector<JsonLinesSource> opened;
    for (const auto& input : inputs) {
        auto source = JsonLinesSource::open(input);
        if (!source) return source.error();
        opened.push_back(std::move(source).value());
    }
    std::vector<RowSource*> sources;
    for (auto& source : opened)
        sources.push_back(&source);
    return importRows(archive, sources, options);
}

std::filesystem::path madeArchive(const ArchiveFixture& fixture, int rows) {
    const auto report = importFiles(fixture.path("a.sqlite"), {fixture.writeRows("rows.jsonl", variedRows(rows))});
    return report.ok() ? fixture.path("a.sqlite") : std::filesystem::path();
}

std::string readAll(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

fs::path sampleFolder() {
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const fs::path folder = fs::path(named != nullptr ? named : KERNELARIUM_SHARED_DIR) / "archive_sample";
    return fs::exists(folder / "full_rows.jsonl") ? folder : fs::path();
}
