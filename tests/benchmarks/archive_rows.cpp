// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/archive_rows.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace kernelarium::benchmarks {
namespace {

using Json = nlohmann::json;

constexpr std::size_t codeTarget = 6100;
struct Level {
    int rows; ///< published
    int tasks;
};
constexpr std::array<Level, 3> levels = {{{12157, 100}, {12938, 100}, {5520, 50}}};

struct Sample {
    std::vector<std::vector<std::string>> kernels; ///< lines
    std::vector<std::string> modules;
    std::vector<std::string> profiles;
    std::vector<std::string> tidies;
    std::vector<std::string> errors;
};

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

Sample readSample(const std::filesystem::path& folder) {
    Sample sample;
    for (const char* name : {"full_rows.jsonl", "one_kernel_per_task.jsonl"}) {
        std::ifstream file(folder / name);
        for (std::string line; std::getline(file, line);) {
            const auto row = Json::parse(line);
            sample.kernels.push_back(linesOf(row["CUDA_Code"]));
            sample.modules.push_back(row["PyTorch_Code_Module"]);
            if (row["NCU_Profile"].is_string()) sample.profiles.push_back(row["NCU_Profile"]);
            if (row["Clang_Tidy"].is_string()) sample.tidies.push_back(row["Clang_Tidy"]);
            if (row["Error"].is_string()) sample.errors.push_back(row["Error"]);
        }
    }
    return sample;
}

Sample ownSample() {
    Sample sample;
    std::mt19937_64 random(7);
    for (int kernel = 0; kernel < 100; ++kernel) {
        std::vector<std::string> lines = {
            "#include <torch/extension.h>",
            fmt::format("__global__ void kernel{}(const float* in, float* out, int n) {{", kernel)};
        for (int i = 0; i < 80; ++i)
            lines.push_back(fmt::format("    float v{} = in[threadIdx.x + {} * blockIdx.y] * w{};", i, random() % 512,
                                        random() % 64));
        lines.emplace_back("}");
        sample.kernels.push_back(std::move(lines));
    }
    sample.modules = {"import torch\nclass Model(torch.nn.Module):\n    pass\n"};
    sample.profiles = {"{'metrics': {'Executed Ipc Active': {'unit': 'inst/cycle', 'avg_value': 1.71}}}"};
    sample.tidies = {"{'stdout': 'base.cu:9:35: warning: macro argument should be enclosed in parentheses'}"};
    sample.errors = {"base.cu(9): error: identifier \"x\" is undefined\nninja: build stopped: subcommand failed.\n"};
    return sample;
}

class Mixer {
public:
    Mixer(const Sample& sample, std::uint64_t seed)
        : m_sample(sample)
        , m_random(seed) {}

    /// A kernel's lines, with lines of others between them, some words and numbers of its own.
    std::string code(std::size_t base) {
        const std::string word = fmt::format("{}{}", m_words[below(m_words.size())], below(1000));
        std::string code;
        const auto& lines = m_sample.kernels[base % m_sample.kernels.size()];
        for (std::size_t i = 0; code.size() < codeTarget; ++i) {
            const bool own = i < lines.size() && below(5) != 0;
            const auto& other = m_sample.kernels[below(m_sample.kernels.size())];
            code += changed(own ? lines[i] : other[below(other.size())], word);
            code += '\n';
        }
        return code;
    }

    /// Digits behind a decimal point changed, as they differ between measurements.
    std::string remeasured(std::string text) {
        bool fraction = false;
        for (char& c : text) {
            const bool digit = c >= '0' && c <= '9';
            if (digit && fraction) c = static_cast<char>('0' + below(10));
            fraction = c == '.' || (fraction && digit);
        }
        return text;
    }

    std::size_t below(std::size_t bound) { return m_random() % bound; }
    const std::string& word() { return m_words[below(m_words.size())]; }

    /// What PyTorch's profiler says of a dozen operators, as a Python literal.
    std::string torchProfile() {
        static constexpr std::array names = {"aten::to",
                                             "aten::_to_copy",
                                             "aten::empty_strided",
                                             "aten::copy_",
                                             "aten::zero_",
                                             "aten::fill_",
                                             "cudaLaunchKernel",
                                             "cudaEventRecord",
                                             "cudaDeviceSynchronize",
                                             "Memcpy HtoD (Pageable -> Device)",
                                             "Memset (Device)",
                                             "synthetic_kernel(float const*, float*, int)"};
        std::string text = "{";
        for (const char* name : names)
            text += fmt::format("{}'{}': {{'cpu_time_total': {}, 'device_time_total': {}, 'self_cpu_time_total': {}, "
                                "'self_device_time_total': {}, 'cpu_memory_usage': 0, 'device_memory_usage': {}, "
                                "'self_cpu_memory_usage': 0, 'self_device_memory_usage': 0}}",
                                text.size() > 1 ? ", " : "", name, real(), real(), real(), real(), below(1 << 20));
        return text + "}";
    }

