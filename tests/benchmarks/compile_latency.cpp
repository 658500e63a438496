// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edit to diagnostics: every archived kernel of the sample compiled once, to a cubin, in a warm process. Printed beside it
// is what the same device code alone costs in a bare NVRTC and nvJitLink: the kernels' own text where it stands by itself
// (what precedes the first host function, without the PyTorch headers).
//
//     benchmark_compile_latency [FOLDER with *.cu | FILE.jsonl ...]

#include "gpu/compile/Compiler.h"
#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace kernelarium::compile;
namespace fs = std::filesystem;

namespace {

void addRows(std::vector<std::string>& sources, const fs::path& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (const auto row = nlohmann::json::parse(line, nullptr, false); row.is_object() && row.contains("CUDA_Code"))
            sources.push_back(row["CUDA_Code"].get<std::string>());
}

void addFolder(std::vector<std::string>& sources, const fs::path& folder) {
    std::error_code failed;
    for (const auto& entry : fs::recursive_directory_iterator(folder, failed))
        if (entry.path().extension() == ".cu") {
            std::ifstream in(entry.path());
            sources.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
}

std::vector<std::string> gather(int count, char** arguments) {
    std::vector<std::string> sources;
    for (int i = 1; i < count; ++i) fs::is_directory(arguments[i]) ? addFolder(sources, arguments[i]) : addRows(sources, arguments[i]);
    if (count == 1) {
        addRows(sources, fs::path(KERNELARIUM_SHARED_DIR) / "archive_sample/full_rows.jsonl");
        addRows(sources, fs::path(KERNELARIUM_SHARED_DIR) / "archive_sample/one_kernel_per_task.jsonl");
    }
    if (sources.empty()) addFolder(sources, fs::path(KERNELARIUM_SOURCE_DIR) / "archive_data");
    return sources;
}

double processSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

struct Spread {
    std::vector<double> milliseconds;
    [[nodiscard]] double at(double part) {
        if (milliseconds.empty()) return 0;
        std::sort(milliseconds.begin(), milliseconds.end());
        return milliseconds[std::min(milliseconds.size() - 1, std::size_t(part * double(milliseconds.size())))];
    }
};

/// The device part of a source: without #include lines, up to the first name that only host code has.
std::string deviceText(const std::string& source) {
    std::string out;
    std::size_t host = std::string::npos;
    for (const char* word : {"torch::", "at::Tensor", "PYBIND11_MODULE", "std::", "py::"}) host = std::min(host, source.find(word));
    const std::size_t end = source.rfind("\n}", std::min(host, source.size() - 1));
    for (std::size_t at = 0; at < (end == std::string::npos ? 0 : end + 2);) {
        const std::size_t next = std::min(source.find('\n', at), source.size());
        const std::string line = source.substr(at, next - at);
        if (line.find("#include") == std::string::npos) out += line;
        out += '\n';
        at = next + 1;
    }
    return out;
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> sources = gather(count, arguments);
    const Toolkit toolkit = Toolkit::find();
    auto compiler = Compiler::create(toolkit);
    auto nvrtc = compiler ? Nvrtc::load(toolkit.nvrtc) : kernelarium::Result<std::unique_ptr<Nvrtc>>(compiler.error());
    auto linker = compiler ? NvJitLink::load(toolkit.nvJitLink) : kernelarium::Result<std::unique_ptr<NvJitLink>>(compiler.error());
    if (!compiler || !nvrtc || !linker) {
        fmt::print(stderr, "{}\n", compiler.error().text());
        return 3;
    }
    // Warm: both preludes precompiled, ptxas loaded.
    (void)compiler.value()->compile("#include <torch/extension.h>\n__global__ void k(float* x) { x[0] = 1; }\n", {});
    (void)compiler.value()->compile("__global__ void k(float* x) { x[0] = 1; }\n", {});

    // As while editing: dispatch macros instantiate the type in use at once (the others follow in the background).
    // With KERNELARIUM_ALL_TYPES set, every type, as a whole build does.
    kernelarium::compile::CompileOptions options;
    if (!std::getenv("KERNELARIUM_ALL_TYPES")) {
        options.allDispatchTypes = false;
        options.dispatchTypes = {kernelarium::tensor::DType::Float32};
    }

    Spread wall, cpu, front, link, bare, bareCpu, own, ownCpu;
    int compiled = 0;
    for (const std::string& source : sources) {
        double before = processSeconds();
        const auto unit = compiler.value()->compile(source, options);
        if (!unit) continue;
        const double spent = (processSeconds() - before) * 1e3;
        compiled += unit->ok;
        wall.milliseconds.push_back(unit->seconds.total * 1e3);
        cpu.milliseconds.push_back(spent);
        front.milliseconds.push_back(unit->seconds.nvrtc * 1e3);
        link.milliseconds.push_back(unit->seconds.link * 1e3);
        if (!unit->ok || unit->kernels.empty()) continue;
        const auto start = std::chrono::steady_clock::now();
        before = processSeconds();
        const Nvrtc::Output plain = nvrtc.value()->compile(deviceText(source), {"-arch=compute_90", "-std=c++17", "-lineinfo"});
        // Only kernels whose text stands alone count: templates that nobody instantiates give no entry.
        if (!plain.ok || plain.ptx.find(".entry") == std::string::npos) continue;
        if (!linker.value()->link(plain.ptx, {"-arch=sm_90", "-lineinfo", "-O3"}).ok) continue;
        bareCpu.milliseconds.push_back((processSeconds() - before) * 1e3);
        bare.milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        own.milliseconds.push_back(unit->seconds.total * 1e3);
        ownCpu.milliseconds.push_back(spent);
    }
    fmt::print("compile latency over {} kernels ({} compile to a cubin), {}\n", sources.size(), compiled, compiler.value()->version());
    fmt::print("  whole file to cubin   median {:7.1f} ms   p95 {:7.1f}   max {:8.1f}\n", wall.at(0.5), wall.at(0.95), wall.at(1));
    fmt::print("  processor time        median {:7.1f} ms   p95 {:7.1f}   max {:8.1f}\n", cpu.at(0.5), cpu.at(0.95), cpu.at(1));
    fmt::print("  of it NVRTC           median {:7.1f} ms, nvJitLink {:.1f} ms\n", front.at(0.5), link.at(0.5));
    if (!bare.milliseconds.empty())
        fmt::print("  the same device code in a bare NVRTC and nvJitLink, {} kernels: median {:.1f} ms (processor {:.1f}); ratio {:.2f} "
                   "(processor time {:.2f})\n", bare.milliseconds.size(), bare.at(0.5), bareCpu.at(0.5), own.at(0.5) / bare.at(0.5),
                   ownCpu.at(0.5) / bareCpu.at(0.5));
    return 0;
}
