// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Ptxas.h"

#include "core/files/ScratchFolder.h"
#include "gpu/process/FileRules.h"
#include "gpu/process/ToolRun.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace kernelarium::compile {

namespace {
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// The name of a temporary file says nothing to a reader.
std::string renamed(std::string text, const std::string& path) {
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
        text.replace(at, path.size(), "kernel.ptx");
    return text;
}

/// The assembler itself, what the system's loader needs to start it, and its folder. It takes a text that nobody read,
/// and PTX has no directive that opens a file: these rules are for a fault of its own.
process::FileRules rulesOf(const std::string& ptxas, const files::ScratchFolder& scratch) {
    process::FileRules rules(process::FileRules::Fence::all);
    std::error_code problem;
    const std::filesystem::path program = std::filesystem::canonical(ptxas, problem);
    if (!problem) rules.allowRunning(program.parent_path().parent_path().string());
    for (const char* place : {"/usr", "/lib", "/lib64", "/bin", "/nix/store", "/gnu/store"})
        rules.allowRunning(place);
    for (const char* place : {"/etc/ld.so.cache", "/etc/ld.so.preload", "/dev/urandom", "/proc/cpuinfo",
                              "/proc/meminfo", "/sys/devices/system/cpu"})
        rules.allowReading(place);
    std::istringstream libraries(variable("LD_LIBRARY_PATH"));
    for (std::string folder; std::getline(libraries, folder, ':');)
        if (!folder.empty()) rules.allowReading(folder);
    rules.allowDevices("/dev/null");
    rules.allowWriting(scratch.path().string());
    return rules;
}

std::vector<std::byte> bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}
} // namespace

std::optional<NvJitLink::Output> assembleWholeProgram(const std::string& ptxas, const std::string& ptx,
                                                      const std::vector<std::string>& options, std::stop_token stop) {
    if (ptxas.empty()) return std::nullopt;
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return std::nullopt;
    const std::string input = (scratch->path() / "kernel.ptx").string();
    const std::string output = (scratch->path() / "kernel.cubin").string();
    std::ofstream file(input, std::ios::binary);
    file << ptx;
    file.close();
    if (!file) return std::nullopt;
    const process::FileRules rules = rulesOf(ptxas, *scratch);
    process::ToolRun run{
        .start = {.words = {ptxas},
                  .environment = std::vector<std::string>{"PATH=" + variable("PATH"),
                                                          "LD_LIBRARY_PATH=" + variable("LD_LIBRARY_PATH"),
                                                          "TMPDIR=" + scratch->path().string(), "LC_ALL=C"},
                  .files = &rules},
        .keepsErrors = true};
    run.start.words.insert(run.start.words.end(), options.begin(), options.end());
    run.start.words.insert(run.start.words.end(), {input, "-o", output});
    const Result<process::ToolEnd> done = process::runTool(run, stop);
    NvJitLink::Output out;
    out.ok = done && done->code == 0;
    if (done) (out.ok ? out.info : out.errors) = renamed(done->errors + done->output, input);
    if (out.ok) {
        out.cubin = bytesOf(output);
        return out;
    }
    for (const char* foreign : {"Unresolved extern", "nsupported .version", "is not defined for option 'gpu-name'"})
        if (out.errors.find(foreign) != std::string::npos) return std::nullopt;
    // Ended by a signal, or not a program that runs here (a library of its own is missing): nothing is known about the
    // PTX.
    const bool refused =
        out.errors.find("error   :") != std::string::npos || out.errors.find("fatal   :") != std::string::npos;
    if (!refused && !stop.stop_requested()) return std::nullopt;
    return out;
}

} // namespace kernelarium::compile
