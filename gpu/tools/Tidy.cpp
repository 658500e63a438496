// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Tidy.h"

#include "gpu/compile/Toolkit.h"
#include "gpu/process/ConfinedProcess.h"
#include "gpu/process/ReadableFiles.h"
#include "gpu/tools/Tools.h"
#include "resources/ShimHeaders.h"

#include <fstream>

namespace kernelarium::tools {

namespace {

namespace fs = std::filesystem;

/// Those that speak of kernels. The archive's own reports are mostly of the first two groups.
constexpr const char* tidyChecks =
    "-*,bugprone-*,performance-*,clang-analyzer-core.*,clang-analyzer-deadcode.*,clang-diagnostic-error,"
    "misc-redundant-expression,misc-unused-parameters,readability-misleading-indentation";

bool writeTidyFile(const fs::path& file, std::string_view text, bool header) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    std::ofstream out(file, std::ios::binary);
    // As under NVRTC's -default-device, what the headers have may be called from everywhere.
    if (header) out << "#pragma clang force_cuda_host_device begin\n";
    out << text;
    if (header) out << "\n#pragma clang force_cuda_host_device end\n";
    return bool(out.flush());
}

std::vector<std::string> tidyWords(const protocol::TidyTool& tool, const fs::path& folder) {
    const std::string ours = (folder / "include/kernelarium/").string();
    const std::string cuda = tool.include + "/";
    std::vector<std::string> words{tool.program,
                                   (folder / "kernel.cu").string(),
                                   "--quiet",
                                   "--config={}",
                                   std::string("--checks=") + tidyChecks,
                                   "--",
                                   "-x",
                                   "cuda",
                                   "--cuda-device-only",
                                   "--cuda-gpu-arch=sm_80",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "-nostdinc",
                                   "-nostdinc++",
                                   "-std=c++17",
                                   "-ferror-limit=0",
                                   "-isystem",
                                   (folder / "include").string(),
                                   "-isystem",
                                   tool.include};
    for (const std::string& first : {ours + "clang_builtins.h", cuda + "vector_types.h", cuda + "library_types.h",
                                     cuda + "driver_types.h", ours + "clang_vectors.h", ours + "prelude.h"})
        words.insert(words.end(), {"-include", first});
    return words;
}

} // namespace

protocol::TidyTool findTidyTool() {
    return {programNamed("clang-tidy"), compile::Toolkit::find().include};
}

Result<protocol::TidyAnswer> tidy(const protocol::TidyTool& tool, std::string_view source,
                                  const std::stop_token& stop) {
    if (tool.program.empty())
        return Error{"missing_component", "clang-tidy was not found on PATH.",
                     "Install it (Debian package clang-tidy)."};
    if (tool.include.empty())
        return Error{"missing_component", "clang-tidy needs CUDA's headers, and no toolkit was found.",
                     "Install the CUDA Toolkit, or set CUDA_PATH to its folder."};
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return scratch.error();
    bool written = writeTidyFile(scratch->path() / "kernel.cu", source, false);
    for (const resources::ShimHeader& header : resources::shimHeaders())
        written &= writeTidyFile(scratch->path() / "include" / header.name, header.text, true);
    if (!written)
        return Error{"unwritable_file", "The text could not be written for clang-tidy.",
                     "Check TMPDIR and the free space there."};
    process::ConfinedCommand command;
    command.words = tidyWords(tool, scratch->path());
    command.environment = {"LC_ALL=C", "TMPDIR=" + scratch->path().string(), "HOME=" + scratch->path().string()};
    command.longestOutput = 8u << 20;
    command.timeLimit = std::chrono::seconds(30);
    command.limits = {.memory = 3ULL << 30,
                      .addressSpace = 8ULL << 30,
                      .fileSize = 1ULL << 20,
                      .written = 64ULL << 20,
                      .seconds = 30};
    // Some packages put links there, to another folder of the same installation.
    std::vector<std::string> readable = process::filesOfInstallation(fs::path(tool.include).parent_path().string());
    for (const std::string& path : process::filesOfProgram(tool.program))
        readable.push_back(path);
    readable.push_back(tool.include);
    command.readable = std::move(readable);
    Result<process::ToolEnd> end = process::runConfined(command, *scratch, stop);
    if (!end) return end.error();
    if (end->code < 0 || end->code > 1) // 1: it found errors
        return Error{"tool_failed", "clang-tidy " + end->how + ".", "", end->output.substr(0, 4000)};
    protocol::TidyAnswer answer;
    for (auto& finding : profile::parseTidyOutput(end->output)) {
        if (finding.file != "kernel.cu" || profile::isIndexNarrowing(finding, source)) continue;
        auto& list = finding.check == "clang-diagnostic-error" ? answer.unread : answer.findings;
        list.push_back(std::move(finding));
    }
    return answer;
}

} // namespace kernelarium::tools