    /// Spread over four decades, half of it below one.
    double speedup() {
        double sum = 0;
        for (int i = 0; i < 6; ++i)
            sum += double(below(10000)) / 10000 - 0.5;
        return std::exp(1.6 * sum);
    }

private:
    std::string real() { return fmt::format("{}.{:06}", below(100000), below(1000000)); }

    std::string changed(std::string line, const std::string& word) {
        if (below(6) == 0)
            if (const auto at = line.find('_'); at != std::string::npos) line.insert(at, word);
        if (below(4) == 0)
            for (char& c : line)
                if (c >= '1' && c <= '9') c = static_cast<char>('1' + below(9));
        return line;
    }

    const Sample& m_sample;
    std::mt19937_64 m_random;
    std::vector<std::string> m_words = {"tile", "Acc", "warp", "lane", "vec", "Buf", "stride", "chunk", "part", "Row"};
};

Json textsOf(Mixer& mixer, const Sample& sample, std::size_t task, bool correct, bool failedToRun) {
    Json row = {{"CUDA_Code", "// synthetic\n" + mixer.code(task)},
                {"PyTorch_Code_Module", sample.modules[task % sample.modules.size()]},
                {"PyTorch_Code_Functional",
                 "import torch.nn.functional as F\n" + sample.modules[task % sample.modules.size()]}};
    if (!failedToRun && mixer.below(6) != 0) {
        row["NCU_Profile"] = mixer.remeasured(sample.profiles[mixer.below(sample.profiles.size())]);
        row["Torch_Profile"] = mixer.torchProfile();
    }
    if (mixer.below(4) != 0) row["Clang_Tidy"] = mixer.remeasured(sample.tidies[mixer.below(sample.tidies.size())]);
    if (!correct && failedToRun) row["Error"] = mixer.remeasured(sample.errors[mixer.below(sample.errors.size())]);
    return row;
}

Json syntheticRow(Mixer& mixer, const Sample& sample, int level, int task, int index) {
    const bool correct = mixer.below(100) < 56;
    const bool failedToRun = !correct && mixer.below(2) == 0;
    const double native = 0.01 + double(mixer.below(100000)) / 1000;
    const double speedup = mixer.speedup();
    Json row = textsOf(mixer, sample, std::size_t(level * 100 + task), correct, failedToRun);
    row.update({{"Op_Name", fmt::format("{}_Synthetic_Operator", task)},
                {"Level_ID", level},
                {"Task_ID", task},
                {"Kernel_Name",
                 fmt::format("synthetic_{}_{}{}", mixer.word(), index, mixer.below(2) == 0 ? "_base" : "_edit_1")},
                {"PyTorch_Native_Runtime", native},
                {"PyTorch_Compile_Runtime", native * 1.1},
                {"CUDA_Speedup_Native", correct ? speedup : 0.0},
                {"CUDA_Speedup_Compile", correct ? speedup * 1.1 : 0.0},
                {"Correct", correct},
                {"__index_level_0__", index}});
    if (correct) row["CUDA_Runtime"] = native / speedup;
    if (!failedToRun) row["Max_Diff"] = correct ? 1e-5 : 3.5;
    return row;
}

} // namespace

RowsWritten writeRows(const std::filesystem::path& file, const std::filesystem::path& sampleFolder, int count,
                      std::uint64_t seed) {
    RowsWritten written;
    Sample sample = readSample(sampleFolder);
    written.fromSample = !sample.kernels.empty();
    if (!written.fromSample) sample = ownSample();
    Mixer mixer(sample, seed);
    std::ofstream out(file, std::ios::binary);
    for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto rows = static_cast<int>(std::int64_t(levels[level].rows) * count / publishedRows);
        for (int i = 0; i < rows; ++i) {
            const int task = 1 + static_cast<int>(std::int64_t(i) * levels[level].tasks / rows);
            const Json row = syntheticRow(mixer, sample, int(level) + 1, task, i);
            written.codeBytes += row["CUDA_Code"].get_ref<const std::string&>().size();
            for (const auto& value : row)
                if (value.is_string()) written.textBytes += value.get_ref<const std::string&>().size();
            out << row.dump() << '\n';
            ++written.rows;
        }
    }
    written.fileBytes = static_cast<std::uint64_t>(out.tellp());
    return written;
}

} // namespace kernelarium::benchmarks
