// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edit to diagnostics: every archived kernel of the sample compiled once in a warm compile child, measured from handing
// the request to the pipe until the child's early diagnostics are read, and until its cubin is. Printed beside it is
// what the same device code alone costs in a bare NVRTC and nvJitLink in this process: the kernels' own text where it
// stands by itself (what precedes the first host function, without the PyTorch headers).
//
//     benchmark_compile_latency [FOLDER with *.cu | FILE.jsonl ...]

#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"
#include "gpu/compile/Toolkit.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/WorkerClient.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace kernelarium::compile;
using namespace kernelarium::protocol;
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
    for (int i = 1; i < count; ++i)
        fs::is_directory(arguments[i]) ? addFolder(sources, arguments[i]) : addRows(sources, arguments[i]);
    if (count == 1) {
        addRows(sources, fs::path(KERNELARIUM_SHARED_DIR) / "archive_sample/full_rows.jsonl");
        addRows(sources, fs::path(KERNELARIUM_SHARED_DIR) / "archive_sample/one_kernel_per_task.jsonl");
    }
    if (sources.empty()) addFolder(sources, fs::path(KERNELARIUM_SOURCE_DIR) / "archive_data");
    return sources;
}

/// Milliseconds since it was made.
class Stopwatch {
public:
    [[nodiscard]] double read() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

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
    for (const char* word : {"torch::", "at::Tensor", "PYBIND11_MODULE", "std::", "py::"})
        host = std::min(host, source.find(word));
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

struct Child {
    WorkerClient client{{KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "compile"}};

    struct Times {
        double diagnostics = 0; ///< milliseconds until they are read
        double end = 0;         ///< until the unit is
        bool cubin = false;
        nlohmann::json stages; ///< seconds of the child's own, by stage
    };
    kernelarium::Result<Times> compile(const std::string& source) {
        CompileParameters parameters;
        parameters.source = source;
        parameters.texts = {"ptx", "kernel_ptx", "cubin"};
        Times times;
        const Stopwatch watch;
        WorkerClient::CallOptions options;
        options.partial = [&](const nlohmann::json&) { times.diagnostics = watch.read(); };
        auto unit = client.call("compile", toJson(parameters), options);
        times.end = watch.read();
        if (!unit) return unit.error();
        times.cubin = (*unit)["ok"] == true && !(*unit)["kernels"].empty();
        times.stages = unit->value("seconds", nlohmann::json::object());
        return times;
    }
};

/// Milliseconds of NVRTC and of NVRTC with nvJitLink; empty where the kernels' text does not stand alone (templates
/// that nobody instantiates give no entry).
struct Bare {
    double nvrtc = 0, cubin = 0;
};
std::optional<Bare> compileBare(const Nvrtc& nvrtc, const NvJitLink& linker, const std::string& source) {
    Bare bare;
    const Stopwatch watch;
    const Nvrtc::Output plain = nvrtc.compile(deviceText(source), {"-arch=compute_90", "-std=c++17", "-lineinfo"});
    bare.nvrtc = watch.read();
    if (!plain.ok || plain.ptx.find(".entry") == std::string::npos) return std::nullopt;
    if (!linker.link(plain.ptx, {"-arch=sm_90", "-lineinfo", "-O3"}).ok) return std::nullopt;
    bare.cubin = watch.read();
    return bare;
}

void print(const char* what, Spread& spread) {
    fmt::print("  {:<34} median {:7.1f} ms   p95 {:7.1f}   max {:8.1f}\n", what, spread.at(0.5), spread.at(0.95),
               spread.at(1));
}

int fail(const kernelarium::Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    return 3;
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> sources = gather(count, arguments);
    const Toolkit toolkit = Toolkit::find();
    if (auto complete = toolkit.check(); !complete) return fail(complete.error());
    auto nvrtc = Nvrtc::load(toolkit.nvrtc);
    if (!nvrtc) return fail(nvrtc.error());
    auto linker = NvJitLink::load(toolkit.nvJitLink);
    if (!linker) return fail(linker.error());
    Child child;
    // Warm: both preludes precompiled, ptxas loaded.
    for (const char* header : {"#include <torch/extension.h>\n", ""})
        if (auto warm = child.compile(std::string(header) + "__global__ void k(float* x) { x[0] = 1; }\n"); !warm)
            return fail(warm.error());

    Spread diagnostics, end, ownDiagnostics, ownEnd, bareNvrtc, bareCubin;
    std::map<std::string, Spread> stages;
    int compiled = 0;
    for (const std::string& source : sources) {
        const auto times = child.compile(source);
        if (!times) return fail(times.error());
        compiled += times->cubin;
        diagnostics.milliseconds.push_back(times->diagnostics);
        end.milliseconds.push_back(times->end);
        std::this_thread::sleep_for(std::chrono::milliseconds(30)); // the child makes itself ready: not bare's loss
        const std::optional<Bare> bare = times->cubin ? compileBare(**nvrtc, **linker, source) : std::nullopt;
        if (!bare) continue;
        ownDiagnostics.milliseconds.push_back(times->diagnostics);
        ownEnd.milliseconds.push_back(times->end);
        stages["way there and back"].milliseconds.push_back(times->end - times->stages.value("total", 0.0) * 1e3);
        for (const auto& [stage, seconds] : times->stages.items())
            stages[stage].milliseconds.push_back(seconds.get<double>() * 1e3);
        bareNvrtc.milliseconds.push_back(bare->nvrtc);
        bareCubin.milliseconds.push_back(bare->cubin);
    }
    fmt::print("compile latency over {} kernels in a warm child ({} compile to a cubin), NVRTC {}.{}\n", sources.size(),
               compiled, (*nvrtc)->major(), (*nvrtc)->minor());
    print("edit to diagnostics", diagnostics);
    print("edit to cubin", end);
    if (bareNvrtc.milliseconds.empty()) return 0;
    fmt::print("{} of them whose device code stands alone:\n", bareNvrtc.milliseconds.size());
    print("edit to diagnostics", ownDiagnostics);
    print("edit to cubin", ownEnd);
    for (auto& [stage, spread] : stages)
        print(("  the child's " + stage).c_str(), spread);
    print("bare NVRTC", bareNvrtc);
    print("bare NVRTC and nvJitLink", bareCubin);
    fmt::print("  ratio of the medians: diagnostics {:.2f}, cubin {:.2f}\n", ownDiagnostics.at(0.5) / bareNvrtc.at(0.5),
               ownEnd.at(0.5) / bareCubin.at(0.5));
    return 0;
}
